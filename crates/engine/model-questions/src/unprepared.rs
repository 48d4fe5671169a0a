//! Questions for which the engine's model cannot be built.

use std::fmt;

use budget::Stopped;
use mdp::BuildError;

use crate::rewards::Unusable;

/// Why the engine's model could not be built.
#[derive(Debug)]
pub enum Unprepared {
    /// The engine refused the model, or the budget stopped the run.
    Build(BuildError),
    /// The question has no value.
    Undefined(Unusable),
}

impl From<BuildError> for Unprepared {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl From<Stopped> for Unprepared {
    fn from(stopped: Stopped) -> Self {
        Self::Build(stopped.into())
    }
}

impl fmt::Display for Unprepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(error) => error.fmt(f),
            Self::Undefined(unusable) => unusable.fmt(f),
        }
    }
}

impl std::error::Error for Unprepared {}
