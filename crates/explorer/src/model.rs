//! Models of other tools and games of one's own: solved, looked at state by state, walked through.

mod around;
mod bounded;
mod engine;
mod file;
mod found;
mod game;
mod look;
mod offered;
mod question;
mod solved;
mod unsolved;
mod view;
mod walk;

pub use around::AroundQuestion;
pub use look::{AboutQuestion, FindQuestion, OutcomesQuestion, SolveQuestion, StateQuestion};
pub use offered::OfferedModel;
pub(crate) use solved::Solved;
pub use walk::WalkQuestion;
