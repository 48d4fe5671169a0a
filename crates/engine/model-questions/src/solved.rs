//! An answer of either kind, as near to the truth as was asked for.

use budget::{Reason, Stopped};
use mdp::{SolveError, SolveOptions, Value};

use crate::answer::Answer;
use crate::unfold::UnfoldedAnswer;

/// An answer with bounds on steps or rewards, or one without.
#[derive(Debug)]
pub enum Solved {
    /// Without such bounds: all states have a value.
    Reached(Answer),
    /// With such bounds: the states that were asked for have one.
    Unfolded(UnfoldedAnswer),
}

impl Solved {
    /// A value as it is told, `exact` or by its bounds; `None`: infinite.
    pub fn value(&self, state: u32, exact: bool) -> Option<Value> {
        let value = match self {
            Self::Reached(answer) => answer.value(state),
            Self::Unfolded(answer) => answer.value(state),
        };
        value.map(|value| if exact { value } else { Value { exact: None, ..value } })
    }

    /// Whether the bounds of these states are no further apart than this share of each value.
    fn is_within(&self, mut states: impl Iterator<Item = u32>, share: f64) -> bool {
        states.all(|state| self.value(state, false).is_none_or(|value| value.is_within(share)))
    }

    /// Where the bounds of these states are further apart than this share of each value, exact values take their place, if
    /// the limits allow it. Whether they are as near now as was asked for.
    ///
    /// # Errors
    /// When somebody interrupts it. Where a limit ends it what was known stays.
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
