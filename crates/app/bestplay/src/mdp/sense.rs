//! The direction of optimisation, as an argument.

use clap::ValueEnum;
use mdp::Sense;

/// Largest or smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SenseArg {
    /// The largest value that any policy attains
    Max,
    /// The smallest
    Min,
}

impl From<SenseArg> for Sense {
    fn from(sense: SenseArg) -> Self {
        match sense {
            SenseArg::Max => Self::Max,
            SenseArg::Min => Self::Min,
        }
    }
}
