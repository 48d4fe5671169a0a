//! What stood in the way of a solution.

use mdp::{BuildError, SolveError};

use crate::problem::Problem;

/// A model without a solution.
pub fn unsolved(error: &SolveError) -> Problem {
    match error {
        SolveError::Stopped(stopped) | SolveError::StoppedWithBounds { stopped, .. } => Problem::stopped(stopped),
        error => {
            Problem::impossible(error, "start the Explorer with a higher --max-memory, or ask without exact values")
        }
    }
}

/// A model that the engine does not take.
pub fn unprepared(error: &BuildError) -> Problem {
    match error {
        BuildError::Stopped(stopped) => Problem::stopped(stopped),
        error => Problem::impossible(error, "is the model within the documented limits?"),
    }
}
