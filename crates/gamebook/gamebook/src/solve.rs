//! Questions about a book and their solutions.
//!
//! This is where a book, a hero and the engine meet: a question is lowered, reduced, explored and solved, and optimal play is
//! described in terms of the book. The module does not know how an answer is presented, nor anything of the text that was
//! parsed.
//!
//! Optimal play is followed on a second machine without reductions, with a state at the entry of each section (`journey.rs`):
//! visits and deaths come out by section, and the two machines check each other. `advice.rs` evaluates the answers open to a
//! hero in a section, for the command, the pages and the Python package; `hero_overrides.rs` changes the book's hero as they
//! ask, and rejects what is impossible.

mod advice;
mod describe;
mod ends;
mod guide;
mod hero_overrides;
mod heroes;
mod journey;
mod length;
mod question;
mod reader;
mod refine;
mod rolled_hero;
mod sample;
mod series;
mod solve_error;
mod solved;
mod state_histogram;

pub use advice::Advice;
pub use describe::{Belongings, EnemyNow, StatNow};
pub use ends::{Ends, NumberStatistics};
pub use guide::{AnswerGuide, Guide, QuestionGuide, SectionGuide, SituationGuide};
pub use hero_overrides::HeroOverrides;
pub use heroes::{
    HeroChoice, HeroGroup, HeroSink, OPTIONS_TO_REPEAT, SKILLS_COLUMN, hero_layout, heroes_asked, roll_chance,
};
pub use journey::{BestPlay, Journey, SectionVisit};
pub use length::Length;
pub(crate) use length::PolicyGame;
pub use question::Question;
pub use reader::{Reader, ReaderResult};
pub use rolled_hero::{RolledHero, Rolls};
pub use sample::Sample;
pub use series::{BookReached, InMemory, Learned, SeriesQuestion, Shelf, SolvedSeries};
pub use solve_error::SolveBookError;
pub use solved::Solved;
pub(crate) use solved::probability;
pub use state_histogram::{SectionStates, StateHistogram};
