//! Answers: fights solved, plays valued, fights walked through, replayed and played out.

pub mod advise;
pub mod compare_decks;
pub mod fight_error;
pub mod json;
pub mod log;
pub mod model;
pub mod named;
pub mod play_loss;
pub mod replay;
pub mod report_interval;
pub mod reward;
pub mod several;
pub mod simulate;
pub mod simulate_plays;
pub mod simulated_plays;
pub mod solve;
pub mod unknown;
#[cfg(test)]
mod unreduced_tests;
pub mod walk;
pub mod walk_worths;
pub mod worth;
