//! Blocks in which nobody is asked, as one chance.

use std::fmt;
use std::sync::Arc;

use mdp::SharedWeights;

/// Somebody who knows how a block ends without going through it step by step.
pub(crate) trait Native: fmt::Debug + Send + Sync {
    /// How it ends for these inputs, the first of which is left out; `None` where that must be found out step by step.
    fn endings(&self, others: &[i32]) -> Option<ByFirst>;
}

/// How a block ends for each number that the first of its inputs can be, from 0 on.
pub(crate) type ByFirst = Arc<[Arc<Endings>]>;

/// How a block ends: what comes of it, with weights.
#[derive(Debug)]
pub(crate) struct Endings {
    pub weights: SharedWeights,
    /// For each weight what the outputs hold.
    pub outputs: Vec<Box<[i32]>>,
}
