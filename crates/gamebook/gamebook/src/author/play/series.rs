//! Continuing a series with a corrected sheet.

use budget::Budget;
use mdp::ExploreOptions;

use super::sheet::Corrected;
use crate::book::Series;
use crate::machine::Machine;
use crate::solve::{Question, SolveBookError, Solved};

impl Series {
    /// The game that continues with a corrected sheet.
    ///
    /// # Errors
    /// As [`Corrected::machine`].
    pub fn ready_corrected(&self, from: &Corrected, budget: &Budget<'_>) -> Result<Machine, SolveBookError> {
        let compiled = |question: &Question| {
            let (starting, _) = self.compiled(&self.asked(question), budget)?;
            Ok(starting)
        };
        from.going_on(&compiled, budget)
    }

    /// The series solved as a whole from a corrected sheet on.
    ///
    /// # Errors
    /// As [`solved`](Self::solved) and [`ready_corrected`](Self::ready_corrected).
    pub fn solved_corrected(&self, from: &Corrected, options: &ExploreOptions<'_>) -> Result<Solved, SolveBookError> {
        let own = Budget::default();
        let machine = self.ready_corrected(from, options.budget.unwrap_or(&own))?;
        Solved::of(machine, from.question(), options)
    }
}
