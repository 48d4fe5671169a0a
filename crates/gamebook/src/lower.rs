//! From a book and a hero to a program: what both systems of rules have in common.

mod decide;
mod situation;
mod stage;

pub(crate) use decide::{Asks, Draft, concerns, decide};
pub use situation::Situation;
pub(crate) use stage::{Stage, label_of};
