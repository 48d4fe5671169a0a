//! Movement in the board game Red November.
mod board;
mod parse;
mod search;
mod sets;
mod turn;
pub use board::*;
pub use parse::*;
pub use search::{LOOKS_PER_STATE, Limit, LimitReached, Limits, Plan, Plans, Question, search};
pub use turn::{Action, Boat, Illegal};
