//! From a book and a hero to a program.
//!
//! There are two ways, one for Lone Wolf and one for systems of rules, and what both have in common: questions that a policy
//! answers, the stages of a series. All that words of a book mean is known here and nowhere after; how a program is
//! reduced, played and solved is not.
//!
//! Steps have labels, and each step names the labels of its successors; so equal ends of a section are one, and blocks are
//! compiled backwards, each step after what follows it. Conditions on disciplines are decided here. `bestplay gamebook compile`
//! prints the result.
//!
//! Lone Wolf stands in `lone_wolf`, in steps that know no game: what items do and what fills a backpack (`gear.rs`), taking,
//! eating and buying (`things.rs`), picks (`pick.rs`), fights (`fight.rs`). A system of rules is read by the same reader into
//! the same tree, with nodes of its own, and `system` lowers it to the same steps: a fight is a loop in the program, dice that
//! are rolled together are one chance, and a question that a policy answers is none.

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
