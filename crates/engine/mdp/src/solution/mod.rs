//! Every state's value and best choices.
//!
//! A solution does not depend on the sweeps that compute it, so an error of the solver can carry the bounds known so
//! far.

mod assured;
mod bounds;
mod end_components;
mod end_payoffs;
mod error;
mod exact_values;
mod infinite;
mod interval;
mod optimal_choices;
mod policy;
mod rounding;
mod sense;
mod ways_out;

pub(crate) use bounds::Bounds;
pub(crate) use end_components::{CollapsedScc, Opt, leaving_policy};
pub use end_payoffs::EndPayoffs;
pub use error::SolveError;
pub(crate) use exact_values::{Class, ClassId, ExactValues, NumeratorRef, TooLarge};
pub(crate) use infinite::InfiniteTotals;
use infinite::TotalPolicy;
pub(crate) use interval::{Ends, INFINITE, Outwards, Pair, outwards};
pub use optimal_choices::ChoiceSets;
pub(crate) use optimal_choices::{MANY, MOST_CHOICES, mask};
pub use policy::Policy;
pub(crate) use rounding::{relative_error, roundings_of};
pub use sense::Sense;

use std::sync::Arc;

use dashu_int::UBig;

use crate::model::{Choice, Distribution, Model, StateId};
use crate::numbers::{Rational, Value, enclose, exactly, nearest};
use assured::Assured;

/// Values of all states in one objective.
#[derive(Clone, Debug)]
pub(crate) struct ObjectiveValues {
    pub(crate) bounds: Bounds,
    pub(crate) exact: Option<ExactValues>,
    /// What was added to every payoff to make all of them at least 0.
    pub(crate) shift: Rational,
}

impl ObjectiveValues {
    pub(crate) fn bytes(&self) -> u64 {
        self.bounds.bytes() + self.exact.as_ref().map_or(0, ExactValues::bytes)
    }

    /// Whether the value of a state is that of going on for ever without rewards; for bounds, whether that is assured.
    fn is_nothing(&self, sense: Sense, state: StateId) -> bool {
        match (&self.exact, &self.bounds) {
            _ if self.bounds.is_infinite(state) => false,
            (Some(exact), _) => exact.value(state) == self.shift,
            (None, Bounds::Interval { ends }) => {
                let [lower, upper] = ends[state as usize];
                nearest(&self.shift) == if sense == Sense::Max { lower } else { upper }
            }
            (None, Bounds::Rounded { .. }) => false,
        }
    }
}

/// A solved model: every state's value and best choices. It holds its model, which many can share.
#[derive(Clone, Debug)]
pub struct Solution {
    sense: Sense,
    /// Whether a play that never ends counts as earning without end.
    must_end: bool,
    objectives: Vec<ObjectiveValues>,
    best: ChoiceSets,
    policy: Policy,
    /// Payoffs of finished states in place of the model's.
    ends: Option<EndPayoffs>,
}

impl Solution {
    pub(crate) fn new(
        model: Arc<Model>,
        (sense, must_end): (Sense, bool),
        objectives: Vec<ObjectiveValues>,
        best: ChoiceSets,
    ) -> Self {
        // Several objectives are solved exactly.
        let assured = match &objectives[..] {
            [ObjectiveValues { bounds, exact: None, shift }] => {
                Assured::new(&model, sense, bounds, Some(shift).filter(|_| !must_end))
            }
            _ => None,
        };
        let some_infinite = objectives.iter().any(|values| values.bounds.some_infinite());
        let are_totals = some_infinite || !(must_end || model.rewards().is_empty());
        let is_infinite = |state| objectives.iter().any(|values| values.bounds.is_infinite(state));
        let is_nothing = |state| objectives.iter().all(|values| values.is_nothing(sense, state));
        let totals = TotalPolicy { sense, must_end, is_infinite: &is_infinite, is_nothing: &is_nothing };
        let policy = Policy::of(model, &best, assured.as_ref(), Some(&totals).filter(|_| are_totals));
        Self { sense, must_end, objectives, best, policy, ends: None }
    }

    /// The same with these payoffs of finished states.
    pub(crate) fn with_ends(self, ends: Option<EndPayoffs>) -> Self {
        Self { ends, ..self }
    }

    /// Payoffs of finished states in place of the model's.
    pub(crate) fn ends(&self) -> Option<&EndPayoffs> {
        self.ends.as_ref()
    }

    /// The model that was solved.
    pub fn model(&self) -> &Arc<Model> {
        self.policy.model()
    }

    /// Whether more was better.
    pub fn sense(&self) -> Sense {
        self.sense
    }

    /// Whether a play that never ends counted as earning without end.
    pub fn must_end(&self) -> bool {
        self.must_end
    }

    /// How many payoffs were optimised, one after the other.
    pub fn objectives(&self) -> usize {
        self.objectives.len()
    }

    /// A state's value in the first objective: [infinite](Value::is_infinite) where the expected total is.
    pub fn value(&self, state: StateId) -> Value {
        self.value_in(0, state)
    }

