//! A bound for a series that was not looked at whole: who wins it has won its first books.

use mdp::ExploreOptions;

use super::SeriesQuestion;
use super::beside::Apart;
use super::shelf::Shelf;
use crate::book::Series;
use crate::solve::solve_error::SolveBookError;

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
        let first = Self { title: self.title.clone(), books: self.books[..count].to_vec(), mark: self.mark };
        let own = Apart { shelf, name: format!("first-{count}") };
        let fewer =
            |book: usize, options: &ExploreOptions<'_>| Ok([0.0, first.at_most(book, question, &own, options)?]);
        Ok(first.beside(question, &own, PART, options, &fewer)?.map_or(1.0, |win| win.upper))
    }
}
