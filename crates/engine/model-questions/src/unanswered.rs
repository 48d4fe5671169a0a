//! Questions without an answer, and the bounds known so far.

use mdp::{Solution, SolveError};

/// Why there is no answer, and the bounds known so far.
#[derive(Debug)]
pub struct Unanswered<A> {
    /// Why.
    pub error: SolveError,
    /// Bounds of all values, where exact ones were wanted.
    pub known: Option<A>,
}

/// The answer of a solution, or the bounds known without one.
pub(crate) fn answered<A>(
    solved: Result<Solution, SolveError>,
    answer: impl FnOnce(Solution) -> A,
) -> Result<A, Box<Unanswered<A>>> {
    match solved {
        Ok(solution) => Ok(answer(solution)),
        Err(SolveError::StoppedWithBounds { stopped, bounds }) => {
            Err(Box::new(Unanswered { error: stopped.into(), known: Some(answer(*bounds)) }))
        }
        Err(error) => Err(Box::new(Unanswered { error, known: None })),
    }
}
