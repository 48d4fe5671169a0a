//! Utilities of the engine: threads, indices, how often a long loop checks its budget.

mod index;
mod look;
mod pool;

pub(crate) use index::{BITS, about, bits, filled, halves, id, inverse, to_index};
pub(crate) use look::look;
pub(crate) use pool::FEW_STATES;
pub use pool::{in_own_pool, in_pool};
