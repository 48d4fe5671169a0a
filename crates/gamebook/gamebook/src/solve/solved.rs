//! A solved book.

mod answers;
mod standing;

use std::collections::BTreeMap;

use budget::Budget;
use mdp::advanced::in_own_pool;
use mdp::rows::{RowSpace, explore_by_rows};
use mdp::{ExploreOptions, Rational, Solution, SolveError, SolveOptions, StateId, Value, solve};

use super::question::Question;
use super::refine::Refined;
use super::solve_error::SolveBookError;
use crate::book::Book;
use crate::machine::Machine;
use crate::program::State;
use crate::terms::SectionNumber;

pub(crate) use answers::Stops;

/// A book solved for a hero.
#[derive(Debug)]
pub struct Solved {
    machine: Machine,
    /// The game without reductions, which keeps all the hero's possessions.
    whole: Machine,
    space: RowSpace<State>,
    solution: Solution,
    /// Exact values for the states of optimal play, if the others are not solved exactly.
    refined: Option<Refined>,
}

impl Solved {
    /// Solves a book.
    ///
    /// ```
    /// use gamebook::{Question, Solved, read};
    /// use mdp::{ExploreOptions, ratio};
    ///
    /// // Bet until you have two crowns or none.
    /// let text = r#"
    ///     book "Bets" format=1 rules="lone-wolf"
    ///     start 1
    ///     goal 2
    ///     hero { combat-skill 15; endurance 25; gold 1; }
    ///     section 1 {
    ///         choice "pay" { require "gold >= 2"; goto 2; }
    ///         choice "bet" { require "gold >= 1"; pick { when 0 3 { gain gold 1; }; else { lose gold 1; }; }; goto 1; }
    ///         choice "beg" { require "gold = 0"; death "hunger"; }
    ///     }
    ///     section 2 { victory; }
    /// "#;
    /// let (book, _) = read(text)?;
    /// let question = Question { exact: true, ..Question::new(&book) };
    /// let solved = Solved::new(&book, &question, &ExploreOptions::default())?;
    /// assert_eq!(solved.win().exact, Some(ratio(2, 5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the hero or his situation is impossible, a section does not exist, or a limit is reached.
    pub fn new(book: &Book, question: &Question, options: &ExploreOptions<'_>) -> Result<Self, SolveBookError> {
        in_own_pool(options.threads, |_| {
            let own = Budget::default();
            let machine = question.machine(book, options.budget.unwrap_or(&own))?;
            Self::side_by_side(machine, question, options)
        })
    }

    /// Solves the game of a question.
    pub(crate) fn of(
        machine: Machine,
        question: &Question,
        options: &ExploreOptions<'_>,
    ) -> Result<Self, SolveBookError> {
        in_own_pool(options.threads, |_| Self::side_by_side(machine, question, options))
    }

    /// The same within the thread pool.
    fn side_by_side(
        machine: Machine,
        question: &Question,
        options: &ExploreOptions<'_>,
    ) -> Result<Self, SolveBookError> {
        let space = explore_by_rows(&machine, options)?;
        let refine = question.exact && machine.program.sheet.stats.is_some() && space.model().states() > MOST_EXACT;
        let exact = question.exact && !refine;
        let solve = || solve(space.model(), &SolveOptions::from(*options).with_exact(exact));
        let (solved, whole) = rayon::join(solve, || machine.whole(question.analyses.fold));
        let solution = solved.map_err(|error| match error {
            SolveError::StoppedWithBounds { stopped, bounds } => {
                SolveBookError::StoppedWithBounds { stopped, win: bounds.value_of(&space.starts()[0]) }
            }
            error => error.into(),
        })?;
        let refined = if refine {
            Some(Refined::new(space.model(), &solution, &space.starts()[0], &SolveOptions::from(*options))?)
        } else {
            None
        };
        Ok(Self { machine, whole, space, solution, refined })
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        self.space.bytes() + self.solution.bytes() + self.machine.bytes() + self.whole.bytes()
    }

    /// The probability of winning.
    pub fn win(&self) -> Value {
        let start = &self.space.starts()[0];
        match start.iter().next() {
            Some((only, _)) if start.iter().len() == 1 => probability(self.value(*only)),
            _ => probability(self.solution.value_of(start)),
        }
    }

    /// The value of a state of the reduced game, exact if known.
    fn value(&self, state: StateId) -> Value {
        let refined = self.refined.as_ref().and_then(|own| own.value(self.space.model(), &self.solution, state));
        refined.unwrap_or_else(|| self.solution.value(state))
    }

    /// The states of the reduced game, by rows.
    pub fn space(&self) -> &RowSpace<State> {
        &self.space
    }

    /// The number of a state of the reduced game; `None` if it is not reachable.
    fn number_of(&self, state: &State) -> Option<StateId> {
        self.space.number_of_state(&self.machine, state)
    }

    /// The number of states of the reduced game in each section, the largest first. Equivalent sections share their states,
    /// which count for one of them.
    pub fn states_by_section(&self) -> Vec<(SectionNumber, u64)> {
        let mut counts = BTreeMap::<SectionNumber, u64>::new();
        for (row, ..) in self.space.states() {
            *counts.entry(self.machine.section(row)).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, states)| std::cmp::Reverse(*states));
        counts
    }

    /// The solution of the reduced game.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// The reduced game.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The same game without reductions.
    pub(crate) fn whole(&self) -> &Machine {
        &self.whole
    }
}

/// In larger books with a system of rules only the states of optimal play are solved exactly.
const MOST_EXACT: StateId = 50_000;

/// Bounds clamped to probabilities.
pub(crate) fn probability(value: Value) -> Value {
    Value { lower: value.lower.max(0.0), upper: value.upper.min(1.0), ..value }
}

/// The mean of values with these probabilities. Bounds are widened by the rounding of the sum.
pub(crate) fn mean(values: Vec<(Rational, Value)>) -> Value {
    let (mut lower, mut upper) = (0.0f64, 0.0f64);
    let mut exact = Some(Rational::ZERO);
    let terms = u32::try_from(values.len()).unwrap_or(u32::MAX);
    for (probability, value) in values {
        let weight = mdp::nearest(&probability);
        lower += weight * value.lower;
        upper += weight * value.upper;
        exact = exact.zip(value.exact).map(|(sum, value)| sum + value * probability);
    }
    if let Some(exact) = exact {
        return Value::exactly(exact);
    }
    // Each weight, product and sum has a relative error of at most 2^-53, or an error below the smallest normal number.
    let slack = f64::from(terms.saturating_add(8)) * f64::EPSILON;
    let least = f64::MIN_POSITIVE;
    probability(Value { lower: lower * (1.0 - slack) - least, upper: upper * (1.0 + slack) + least, exact: None })
}
