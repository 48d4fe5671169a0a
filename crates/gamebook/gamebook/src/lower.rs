//! From a book and a hero to a program.
//!
//! There are two ways, one for Lone Wolf and one for systems of rules, and what both have in common: questions that a policy
//! answers, the stages of a series. All that words of a book mean is known here and nowhere after; how a program is
//! reduced, played and solved is not.

mod compile;
mod decide;
mod error;
mod lone_wolf;
mod quest;
mod stage;
mod system;

pub(crate) use compile::{compile, compile_series, compile_with_others};
pub use error::CompileError;
pub(crate) use lone_wolf::{Others, default_label, fits};
pub(crate) use quest::Quest;
pub(crate) use stage::{Stage, label_of};
pub(crate) use system::{Marked, Part, lower_marked};
