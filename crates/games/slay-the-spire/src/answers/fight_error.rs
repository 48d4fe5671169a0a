//! Fights without an answer.

use std::fmt;

use budget::Stopped;

use crate::rules::RulesError;

/// Why a fight has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FightError {
    /// It is not modelled.
    Rules(RulesError),
    /// The budget stopped the run.
    Stopped(Stopped),
}

impl fmt::Display for FightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(error) => error.fmt(f),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl std::error::Error for FightError {}

impl From<RulesError> for FightError {
    fn from(error: RulesError) -> Self {
        Self::Rules(error)
    }
}

impl From<Stopped> for FightError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}