    /// A state's value in one of the objectives, counted from 0.
    ///
    /// # Panics
    /// When there is no such objective or state.
    pub fn value_in(&self, objective: usize, state: StateId) -> Value {
        let solved = &self.objectives[objective];
        if solved.bounds.is_infinite(state) {
            return Value::INFINITE;
        }
        if let Some(exact) = &solved.exact {
            return Value::exactly(exact.value(state) - &solved.shift);
        }
        let (lower, upper) = solved.bounds.of(self.model().level_of(state), state);
        if solved.shift == Rational::ZERO {
            return Value { lower, upper, exact: None };
        }
        let shifted = |end: f64| exactly(end).map(|end| enclose(&(end - &solved.shift)));
        let lower = shifted(lower).map_or(f64::NEG_INFINITY, |lower| lower.0);
        let upper = shifted(upper).map_or(f64::INFINITY, |upper| upper.1);
        Value { lower, upper, exact: None }
    }

    /// The value of each choice of a state in one of the objectives (counted from 0), in order, if play is optimal
    /// afterwards.
    ///
    /// # Panics
    /// When there is no such objective or state.
    pub fn values_of_choices(&self, objective: usize, state: StateId) -> impl Iterator<Item = Value> + '_ {
        self.model().choices(state).map(move |choice| self.value_of_choice(objective, &choice))
    }

    fn value_of_choice(&self, objective: usize, choice: &Choice<'_>) -> Value {
        let model = self.model();
        if choice.targets.iter().any(|target| self.objectives[objective].bounds.is_infinite(target)) {
            return Value::INFINITE;
        }
        let total = Rational::from(model.weights().total(choice.weights));
        let reward = choice
            .reward
            .filter(|_| objective == 0)
            .map_or(Rational::ZERO, |reward| model.rewards()[reward as usize].clone());
        let weights = model.weights().weight_list(choice.weights);
        let mean = |of: &dyn Fn(&Value) -> Option<Rational>| {
            let mut sum = Rational::ZERO;
            for (target, weight) in choice.targets.iter().zip(&weights) {
                sum += of(&self.value_in(objective, target))? * Rational::from(weight.clone());
            }
            Some(sum / &total + &reward)
        };
        if let Some(value) = mean(&|value| value.exact.clone()) {
            return Value::exactly(value);
        }
        // This is done for single choices, so the bounds of the targets are averaged without rounding.
        let lower = mean(&|value| exactly(value.lower)).map_or(f64::NEG_INFINITY, |value| enclose(&value).0);
        let upper = mean(&|value| exactly(value.upper)).map_or(f64::INFINITY, |value| enclose(&value).1);
        Value { lower, upper, exact: None }
    }

    /// The value of a start: the mean over its states.
    pub fn value_of(&self, start: &Distribution<StateId>) -> Value {
        self.value_of_in(0, start)
    }

    /// The value of a start in one of the objectives, counted from 0.
    ///
    /// # Panics
    /// When there is no such objective.
    pub fn value_of_in(&self, objective: usize, start: &Distribution<StateId>) -> Value {
        if start.iter().any(|(state, _)| self.objectives[objective].bounds.is_infinite(*state)) {
            return Value::INFINITE;
        }
        if self.is_exact() {
            let exact = |state: &StateId| self.value_in(objective, *state).exact.unwrap_or(Rational::ZERO);
            return Value::exactly(start.expected_value(exact));
        }
        // In fractions, rounded outwards once. `None` where an end is infinite.
        let mean = |end: fn(Value) -> f64| -> Option<(f64, f64)> {
            let ends = start.iter().map(|(state, _)| exactly(end(self.value_in(objective, *state))));
            let mut ends = ends.collect::<Option<Vec<_>>>()?.into_iter();
            Some(enclose(&start.expected_value(|_| ends.next().unwrap_or(Rational::ZERO))))
        };
        let lower = mean(|value| value.lower).map_or(f64::NEG_INFINITY, |ends| ends.0);
        let upper = mean(|value| value.upper).map_or(f64::INFINITY, |ends| ends.1);
        Value { lower, upper, exact: None }
    }

    /// Whether values are exact (except infinite ones) and every set of best choices is proved.
    pub fn is_exact(&self) -> bool {
        self.objectives.iter().all(|solved| solved.exact.is_some())
    }

    /// All best choices of every state. Unless the solution [is exact](Self::is_exact), all those whose bounds overlap
    /// the best.
    pub fn best(&self) -> &ChoiceSets {
        &self.best
    }

    /// The choice that the documented rule takes in each state: see [`Policy`].
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// A common denominator of all values and probabilities from this state on, before they are reduced; `None` unless
    /// solved exactly.
    pub(crate) fn denominator(&self, state: StateId) -> Option<&UBig> {
        self.objectives.last()?.exact.as_ref().map(|exact| exact.denominator(state))
    }

    /// Bytes in use, without the model.
    pub fn bytes(&self) -> u64 {
        let ends = self.ends.as_ref().map_or(0, EndPayoffs::bytes);
        self.objectives.iter().map(ObjectiveValues::bytes).sum::<u64>() + self.best.bytes() + self.policy.bytes() + ends
    }
}
