//! Negative rewards: an equivalent question without them.

use budget::{Budget, Stopped};
use mdp::{BuildError, Rational, Sense, SolveError, SolveOptions, Value, enclose, exactly, solve};
use model_files::{ExplicitModel, RewardModel, StateSet};

use crate::question::{Question, earned};

/// The potential of each state, which is added to its value in the engine's model: the reward of a choice is raised by
/// the potential of its state and lowered by the mean potential of its outcomes, and goal states have none. So each
/// total until the goal is raised by the potential of its first state.
#[derive(Debug)]
pub(crate) struct Raised {
    by: Vec<Rational>,
}

/// Whether some choice on the way to the goal has a negative reward.
pub(crate) fn is_signed(question: &Question<'_>) -> bool {
    let Some(reward) = question.reward else { return false };
    let below = |state: u32| question.model.choices(state).any(|choice| earned(reward, state, choice) < Rational::ZERO);
    let some = reward.values().iter().any(|value| *value < Rational::ZERO);
    some && (0..question.model.states()).any(|state| !question.goal.contains(state) && below(state))
}

/// A state that play can reach before the goal, and that is one of these. If the model has no initial states, play may
/// begin anywhere.
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
    /// Raises the rewards of a question for which every policy reaches the goal with certainty, from all states except
    /// `missing`. The potential of each state is three times an upper bound of the expected number of choices to the
    /// goal, as an integer, times the largest loss: after one choice one fewer is expected on average, so that is
    /// enough, including rounding.
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
        // Where bounds are too wide for that, exact counts are used.
        let rounded = raised(false)?;
        if rounded.is_enough(question, reward, missing) { Ok(rounded) } else { raised(true) }
    }

    /// Whether all rewards are non-negative now.
    fn is_enough(&self, question: &Question<'_>, reward: &RewardModel, missing: &StateSet) -> bool {
        let model = question.model;
        let earns = |state: u32, choice: u32| self.earned(model, reward, state, choice);
        let mut states =
            (0..model.states()).filter(|state| !question.goal.contains(*state) && !missing.contains(*state));
        states.all(|state| model.choices(state).all(|choice| earns(state, choice) >= Rational::ZERO))
    }

    /// The raised reward of a choice.
    pub(crate) fn earned(&self, model: &ExplicitModel, reward: &RewardModel, state: u32, choice: u32) -> Rational {
        let after = model.probabilities(choice).map(|(target, probability)| probability * &self.by[target as usize]);
        earned(reward, state, choice) + &self.by[state as usize] - after.fold(Rational::ZERO, |sum, more| sum + more)
    }

    /// The value that the engine computed for a state or one of its choices, lowered again.
    pub(crate) fn lowered(&self, state: u32, value: Value) -> Value {
        lowered(value, &self.by[state as usize])
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.by.iter().map(model_files::number_bytes).sum()
    }
}

/// A value minus a number; its bounds are rounded outwards.
pub(crate) fn lowered(value: Value, by: &Rational) -> Value {
    let Value { lower, upper, exact } = value;
    if let Some(exact) = exact {
        return Value::exactly(exact - by);
    }
    let below = exactly(lower).map_or(f64::NEG_INFINITY, |lower| enclose(&(lower - by)).0);
    let above = exactly(upper).map_or(f64::INFINITY, |upper| enclose(&(upper - by)).1);
    Value { lower: below, upper: above, exact: None }
}

/// The largest loss of one choice of these states, without the goal.
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
