//! Fights, played round by round and folded.

mod fight;
mod fold;
