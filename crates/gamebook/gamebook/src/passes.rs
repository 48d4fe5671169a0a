//! What is found out about programs, and the smaller programs that are made of them.
//!
//! Every pass keeps the exact value; only relaxation does not, which bounds it from above. A pass works from what
//! instructions declare (what decides them, what they write, where they lead) and therefore knows no game: no book, no
//! hero, no item. It does not know how a program is played or solved, either.
//!
//! Each pass can be switched off. Tests compare the exact fraction with that of every other combination of passes, on written
//! books and on random ones (`tests/all/random_books.rs`), and with the interpreter of `tests/reference`, which shares nothing
//! with them but the book as it was read.

mod analyses;
mod dead_stores;
mod endless;
mod liveness;
mod minimize;
mod projection;
mod reachability;
mod read_set;
mod relax;
mod specialize;
mod waiting;

pub use analyses::Analyses;
pub(crate) use dead_stores::without_idle;
pub use endless::EndlessLoop;
pub(crate) use endless::endless_loops;
pub(crate) use liveness::rows;
pub(crate) use minimize::canonical;
pub(crate) use projection::Kept;
pub(crate) use reachability::{
    best_left, depth_first, distances, end_when_sure, hopeless, layer, ranks, steps_to_victory, sure,
};
pub(crate) use read_set::{Dependences, Depends};
pub(crate) use relax::{RelaxError, relax};
pub(crate) use specialize::split;
pub(crate) use waiting::{let_actions_wait, when_actions_matter};
