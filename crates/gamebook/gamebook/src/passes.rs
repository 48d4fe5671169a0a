//! Passes: analyses of programs, and transformations into smaller ones.
//!
//! Every pass preserves the exact value, except relaxation, which gives an upper bound. A pass works from what instructions
//! declare (what they read and write, and where they lead), so it knows no book, hero or item, nor how a program is executed or
//! solved.
//!
//! Each pass can be switched off. Tests compare the exact fraction under every combination of passes, on real books and on
//! random ones (`tests/all/random_books.rs`), and with the interpreter of `tests/reference`, which shares only the parsed book
//! with them.

mod alike;
mod analyses;
mod block;
mod blocks;
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
mod worklist;

pub(crate) use alike::Alike;
pub use analyses::Analyses;
pub(crate) use blocks::fold_blocks;
pub(crate) use dead_stores::without_idle;
pub use endless::EndlessLoop;
pub(crate) use endless::endless_loops;
pub(crate) use liveness::rows;
pub(crate) use minimize::canonical;
pub(crate) use projection::Projection;
pub(crate) use reachability::{
    depth_first, distances, end_when_surely_won, last_answer_best, layer, ranks, steps_to_victory, surely_won,
    unwinnable,
};
pub(crate) use read_set::{ReadSet, ReadSets};
pub(crate) use relax::{RelaxError, relax};
pub(crate) use specialize::split;
pub(crate) use waiting::{let_actions_wait, when_actions_matter};
