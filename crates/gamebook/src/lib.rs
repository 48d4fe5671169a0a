//! A language for gamebooks.
mod book;
mod compile;
mod discipline;
mod entries;
mod expression;
mod hero;
mod machine;
mod needs;
mod problem;
mod program;
mod read;
mod split;
mod state;

pub use book::*;
pub use discipline::{DISCIPLINES, Discipline, RANKS};
pub use hero::{Hero, HeroError};
pub use machine::{COUNTS, Machine, Situation};
pub use needs::Analyses;
pub use problem::{Problem, Problems, Severity};
pub use read::read;
pub use state::{State, TooMuchToRemember};
