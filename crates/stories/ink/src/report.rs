//! The value of a story: its endings, knots and faults, under best play and for a reader who chooses at random.

use std::collections::BTreeMap;

use budget::{Budget, Stopped};
use mdp::{ExploreError, GameError, Probability, SolveError, Solved, Value};

use crate::explored::{Expansion, Explored, Played, Reader};
use crate::game::{Ending, Fault, InkGame};
use crate::runner::StepLimits;
use crate::story::Story;

/// Options of exploring and solving a story.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ReportOptions<'a> {
    /// Limits, and where progress is reported; `None` for a budget of its own with the default limits. A story that
    /// exceeds them is reported with bounds.
    pub budget: Option<&'a Budget<'a>>,
    /// The limits of one step.
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

/// The value of a story, and where it ends.
#[derive(Clone, Debug)]
pub struct Report {
    /// The probability that best play attains the goal; bounds if not everything was explored.
    pub value: Value,
    /// The same for a reader who chooses at random.
    pub random_value: Value,
    /// Visits and ends under best play. If not everything was explored it is a play that attains the lower bound.
    pub best: Shares,
    /// Visits and ends for a reader who takes each choice with the same probability.
    pub random: Shares,
    /// The faults of the story, the likeliest for the random reader first.
    pub faults: Vec<ReportedFault>,
    /// The number of discovered situations that ask for a choice.
    pub situations: usize,
    /// Why not everything was explored; `None` if no limit of the run ended it.
    pub stopped: Option<Stopped>,
    /// Whether somewhere a step is not followed: chance has too many ways between two choices, or a variable leads to
    /// where visits are counted otherwise than in ink.
    pub cut: bool,
}

impl Report {
    /// Whether everything was explored.
    pub fn is_whole(&self) -> bool {
        self.stopped.is_none() && !self.cut
    }
}

/// Probabilities of visits and ends.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    /// All discovered endings, the won ones first, with the probability of each.
    pub endings: Vec<(Ending, Probability)>,
    /// All knots and stitches in the order of the story, with the probability of ever visiting each.
    pub knots: Vec<(String, Probability)>,
    /// The probability that this reader wins from the first visit of each of them, on average.
    pub wins: Vec<f64>,
    /// The probability of reaching a fault.
    pub faults: f64,
    /// The probability of reaching an unexplored state.
    pub open: f64,
    /// The probability of never ending.
    pub forever: f64,
}

/// A fault with the path to it.
#[derive(Clone, Debug)]
pub struct ReportedFault {
    /// The fault.
    pub fault: Fault,
    /// The texts of the choices on one path to it.
    pub way: Vec<String>,
    /// The probability that the random reader reaches it.
    pub share: f64,
}

impl Story {
    /// Explores and solves the story.
    ///
    /// Where a limit ends that, what was found by then is the answer: if what was explored is not solved, nothing.
    ///
    /// # Errors
    /// When the explored part cannot be solved.
    pub fn report(&self, options: &ReportOptions<'_>) -> Result<Report, GameError> {
        let own = Budget::default();
        let budget = options.budget.unwrap_or(&own);
        let game = InkGame::new(self, options.step);
        let explored = Explored::of(&game, budget);
        match solved(&game, &explored, options.exact, budget) {
            Err(
                GameError::Explore(ExploreError::Stopped(stopped)) | GameError::Solve(SolveError::Stopped(stopped)),
            ) => Ok(self.unsolved(&explored, stopped)),
            report => report,
        }
    }

    /// A report that leaves everything open.
    fn unsolved(&self, explored: &Explored, stopped: Stopped) -> Report {
        let knots: Vec<_> = self.knots().map(|knot| (knot.to_owned(), Probability::default())).collect();
        let shares = Shares { wins: vec![0.0; knots.len()], knots, open: 1.0, ..Shares::default() };
        let any = Value { lower: 0.0, upper: 1.0, exact: None };
        Report {
            value: any.clone(),
            random_value: any,
            best: shares.clone(),
            random: shares,
            faults: Vec::new(),
            situations: explored.situations(),
            stopped: Some(stopped),
            cut: explored.cut,
        }
    }
}

/// The report of what was explored.
fn solved(game: &InkGame, explored: &Explored, exact: bool, budget: &Budget<'_>) -> Result<Report, GameError> {
    let solve = |reader| explored.solved(game, reader, exact, budget);
    let ((best, best_most), (random, random_most)) = (solve(Reader::Best)?, solve(Reader::Random)?);
    let value = |least: &Solved<Played<'_>>, most: Option<Solved<Played<'_>>>| {
        between(least.start_value(), most.map(|most| most.start_value()))
    };
    let view = View { game, explored };
    Ok(Report {
        value: value(&best, best_most),
        random_value: value(&random, random_most),
        best: view.shares(&best)?,
        random: view.shares(&random)?,
        faults: view.faults(&random)?,
        situations: explored.situations(),
        stopped: explored.stopped,
        cut: explored.cut,
    })
}

/// From the lower to the upper value; without an upper one, the lower value as it is.
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
            if matches!(self.explored.expansions[place], Expansion::Open) {
                shares.open += probability.decimal();
            } else if self.game.fault(&self.explored.states[place]).is_some() {
                shares.faults += probability.decimal();
            }
        }
        shares.forever = if shares.forever < 1e-9 { 0.0 } else { shares.forever };
        let passed: Vec<Vec<u32>> = self.explored.states.iter().map(|state| self.game.passed(state)).collect();
        for (number, knot) in (0..).zip(self.game.story().knots()) {
            let mut by = visits.worth_by_key(|state| passed[*state as usize].contains(&number))?;
            let (share, win) = by.remove(&true).unwrap_or_default();
            shares.knots.push((knot.to_owned(), share));
            shares.wins.push(win);
        }
        Ok(shares)
    }

    fn faults(&self, random: &Solved<Played<'_>>) -> Result<Vec<ReportedFault>, GameError> {
        let visits = random.visits()?;
        let mut faults: Vec<ReportedFault> = Vec::new();
        for (number, state) in (0..).zip(&self.explored.states) {
            if let Some(fault) = self.game.fault(state) {
                let share = visits.probability(&number).decimal();
                faults.push(ReportedFault { fault, way: self.explored.way(number), share });
            }
        }
        faults.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.fault.cmp(&b.fault)));
        Ok(faults)
    }
}
