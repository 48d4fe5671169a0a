//! The door: what is asked of a book, and what is known once it is solved.
//!
//! Here a book, a hero and the engine meet: a question is lowered, reduced, explored and solved, and what best play
//! does is told in the book's terms. It does not know how an answer is shown, and asks nothing of a text.
//!
//! Best play is followed through a second machine that reduces nothing, with a state wherever a section is entered
//! (`journey.rs`): visits and deaths come out in the book's terms, and the two machines check each other. `advice.rs` is what
//! the command, the pages and the wheel ask where a hero stands in a section; `hero_overrides.rs` holds what they say of a hero
//! where he differs from the book's, and rejects what cannot be.

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
pub use hero_overrides::HeroOverrides;
pub use heroes::{HeroChoice, HeroGroup, Keep, SAY_AS_THEN, SKILLS_COLUMN, hero_layout, heroes_asked, roll_chance};
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
