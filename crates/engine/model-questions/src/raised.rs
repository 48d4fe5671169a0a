//! Rewards below zero: the same question, with rewards that are not.

use budget::{Budget, Stopped};
use mdp::{BuildError, Rational, Sense, SolveError, SolveOptions, Value, enclose, exactly, solve};
use model_files::{ExplicitModel, RewardModel, StateSet};

use crate::question::{Question, earned};

/// What each state has on top of its value in the model that the engine gets: what a choice earns is raised by what its
/// state has and lowered by the mean of what its outcomes have, and goal states have nothing. So each total until the goal
/// is raised by what its first state has.
#[derive(Debug)]
pub(crate) struct Raised {
    by: Vec<Rational>,
}

/// Whether some choice on the way to the goal earns less than nothing.
pub(crate) fn is_signed(question: &Question<'_>) -> bool {
    let Some(reward) = question.reward else { return false };
    let below = |state: u32| question.model.choices(state).any(|choice| earned(reward, state, choice) < Rational::ZERO);
    let some = reward.values().iter().any(|value| *value < Rational::ZERO);
    some && (0..question.model.states()).any(|state| !question.goal.contains(state) && below(state))
}

/// A state that play can come to before the goal, and that is one of these. Where the model does not say where play begins
/// it may begin anywhere.
pub(crate) fn on_the_way(
    question: &Question<'_>,
    states: &StateSet,
    budget: &Budget<'_>,
) -> Result<Option<u32>, Stopped> {
    let model = question.model;
    let mut seen = vec![false; model.states() as usize];
    let all = model.initial().is_empty();
    let mut open: Vec<u32> = (0..model.states()).filter(|state| all || model.initial().contains(*state)).collect();
    while let Some(state) = open.pop() {
        budget.check()?;
        if std::mem::replace(&mut seen[state as usize], true) || question.goal.contains(state) {
            continue;
        }
        if states.contains(state) {
            return Ok(Some(state));
        }
        open.extend(model.choices(state).flat_map(|choice| model.outcomes(choice).0).filter(|to| !seen[**to as usize]));
    }
    Ok(None)
}

impl Raised {
    /// Raises the rewards of a question for which the goal is reached for certain, whatever is chosen, from all states but
    /// `missing`. Each state has three times the choices to the goal that are expected at most, in whole numbers, times the
    /// largest loss: the choices to come are one fewer on average after one, so that is enough, roundings included.
    pub(crate) fn new(
        question: &Question<'_>,
        reward: &RewardModel,
        missing: &StateSet,
        budget: &Budget<'_>,
    ) -> Result<Self, BuildError> {
        budget.more_memory(u64::from(question.model.states()) * size_of::<Rational>() as u64)?;
        let built = question.build(Some(missing), Some(&|_, _| Rational::ONE), budget)?;
        let loss = largest_loss(question, reward, |state| !missing.contains(state));
        let raised = |exact: bool| {
            let mut options = SolveOptions::default().with_exact(exact).with_sense(Sense::Max).with_must_end(true);
            options.budget = Some(budget);
            let counts = solve(&built.model, &options).map_err(|error| unsolved(&error))?;
            let by = |state: u32| {
                if question.goal.contains(state) || missing.contains(state) {
                    return Rational::ZERO;
                }
                let Value { upper, exact, .. } = counts.value(built.number_of(state));
                let steps = exact.or_else(|| exactly(upper)).unwrap_or(Rational::ZERO);
                Rational::from((steps * Rational::from(3)).ceil()) * &loss
            };
            Ok(Self { by: (0..question.model.states()).map(by).collect() })
        };
        // Where bounds are too far apart for that exact counts are near enough.
        let rounded = raised(false)?;
        if rounded.is_enough(question, reward, missing) { Ok(rounded) } else { raised(true) }
    }

    /// Whether no choice earns less than nothing any more.
    fn is_enough(&self, question: &Question<'_>, reward: &RewardModel, missing: &StateSet) -> bool {
        let model = question.model;
        let earns = |state: u32, choice: u32| self.earned(model, reward, state, choice);
        let mut states =
            (0..model.states()).filter(|state| !question.goal.contains(*state) && !missing.contains(*state));
        states.all(|state| model.choices(state).all(|choice| earns(state, choice) >= Rational::ZERO))
    }

    /// What a choice earns, raised.
    pub(crate) fn earned(&self, model: &ExplicitModel, reward: &RewardModel, state: u32, choice: u32) -> Rational {
        let after = model.probabilities(choice).map(|(target, probability)| probability * &self.by[target as usize]);
        earned(reward, state, choice) + &self.by[state as usize] - after.fold(Rational::ZERO, |sum, more| sum + more)
    }

    /// What the engine found for a state or for one of its choices, lowered again.
    pub(crate) fn lowered(&self, state: u32, value: Value) -> Value {
        lowered(value, &self.by[state as usize])
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.by.iter().map(model_files::number_bytes).sum()
    }
}

/// A value less a number; its bounds are rounded outwards.
pub(crate) fn lowered(value: Value, by: &Rational) -> Value {
    let Value { lower, upper, exact } = value;
    if let Some(exact) = exact {
        return Value::exactly(exact - by);
    }
    let below = exactly(lower).map_or(f64::NEG_INFINITY, |lower| enclose(&(lower - by)).0);
    let above = exactly(upper).map_or(f64::INFINITY, |upper| enclose(&(upper - by)).1);
    Value { lower: below, upper: above, exact: None }
}

/// The most that one choice of these states, the goal aside, earns less than nothing.
pub(crate) fn largest_loss(question: &Question<'_>, reward: &RewardModel, counts: impl Fn(u32) -> bool) -> Rational {
    let model = question.model;
    let states = (0..model.states()).filter(|state| !question.goal.contains(*state) && counts(*state));
    let losses = states.flat_map(|state| model.choices(state).map(move |choice| -earned(reward, state, choice)));
    losses.fold(Rational::ZERO, |most, loss| if loss > most { loss } else { most })
}

fn unsolved(error: &SolveError) -> BuildError {
    match error {
        SolveError::Stopped(stopped) | SolveError::StoppedWithBounds { stopped, .. } => BuildError::Stopped(*stopped),
        _ => BuildError::TooLarge,
    }
}
