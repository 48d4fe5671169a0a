//! What is checked against the budget between batches.

use budget::{Budget, Progress, Reason, Stage, Stopped};

use super::error::ExploreError;
use crate::model::MOST_STATES;

/// How far a search has come, and what its next step could need.
pub(super) struct Reach {
    pub progress: Progress,
    /// Whether there are more states than numbers.
    pub too_large: bool,
    /// Bytes of the largest array that may grow.
    pub largest: u64,
    /// An upper bound of the bytes needed to put the states in order.
    pub to_order: u64,
}

impl Reach {
    /// Checks whether the search may go on.
    pub(super) fn check(self, budget: &Budget<'_>) -> Result<(), ExploreError> {
        let Self { progress, too_large, largest, to_order } = self;
        budget.advance(progress)?;
        budget.states(progress.done)?;
        if too_large {
            return Err(Stopped { reason: Reason::States { limit: MOST_STATES.into() }, progress }.into());
        }
        // Growing doubles an array: the largest step before the next check.
        let exploring = progress.stage == Stage::Exploring;
        let growth = if exploring { largest } else { 0 };
        // The whole process may use more than is counted here.
        budget.more_memory(if exploring { growth } else { to_order })?;
        Ok(budget.memory(progress.memory + to_order.max(growth))?)
    }
}
