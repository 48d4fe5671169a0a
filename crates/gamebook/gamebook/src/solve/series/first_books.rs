//! An upper bound for a series: winning it requires winning its first books.

use mdp::ExploreOptions;

use super::SeriesQuestion;
use super::beside::PrefixedShelf;
use super::shelf::Shelf;
use crate::book::Series;
use crate::solve::solve_error::SolveBookError;

/// The part of the remaining time for the first books.
const PART: f64 = 0.5;

impl Series {
    /// An upper bound of the series from the books up to this one, or up to the last but one. Only what they need themselves is
    /// kept in a state, so they are much smaller than the same books in the whole series. If a limit stops them, fewer books
    /// give a bound in turn.
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
        let first = Self { title: self.title.clone(), books: self.books[..count].to_vec(), mark: self.mark };
        let own = PrefixedShelf { shelf, name: format!("first-{count}") };
        let fewer =
            |book: usize, options: &ExploreOptions<'_>| Ok([0.0, first.at_most(book, question, &own, options)?]);
        Ok(first.beside(question, &own, PART, options, &fewer)?.map_or(1.0, |win| win.upper))
    }
}
