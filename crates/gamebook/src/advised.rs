//! What to do in a section, best first.

use std::cmp::Ordering;

use mdp::{ExploreOptions, Value};

use crate::book::Book;
use crate::solved::{Advice, Question, SolveBookError, Solved};

impl Solved {
    /// Solves a book from where the hero stands, and lists the answers to the first question there, best first; empty where
    /// nothing is asked before chance has its say. Where the book is surely won all answers are looked at all the same.
    ///
    /// ```
    /// # use gamebook::{Question, Solved, read};
    /// # let text = r#"
    /// #     book "Doors" format=1 rules="lone-wolf"
    /// #     start 1
    /// #     goal 2
    /// #     hero { combat-skill 15; endurance 25; }
    /// #     section 1 { choice "left" { death "a pit"; }; choice "right" { goto 2; }; }
    /// #     section 2 { victory; }
    /// # "#;
    /// let (book, _) = read(text)?;
    /// let (solved, answers) = Solved::advised(&book, &Question::new(&book), &mdp::ExploreOptions::default())?;
    /// assert_eq!(solved.win().decimal(), 1.0);
    /// assert_eq!((answers[0].label.as_str(), answers[0].best), ("right", true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solved::new`].
    pub fn advised(
        book: &Book,
        question: &Question,
        options: &ExploreOptions<'_>,
    ) -> Result<(Self, Vec<Advice>), SolveBookError> {
        let mut solved = Self::new(book, question, options)?;
        let mut answers = solved.advise();
        if solved.win().lower >= 1.0 && answers.iter().any(|answer| answer.win.is_none()) {
            // One answer surely wins: what follows the others was not looked at.
            let mut question = question.clone();
            question.analyses.sure = false;
            solved = Self::new(book, &question, options)?;
            answers = solved.advise();
        }
        answers.sort_by(Advice::best_first);
        Ok((solved, answers))
    }
}

impl Advice {
    /// The order of the best answers first, and of those whose worth is not known last.
    pub fn best_first(&self, other: &Self) -> Ordering {
        let worth = |answer: &Self| answer.win.as_ref().map_or(-1.0, Value::decimal);
        other.best.cmp(&self.best).then_with(|| worth(other).total_cmp(&worth(self)))
    }
}
