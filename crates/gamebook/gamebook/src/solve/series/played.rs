//! A series as a single game, for playing it or solving it in memory.

use budget::Budget;
use mdp::ExploreOptions;

use super::{BookReached, SeriesQuestion};
use crate::book::Series;
use crate::machine::Machine;
use crate::solve::advice::{Advice, advised};
use crate::solve::journey::Journey;
use crate::solve::question::Question;
use crate::solve::solve_error::SolveBookError;
use crate::solve::solved::Solved;
use crate::terms::SectionNumber;

impl Series {
    /// The game of the series for a [`Question`] about [the series as one book](Self::as_one_book). If play begins in a later book, the hero has the
    /// items and flags of that book.
    ///
    /// # Errors
    /// As [`machine`](Self::machine).
    pub fn ready(&self, question: &Question, budget: &Budget<'_>) -> Result<Machine, SolveBookError> {
        self.machine(&self.asked(question), budget)
    }

    /// The series solved as a whole, in memory: the source of hints during a play. Larger series can only be [solved in
    /// parts](Self::solve).
    ///
    /// # Errors
    /// As [`ready`](Self::ready), or when a limit is reached.
    pub fn solved(&self, question: &Question, options: &ExploreOptions<'_>) -> Result<Solved, SolveBookError> {
        let own = Budget::default();
        let machine = self.ready(question, options.budget.unwrap_or(&own))?;
        Solved::of(machine, question, options)
    }

    /// The series solved as a whole, and the worth of each answer to the first question, the best first: advice for a hero in a
    /// section of any book, if all that follows fits in memory.
    ///
    /// # Errors
    /// As [`solved`](Self::solved).
    pub fn advised(
        &self,
        question: &Question,
        options: &ExploreOptions<'_>,
    ) -> Result<(Solved, Vec<Advice>), SolveBookError> {
        advised(question, &|question| self.solved(question, options))
    }

    /// The probabilities of beginning and winning each book under optimal play of the series, from its journey.
    pub fn by_book(&self, journey: &Journey) -> Vec<BookReached> {
        let visited = |section: SectionNumber| {
            let visit = journey.sections.iter().find(|visit| visit.section == section);
            visit.map_or(0.0, |visit| visit.visited)
        };
        let begun = self.books.iter().zip(self.first_numbers()).skip(1);
        let begun = begun.map(|(own, first)| visited(first.saturating_add(own.book.start)));
        let reached: Vec<f64> = [1.0].into_iter().chain(begun).chain([journey.win.decimal()]).collect();
        reached.windows(2).map(|own| BookReached { reached: own[0], win: own[1] }).collect()
    }

    /// The question about the series for a question about its single book.
    pub fn asked(&self, question: &Question) -> SeriesQuestion {
        let Question { hero, situation, start, analyses, exact, .. } = question.clone();
        let (book, start) = self.place_of(start);
        SeriesQuestion { book, start, hero, situation, analyses, exact, ..SeriesQuestion::new(self) }
    }
}
