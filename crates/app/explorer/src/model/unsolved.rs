//! What stood in the way of a solution.

use crate::question::Problem;
use mdp::{BuildError, SolveError};
use model_questions::{Unprepared, Unusable};

/// A model without a solution.
pub fn unsolved(error: &SolveError) -> Problem {
    match error {
        SolveError::Stopped(stopped) | SolveError::StoppedWithBounds { stopped, .. } => Problem::stopped(stopped),
        error => {
            Problem::impossible(error, "start the Explorer with a higher --max-memory, or ask without exact values")
        }
    }
}

/// A question that cannot be put to the engine.
pub fn unprepared(error: &Unprepared) -> Problem {
    match error {
        Unprepared::Build(BuildError::Stopped(stopped)) => Problem::stopped(stopped),
        Unprepared::Undefined(Unusable { problem, remedy }) => Problem::impossible(problem, remedy),
        error @ Unprepared::Build(_) => Problem::impossible(error, "is the model within the documented limits?"),
    }
}
