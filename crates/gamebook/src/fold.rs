//! Blocks in which nobody is asked, as one chance.

use std::fmt;
use std::sync::Arc;

use mdp::SharedWeights;

/// Somebody who knows how a block ends without going through it step by step.
pub(crate) trait Native: fmt::Debug + Send + Sync {
    /// How it ends for these inputs; `None` where that must be found out step by step.
    fn endings(&self, inputs: &[i32]) -> Option<Arc<Endings>>;
}

/// How a block ends: what comes of it, with weights.
#[derive(Debug)]
pub(crate) struct Endings {
    pub weights: SharedWeights,
    /// For each weight what the outputs hold.
    pub outputs: Vec<Box<[i32]>>,
}
