//! A series walked through: its game made ready for a play or solved whole.

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
    /// The game of the series, made ready to be played by who is asked about: a [`Question`] about [`told`](Self::told),
    /// from its start to its goals. Who begins in a later book than the first has the items and flags of that one.
    ///
    /// # Errors
    /// As [`machine`](Self::machine).
    pub fn ready(&self, question: &Question, budget: &Budget<'_>) -> Result<Machine, SolveBookError> {
        self.machine(&self.asked(question), budget)
    }

    /// The series solved whole, in memory: what a play takes its hints from. Larger ones are only
    /// [solved in parts](Self::solve).
    ///
    /// # Errors
    /// As [`ready`](Self::ready), or when a limit is reached.
    pub fn solved(&self, question: &Question, options: &ExploreOptions<'_>) -> Result<Solved, SolveBookError> {
        let own = Budget::default();
        let machine = self.ready(question, options.budget.unwrap_or(&own))?;
        Solved::of(machine, question, options)
    }

    /// The series solved whole, and what every answer to the first question is worth, the best first: advice for who stands
    /// in a section of any book, as far as all that follows is solved in memory.
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

    /// How likely a hero who plays the whole series best, as this journey through it from its beginning does, begins each
    /// book, and wins it.
    pub fn fares(&self, journey: &Journey) -> Vec<BookReached> {
        let visited = |section: SectionNumber| {
            let visit = journey.sections.iter().find(|visit| visit.section == section);
            visit.map_or(0.0, |visit| visit.visited)
        };
        let begun = self.books.iter().zip(self.first_numbers()).skip(1);
        let begun = begun.map(|(own, first)| visited(first.saturating_add(own.book.start)));
        let reached: Vec<f64> = [1.0].into_iter().chain(begun).chain([journey.win.decimal()]).collect();
        reached.windows(2).map(|own| BookReached { reached: own[0], win: own[1] }).collect()
    }

    /// What a question about the whole asks of the series.
    pub fn asked(&self, question: &Question) -> SeriesQuestion {
        let Question { hero, situation, start, analyses, exact, .. } = question.clone();
        let (book, start) = self.place_of(start);
        SeriesQuestion { book, start, hero, situation, analyses, exact, ..SeriesQuestion::new(self) }
    }
}
