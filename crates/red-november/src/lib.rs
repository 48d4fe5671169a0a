//! Movement in the board game Red November.
#![forbid(unsafe_code)]
mod board;
mod search;
mod sets;
mod turn;
pub use board::*;
pub use search::{LOOKS_PER_STATE, Limit, LimitReached, Limits, Plan, Plans, Question, search};
pub use turn::{Action, Boat, Illegal};
