//! Failures of questions, with what is known.

use mdp::{BuildError, SolveError, Value, decimal_text};
use model_questions::{Unanswered, Unprepared, Unusable};

use crate::output::Failure;

/// The failure of a run without an answer, with the bounds of the first of these states if they are known.
pub fn unanswered<A>(why: &Unanswered<A>, states: &[u32], value: impl Fn(&A, u32) -> Option<Value>) -> Failure {
    const MOST_SHOWN: usize = 8;
    let failure = unsolved(&why.error);
    let Some(known) = &why.known else { return failure };
    let values: Vec<String> = states
        .iter()
        .take(MOST_SHOWN)
        .filter_map(|state| {
            let Value { lower, upper, .. } = value(known, *state)?;
            Some(format!("state {state} is between {} and {}", decimal_text(lower), decimal_text(upper)))
        })
        .collect();
    failure.knowing(&values.join(", "))
}

/// The failure of a question that the engine cannot represent.
pub fn unprepared(error: &Unprepared) -> Failure {
    match error {
        Unprepared::Build(BuildError::Stopped(stopped)) => Failure::from(*stopped),
        Unprepared::Undefined(Unusable { problem, remedy }) => Failure::bad_input(problem, remedy),
        error @ Unprepared::Build(_) => Failure::bad_input(error, "is the model within the documented limits?"),
    }
}

/// The failure of a run without a solution.
pub fn unsolved(error: &SolveError) -> Failure {
    match error {
        SolveError::Stopped(stopped) | SolveError::StoppedWithBounds { stopped, .. } => Failure::from(*stopped),
        SolveError::ValueTooLarge => {
            Failure::failed(error, "divide all rewards of the model by the same large number, and multiply the answer")
        }
        error => Failure::failed(error, "raise --max-memory, or leave out --exact"),
    }
}
