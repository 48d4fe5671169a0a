//! Lowering: from a book and a hero to a program.
//!
//! There are two front ends, one for Lone Wolf and one for systems of rules, and shared parts: questions answered by a policy,
//! and the stages of a series. The meaning of a book's words is known here and nowhere after; how a program is reduced,
//! executed and solved is not known here.
//!
//! Steps have labels, and each step names the labels of its successors. Equal ends of a section are shared, and blocks are
//! compiled backwards, each step after its successors. Conditions on disciplines are decided here. `bestplay gamebook compile`
//! prints the result.
//!
//! `lone_wolf` compiles Lone Wolf to steps that know no game: what items do and what fills a backpack (`gear.rs`), taking,
//! eating and buying (`things.rs`), picks (`pick.rs`), fights (`fight.rs`). A system of rules is parsed by the same reader into
//! the same tree, with nodes of its own, and `system` lowers it to the same steps: a fight is a loop, dice that are rolled
//! together are one chance, and a question that a policy answers disappears.

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
