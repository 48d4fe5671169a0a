//! The method for cyclic components, as an argument.

use clap::ValueEnum;
use mdp::Method;

/// A method to solve strongly connected components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    /// The method with the least estimated work
    #[default]
    Cheapest,
    /// Iteration only, until values converge
    Sweeps,
    /// Elimination only
    Elimination,
    /// Exact fractions only
    Fractions,
}

impl From<MethodArg> for Method {
    fn from(method: MethodArg) -> Self {
        match method {
            MethodArg::Cheapest => Self::Cheapest,
            MethodArg::Sweeps => Self::Sweeps,
            MethodArg::Elimination => Self::Elimination,
            MethodArg::Fractions => Self::Fractions,
        }
    }
}
