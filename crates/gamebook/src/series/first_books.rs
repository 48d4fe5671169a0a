//! A bound for a series that was not looked at whole: who wins it has won its first books.

use budget::{Budget, Reason};
use mdp::ExploreOptions;

use super::shelf::Apart;
use super::{Series, SeriesQuestion, Shelf, value};
use crate::solved::SolveBookError;

/// What part of the time that is left the first books have.
const PART: f64 = 0.5;

impl Series {
    /// What the series is worth at most, as far as the books up to this one tell, or up to the one before the last. Of
    /// what they leave behind only what they need themselves counts, so they are much less than the first books of the
    /// whole. What they come to themselves if a limit is in the way is told by fewer books.
    pub(super) fn at_most(
        &self,
        book: usize,
        question: &SeriesQuestion,
        shelf: &dyn Shelf,
        options: &ExploreOptions<'_>,
    ) -> Result<f64, SolveBookError> {
        let count = (book + 1).min(self.books.len() - 1);
        if count <= question.book {
            return Ok(1.0);
        }
        let first = Self { title: self.title.clone(), books: self.books[..count].to_vec() };
        let unlimited = Budget::default();
        let budget = options.budget.unwrap_or(&unlimited).part(PART);
        let options = options.with_budget(&budget);
        let own = Apart { shelf, name: format!("first-{count}") };
        let found = first.staged(question, &budget).and_then(|(machine, stages)| {
            let known = |stage: usize| Ok([0.0, first.at_most(stages[stage].book, question, &own, &options)?]);
            value(question, &machine, &own, &options, &known).map(|(win, _)| win)
        });
        match found {
            Ok(win) | Err(SolveBookError::StoppedWithBounds { win, .. }) => Ok(win.upper),
            Err(SolveBookError::Stopped(stopped)) if stopped.reason != Reason::Interrupted => Ok(1.0),
            Err(error) => Err(error),
        }
    }
}
