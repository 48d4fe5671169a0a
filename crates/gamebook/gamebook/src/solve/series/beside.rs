//! Smaller problems that bound a series, solved with a part of the time and under names of their own on the shelf.

use budget::{Budget, Reason};
use mdp::{ExploreOptions, Value};

use super::shelf::Shelf;
use super::{SeriesQuestion, value};
use crate::book::Series;
use crate::solve::solve_error::SolveBookError;

/// Bounds of a series.
type Within = Result<[f64; 2], SolveBookError>;

/// A shelf with a prefix for the names of parts.
pub(super) struct PrefixedShelf<'a> {
    pub shelf: &'a dyn Shelf,
    /// The prefix.
    pub name: String,
}

impl PrefixedShelf<'_> {
    fn own(&self, name: &str) -> String {
        format!("{}-{name}", self.name)
    }
}

impl Shelf for PrefixedShelf<'_> {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        self.shelf.load(&self.own(name))
    }

    fn keep(&self, name: &str, part: &[u8]) -> Result<(), String> {
        self.shelf.keep(&self.own(name), part)
    }

    fn anew(&self, name: &str, why: &str) {
        self.shelf.anew(&self.own(name), why);
    }
}

impl Series {
    /// Bounds of this series, computed in a part of the remaining time; `None` if nothing was found. If a limit stops a book,
    /// `known` is called as by [`Staged::solve`](super::staged::Staged::solve), within these limits.
    pub(super) fn beside(
        &self,
        question: &SeriesQuestion,
        shelf: &PrefixedShelf<'_>,
        part: f64,
        options: &ExploreOptions<'_>,
        known: &dyn Fn(usize, &ExploreOptions<'_>) -> Within,
    ) -> Result<Option<Value>, SolveBookError> {
        let unlimited = Budget::default();
        let budget = options.budget.unwrap_or(&unlimited).part(part);
        let options = options.with_budget(&budget);
        let found = self.staged(question, &budget).and_then(|(machine, stages)| {
            let known = |stage: usize| known(stages[stage].book, &options);
            value(question, &machine, shelf, &options, &known).map(|(win, _)| win)
        });
        match found {
            Ok(win) | Err(SolveBookError::StoppedWithBounds { win, .. }) => Ok(Some(win)),
            Err(SolveBookError::Stopped(stopped)) if stopped.reason != Reason::Interrupted => Ok(None),
            Err(error) => Err(error),
        }
    }
}
