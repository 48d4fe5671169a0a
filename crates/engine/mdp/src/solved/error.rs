//! Why a game could not be solved, or a question about its solution has no answer.

use std::fmt;

use crate::explore::ExploreError;
use crate::solution::SolveError;

/// Why a game could not be solved, or a question about its solution has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameError {
    /// The states could not be explored.
    Explore(ExploreError),
    /// The model could not be solved.
    Solve(SolveError),
    /// The state is unknown: it cannot be reached from any start of the game.
    UnknownState {
        /// The state, as `Debug` writes it.
        state: String,
    },
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Explore(error) => error.fmt(f),
            Self::Solve(error) => error.fmt(f),
            Self::UnknownState { state } => write!(f, "a state cannot be reached from any start ({state})"),
        }
    }
}

impl std::error::Error for GameError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Explore(error) => error.source(),
            Self::Solve(error) => error.source(),
            Self::UnknownState { .. } => None,
        }
    }
}

impl From<ExploreError> for GameError {
    fn from(error: ExploreError) -> Self {
        Self::Explore(error)
    }
}

impl From<SolveError> for GameError {
    fn from(error: SolveError) -> Self {
        Self::Solve(error)
    }
}
