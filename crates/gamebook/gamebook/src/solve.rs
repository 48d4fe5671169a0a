//! The door: what is asked of a book, and what is known once it is solved.
//!
//! Here a book, a hero and the engine meet: a question is lowered, reduced, explored and solved, and what best play
//! does is told in the book's terms. It does not know how an answer is shown, and asks nothing of a text.

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
pub use ends::{Ends, Spread};
pub use guide::{AnswerGuide, Guide, QuestionGuide, SectionGuide, SituationGuide};
pub use hero_overrides::HeroSaid;
pub use heroes::{HeroChoice, HeroGroup, Keep, SAY_AS_THEN, hero_layout, heroes_asked, roll_chance};
pub use journey::{BestPlay, Journey, SectionVisit};
pub(crate) use length::Followed;
pub use length::Length;
pub use question::Question;
pub use reader::{Fares, Reader};
pub use rolled_hero::{MadeHero, Rolls};
pub use sample::Sample;
pub use series::{BookReached, InMemory, Learned, SeriesQuestion, Shelf, SolvedSeries};
pub use solve_error::SolveBookError;
pub use solved::Solved;
pub(crate) use solved::probability;
pub use state_histogram::{Crowd, CrowdedSection};
