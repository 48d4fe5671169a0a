//! Questions that cannot be put to the engine.

use std::fmt;

use budget::Stopped;
use mdp::BuildError;

use crate::rewards::Unusable;

/// Why a question could not be put to the engine.
#[derive(Debug)]
pub enum Unprepared {
    /// The engine does not take the model, or the run is to stop.
    Build(BuildError),
    /// What is asked has no value.
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
