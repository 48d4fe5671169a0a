//! Folds: blocks without decisions as one chance.

use std::fmt;
use std::sync::Arc;

use mdp::SharedWeights;

/// Knows the endings of a block without executing it step by step.
pub(crate) trait Native: fmt::Debug + Send + Sync {
    /// The endings for these inputs, without the first one; `None` if the block must be executed step by step.
    fn endings(&self, others: &[i32]) -> Option<ByFirst>;
}

/// The endings of a block for each value of its first input, from 0 on.
pub(crate) type ByFirst = Arc<[Arc<Endings>]>;

/// The endings of a block, with weights.
#[derive(Debug)]
pub(crate) struct Endings {
    pub weights: SharedWeights,
    /// The outputs of each weight, and the index of its exit.
    pub outputs: Vec<(Box<[i32]>, usize)>,
}
