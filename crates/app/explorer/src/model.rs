//! Models of other tools and games of one's own: solved, looked at state by state, walked through.
//!
//! A model is offered as a `Source`, which solves a question; the result is a `Solved`, which gives states, choices and values
//! whatever the type of its states: `file.rs` for model files, `game.rs` for any `mdp::Game`, whose types end there. Endpoints
//! and pages know these two traits only. Where steps or rewards are bounded (`bounded.rs`) states are those of the unfolded
//! model, shown as the file's states with what is left of each bound.

mod bounded;
mod engine;
mod file;
mod found;
mod game;
mod look;
mod named;
mod neighbourhood;
mod offered;
mod page;
mod question;
mod registry;
mod site;
mod solved;
mod source;
mod state_sets;
mod unsolved;
mod view;
mod walk;

pub use offered::OfferedModel;
pub use registry::Models;
pub use site::SITE;
