//! Gamebooks: a book solved for a hero, its sections, and advice where the reader stands.

mod advise;
mod best_play;
mod book;
mod choice;
mod conduct;
mod find;
mod ground;
mod hero;
mod known;
mod names;
mod section;
mod series;
mod solve;
mod walk;
mod walked;

pub use advise::AdviseQuestion;
pub use book::BookQuestion;
pub use find::{FindQuestion, Index};
pub use hero::own_hero;
pub use section::SectionQuestion;
pub use series::{SeriesQuestion, number_in};
pub use solve::SolveQuestion;
pub use walk::WalkQuestion;
