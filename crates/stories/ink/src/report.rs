//! What a story is worth: its endings, knots and faults, under best play and under a reader who answers at random.

use std::collections::BTreeMap;

use budget::{Budget, Stopped};
use mdp::{GameError, Probability, Solved, Value};

use crate::explored::{Explored, Played, Reader, Told};
use crate::game::{Ending, Fault, InkGame};
use crate::runner::StepLimits;
use crate::story::Story;

/// How a story is explored and solved.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ReportOptions<'a> {
    /// What it may use, and who watches; `None` for a budget of its own with the default limits. What it stops is told within
    /// bounds.
    pub budget: Option<&'a Budget<'a>>,
    /// What one step may take.
    pub step: StepLimits,
    /// Whether values and probabilities are exact.
    pub exact: bool,
}

impl<'a> ReportOptions<'a> {
    /// The same within this budget.
    #[must_use]
    pub fn with_budget(self, budget: &'a Budget<'a>) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// The same with these limits of a step.
    #[must_use]
    pub fn with_step(self, step: StepLimits) -> Self {
        Self { step, ..self }
    }

    /// The same, exactly or not.
    #[must_use]
    pub fn with_exact(self, exact: bool) -> Self {
        Self { exact, ..self }
    }
}

/// What a story is worth, and where it ends.
#[derive(Clone, Debug)]
pub struct Report {
    /// The probability that best play attains the goal; bounds if not everything was explored.
    pub value: Value,
    /// The same for a reader who answers at random.
    pub random_value: Value,
    /// Where best play comes by and ends. If not everything was explored it is a play that attains the lower bound.
    pub best: Shares,
    /// Where a reader comes by and ends who takes each choice with the same probability.
    pub random: Shares,
    /// Where the story breaks off, the likeliest for the reader at random first.
    pub faults: Vec<FoundFault>,
    /// How many situations ask for a choice, as far as they were found.
    pub situations: usize,
    /// Why not everything was explored; nothing if it was.
    pub stopped: Option<Stopped>,
}

/// With which probabilities a reader comes by and ends where.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    /// All endings that were found, the won ones first, with the probability to end there.
    pub endings: Vec<(Ending, Probability)>,
    /// All knots and stitches in the order of the story, with the probability to ever come by.
    pub knots: Vec<(String, Probability)>,
    /// The probability to come to a fault.
    pub faults: f64,
    /// The probability to come to where nothing was explored.
    pub open: f64,
    /// The probability never to end.
    pub forever: f64,
}

/// A fault with the way to it.
#[derive(Clone, Debug)]
pub struct FoundFault {
    /// What and where.
    pub fault: Fault,
    /// The texts of the choices on one way to it.
    pub way: Vec<String>,
    /// The probability that the reader at random comes to it.
    pub share: f64,
}

impl Story {
    /// Explores and solves the story.
    ///
    /// # Errors
    /// When what was explored cannot be solved within the limits.
    pub fn report(&self, options: &ReportOptions<'_>) -> Result<Report, GameError> {
        let own = Budget::default();
        let budget = options.budget.unwrap_or(&own);
        let game = InkGame::new(self, options.step);
        let explored = Explored::of(&game, budget);
        let solve = |reader| explored.solved(&game, reader, options.exact, budget);
        let ((best, best_most), (random, random_most)) = (solve(Reader::Best)?, solve(Reader::Random)?);
        let value = |least: &Solved<Played<'_>>, most: Option<Solved<Played<'_>>>| {
            between(least.start_value(), most.map(|most| most.start_value()))
        };
        let view = View { game: &game, explored: &explored };
        Ok(Report {
            value: value(&best, best_most),
            random_value: value(&random, random_most),
            best: view.shares(&best)?,
            random: view.shares(&random)?,
            faults: view.faults(&random)?,
            situations: explored.situations(),
            stopped: explored.stopped,
        })
    }
}

/// From the least to the most that something is worth; the least is all of it where nothing more is said.
pub(crate) fn between(lower: Value, upper: Option<Value>) -> Value {
    match upper {
        Some(upper) if lower.exact.is_none() || lower.exact != upper.exact => {
            Value { lower: lower.lower, upper: upper.upper, exact: None }
        }
        _ => lower,
    }
}

struct View<'a> {
    game: &'a InkGame,
    explored: &'a Explored,
}

impl View<'_> {
    fn shares(&self, solved: &Solved<Played<'_>>) -> Result<Shares, GameError> {
        let visits = solved.visits()?;
        let mut shares = Shares { forever: 1.0, ..Shares::default() };
        let mut endings: BTreeMap<(bool, Ending), u32> = BTreeMap::new();
        for (number, state) in (0..).zip(&self.explored.states) {
            if let Some(ending) = self.game.ending(state) {
                endings.insert((!ending.won, ending), number);
            }
        }
        for ((_, ending), state) in endings {
            let probability = visits.probability(&state);
            shares.endings.push((ending, probability));
        }
        for (state, probability) in visits.finished() {
            let place = *state as usize;
            shares.forever -= probability.decimal();
            if matches!(self.explored.told[place], Told::Open) {
                shares.open += probability.decimal();
            } else if self.game.fault(&self.explored.states[place]).is_some() {
                shares.faults += probability.decimal();
            }
        }
        shares.forever = if shares.forever < 1e-9 { 0.0 } else { shares.forever };
        let passed: Vec<Vec<u32>> = self.explored.states.iter().map(|state| self.game.passed(state)).collect();
        for (number, knot) in (0..).zip(self.game.story().knots()) {
            let by = visits.by_key(|state| passed[*state as usize].contains(&number))?;
            shares.knots.push((knot.to_owned(), by.get(&true).cloned().unwrap_or_default()));
        }
        Ok(shares)
    }

    fn faults(&self, random: &Solved<Played<'_>>) -> Result<Vec<FoundFault>, GameError> {
        let visits = random.visits()?;
        let mut faults: Vec<FoundFault> = Vec::new();
        for (number, state) in (0..).zip(&self.explored.states) {
            if let Some(fault) = self.game.fault(state) {
                let share = visits.probability(&number).decimal();
                faults.push(FoundFault { fault, way: self.explored.way(number), share });
            }
        }
        faults.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.fault.cmp(&b.fault)));
        Ok(faults)
    }
}
