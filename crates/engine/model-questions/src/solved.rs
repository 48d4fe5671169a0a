//! An answer of either kind, with the requested precision.

use budget::{Reason, Stopped};
use mdp::{SolveError, SolveOptions, Value};

use crate::answer::Answer;
use crate::unfold::UnfoldedAnswer;

/// An answer with bounds on steps or rewards, or one without.
#[derive(Debug)]
pub enum Solved {
    /// Without such bounds: all states have a value.
    Reached(Answer),
    /// With such bounds: the requested states have a value.
    Unfolded(UnfoldedAnswer),
}

impl Solved {
    /// A value as it is reported, `exact` or by its bounds; `None`: infinite.
    pub fn value(&self, state: u32, exact: bool) -> Option<Value> {
        let value = match self {
            Self::Reached(answer) => answer.value(state),
            Self::Unfolded(answer) => answer.value(state),
        };
        value.map(|value| if exact { value } else { Value { exact: None, ..value } })
    }

    /// Whether the bounds of these states differ by no more than this share of each value.
    fn is_within(&self, mut states: impl Iterator<Item = u32>, share: f64) -> bool {
        states.all(|state| self.value(state, false).is_none_or(|value| value.is_within(share)))
    }

    /// Computes exact values where the bounds of these states differ by more than this share of each value, if the
    /// limits allow it. Returns whether the requested precision is attained.
    ///
    /// # Errors
    /// When the run is interrupted. If a limit ends it, the answer stays as it is.
    pub fn sharpen(
        &mut self,
        states: impl Iterator<Item = u32> + Clone,
        share: f64,
        options: &SolveOptions<'_>,
    ) -> Result<bool, Stopped> {
        if options.exact || self.is_within(states.clone(), share) {
            return Ok(true);
        }
        let exact = options.with_exact(true);
        let again = match self {
            Self::Reached(answer) => answer.solve_again(&exact),
            Self::Unfolded(answer) => answer.solve_again(&exact),
        };
        match again {
            Err(SolveError::Stopped(stopped) | SolveError::StoppedWithBounds { stopped, .. })
                if stopped.reason == Reason::Interrupted =>
            {
                Err(stopped)
            }
            _ => Ok(self.is_within(states, share)),
        }
    }
}
