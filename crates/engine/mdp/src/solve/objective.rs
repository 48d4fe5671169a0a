//! One payoff to optimise: exactly, and in floating point.

use dashu_int::UBig;

use super::method::Method;
use super::options::SolveOptions;
use crate::model::{Choice, Model, StateId, lcm};
use crate::numbers::{Rational, enclose, exactly, nearest};
use crate::solution::{ChoiceSets, CollapsedScc, EndPayoffs, Sense};

/// One objective, exactly. Payoffs are shifted to be at least 0; rewards are at least 0 anyway.
pub(crate) struct ExactObjective<'a> {
    pub(crate) model: &'a Model,
    pub(crate) sense: Sense,
    /// The payoff of each list of payoffs in this objective, shifted.
    pub(crate) payoffs: Vec<Rational>,
    /// Empty where rewards do not count.
    pub(crate) rewards: Vec<Rational>,
    /// The value of staying in a cycle for ever, shifted.
    pub(crate) forever: Rational,
    /// Payoffs of finished states in place of the model's.
    pub(crate) ends: Option<&'a EndPayoffs>,
}

/// A number that may not be a floating-point number: the nearest one, and those around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounded {
    /// Never 0 unless the number is.
    pub(crate) nearest: f64,
    pub(crate) ends: (f64, f64),
    /// The difference between the number and the nearest one.
    low: f64,
}

/// The same objective for the solver in floating point.
pub(crate) struct Objective<'a> {
    pub(crate) model: &'a Model,
    pub(crate) sense: Sense,
    pub(crate) payoffs: Vec<Rounded>,
    pub(crate) rewards: Vec<Rounded>,
    pub(crate) forever: Rounded,
    /// The choices that are best in the objectives before; `None` for the first.
    pub(crate) allowed: Option<&'a ChoiceSets>,
    /// Whether a play that never ends counts as earning without end.
    pub(crate) must_end: bool,
    pub(crate) method: Method,
    /// The largest difference between the bounds of a value, as a share of it.
    pub(crate) precision: f64,
    ends: Option<&'a EndPayoffs>,
}

impl Rounded {
    fn exactly(number: f64) -> Self {
        Self { nearest: number, ends: (number, number), low: 0.0 }
    }

    pub(crate) fn new(value: &Rational) -> Self {
        let nearest = nearest(value);
        let nearest = if nearest == 0.0 && *value != Rational::ZERO { f64::from_bits(1) } else { nearest };
        let low = exactly(nearest).map_or(0.0, |nearest| crate::numbers::nearest(&(value - nearest)));
        Self { nearest, ends: enclose(value), low }
    }
}

impl Rounded {
    /// The number with twice the precision: the nearest floating-point number, and the difference.
    pub(crate) fn high_and_low(self) -> (f64, f64) {
        (self.nearest, self.low)
    }
}

impl ExactObjective<'_> {
    /// A denominator of what a component earns by itself: rewards, and staying for ever.
    pub(crate) fn common_denominator(&self, scc: &CollapsedScc) -> UBig {
        let mut common = self.forever.denominator().clone();
        if !self.rewards.is_empty() {
            for choice in scc.members.iter().flat_map(|state| self.model.choices(state)) {
                if let Some(reward) = choice.reward {
                    common = lcm(&common, self.rewards[reward as usize].denominator());
                }
            }
        }
        common
    }
}

impl<'a> Objective<'a> {
    pub(crate) fn new(exact: &ExactObjective<'a>, allowed: Option<&'a ChoiceSets>, options: &SolveOptions<'_>) -> Self {
        Self {
            model: exact.model,
            sense: exact.sense,
            payoffs: exact.payoffs.iter().map(Rounded::new).collect(),
            rewards: exact.rewards.iter().map(Rounded::new).collect(),
            forever: Rounded::new(&exact.forever),
            allowed,
            must_end: options.must_end,
            method: options.method,
            precision: options.precision,
            ends: exact.ends,
        }
    }

    /// The payoff of a state, if it is finished.
    pub(crate) fn payoff(&self, state: StateId) -> Option<Rounded> {
        let payoff = self.model.code.payoff(state)?;
        let paid = self.ends.and_then(|ends| ends.of(state));
        Some(paid.map_or_else(|| self.payoffs[payoff as usize], Rounded::exactly))
    }

    pub(crate) fn allows(&self, state: StateId, choice: u32) -> bool {
        self.allowed.is_none_or(|sets| sets.contains(state, choice))
    }

    /// The reward of a choice; `None` if it has none, or where rewards do not count.
    pub(crate) fn reward(&self, choice: &Choice<'_>) -> Option<Rounded> {
        self.rewards.get(choice.reward? as usize).copied()
    }

    /// The largest payoff, if no value can exceed it and floating point represents it exactly.
    pub(crate) fn most(&self) -> Option<f64> {
        let paid = self.ends.map(|ends| Rounded::exactly(ends.largest));
        let all = || self.payoffs.iter().chain([&self.forever]).chain(&paid);
        let most = all().map(|payoff| payoff.ends.1).fold(0.0, f64::max);
        let exact = all().all(|payoff| payoff.ends.1 < most || payoff.ends.0 == most);
        (self.rewards.is_empty() && exact && most.is_finite()).then_some(most)
    }

    /// The smallest payoff or reward above 0, if there is one.
    pub(crate) fn smallest(&self) -> Option<f64> {
        let numbers = self.payoffs.iter().chain(&self.rewards).map(|number| number.nearest);
        let paid = self.ends.and_then(|ends| ends.smallest);
        numbers.chain(paid).filter(|number| *number > 0.0).reduce(f64::min)
    }
}
