//! Optimal play of a book, followed in another book that differs only in numbers.

use budget::Budget;
use mdp::{ExploreOptions, SolveOptions, Value, explore, solve};

use crate::book::Book;
use crate::machine::Move;
use crate::program::{Program, State};
use crate::solve::{PolicyGame, Question, SolveBookError, Solved, probability};

impl Solved {
    /// The probability of winning another book with the policy that is optimal in this one, if the two differ only so little
    /// that every state of one has a counterpart in the other; else `None`. Optimal play of the other book wins at least as
    /// often.
    ///
    /// ```
    /// use gamebook::{Question, Solved, read};
    /// use mdp::{ExploreOptions, ratio};
    ///
    /// let text = |gold: u8| format!(r#"
    ///     book "Toll" format=1 rules="lone-wolf"
    ///     start 1
    ///     goal 3
    ///     hero {{ combat-skill 15; endurance 25; gold {gold}; }}
    ///     section 1 {{ choice "pay" {{ require "gold >= 5"; goto 3; }}; choice "swim" {{ goto 2; }}; }}
    ///     section 2 {{ pick {{ when 0 3 {{ goto 3; }}; else {{ death; }}; }}; }}
    ///     section 3 {{ victory; }}
    /// "#);
    /// let (book, _) = read(&text(4))?;
    /// let (richer, _) = read(&text(5))?;
    /// let options = ExploreOptions::default();
    /// let solved = Solved::new(&book, &Question::new(&book), &options)?;
    /// // With this policy a hero never had five crowns, so it takes the first answer.
    /// let win = solved.followed_in(&richer, &Question { exact: true, ..Question::new(&richer) }, &options)?;
    /// assert_eq!(win.and_then(|win| win.exact), Some(ratio(1, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solved::new`].
    pub fn followed_in(
        &self,
        book: &Book,
        question: &Question,
        options: &ExploreOptions<'_>,
    ) -> Result<Option<Value>, SolveBookError> {
        let own = Budget::default();
        let machine = question.machine(book, options.budget.unwrap_or(&own))?.whole(question.analyses.fold);
        if !are_alike(&machine.program, &self.whole().program) {
            return Ok(None);
        }
        let choose = |state: &State, moves: &[Move]| self.choose(state, moves);
        let space = explore(&PolicyGame::answered(&machine, choose, None), options)?;
        let solution = solve(space.model(), &SolveOptions::from(*options).with_exact(question.exact))?;
        Ok(Some(probability(solution.value_of(&space.starts()[0]))))
    }
}

/// Whether two programs have the same registers, and the same steps up to numbers.
fn are_alike(left: &Program, right: &Program) -> bool {
    let kinds = |program: &Program| -> Vec<(std::mem::Discriminant<_>, Vec<u32>)> {
        let step = |place: u32| {
            let step = &program.steps[place as usize];
            let mut next = Vec::new();
            step.successors(place, &mut next);
            (std::mem::discriminant(step), next)
        };
        program.places().map(step).collect()
    };
    let ranges = |program: &Program| -> Vec<(i32, i32)> {
        let registers = program.layout.registers();
        (0..).take(registers).map(|register| program.layout.range(register)).collect()
    };
    ranges(left) == ranges(right)
        && left.start == right.start
        && left.sections == right.sections
        && kinds(left) == kinds(right)
}
