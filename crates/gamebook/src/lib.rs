//! A language for gamebooks.
mod book;
mod compile;
mod describe;
mod discipline;
mod entries;
mod expression;
mod hero;
mod journey;
mod machine;
mod needs;
mod problem;
mod program;
mod read;
mod solved;
mod split;
mod state;

pub use book::*;
pub use describe::Belongings;
pub use discipline::{DISCIPLINES, Discipline, RANKS};
pub use hero::{Hero, HeroError};
pub use journey::{BestPlay, Journey, SectionVisit};
pub use machine::{Machine, Situation};
pub use needs::Analyses;
pub use problem::{Problem, Problems, Severity};
pub use read::read;
pub use solved::{Advice, Question, SolveBookError, Solved};
pub use state::{State, TooMuchToRemember};
