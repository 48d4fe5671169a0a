//! The samples of a fight.

use std::time::{Duration, Instant};

use budget::{Budget, Limits, Stopped};
use rayon::prelude::*;

use super::confidence::{mean_at_least, mean_at_most};
use super::estimate::Estimate;
use super::hindsight::Hindsight;
use super::policy::{Begin, Policy};
use super::stakes::Stakes;
use super::training::{Begun, train, world};
use crate::answers::worth::{Interval, Simulated};
use crate::data::enemy::Kind;
use crate::data::relic::Relic;
use crate::rules::Rules;
use crate::rules::action::Action;
use crate::rules::fate::Luck;
use crate::rules::state::State;
use crate::search::payoff::{Objective, Payoff};

/// How to simulate a fight that is too large for the search.
///
/// ```
/// use slay_the_spire::Simulating;
///
/// let simulating = Simulating { precision: Some(0.5), ..Simulating::default() };
/// assert_eq!((simulating.seed, simulating.error), (0, 0.0001));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulating {
    /// Determines all worlds: with the same samples the answer is the same.
    pub seed: u64,
    /// The width of a sufficiently narrow interval; `None` makes it as narrow as time allows.
    pub precision: Option<f64>,
    /// The most samples from below and from above; `None` for as many as time allows.
    pub samples: Option<u64>,
    /// The number of fights of the last round of training; about half as many come before.
    pub training: u64,
    /// The largest probability with which any interval of the answer may be wrong.
    pub error: f64,
}

impl Default for Simulating {
    fn default() -> Self {
        Self { seed: 0, precision: None, samples: None, training: 3_000, error: 1e-4 }
    }
}

/// From which side a value is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// From below, by a policy.
    Below,
    /// From above, with foresight.
    Above,
}

impl Simulating {
    /// A budget for the search before it: a share of a time limit, or all of it where nothing is simulated; without a
    /// limit, but with a sufficient precision, this long.
    pub(crate) fn searching<'b>(&self, budget: &'b Budget<'b>, objective: Objective, patience: Duration) -> Budget<'b> {
        if budget.limits().max_time.is_some() || self.precision.is_none() {
            return budget.part(if objective.is_cost() { 1.0 } else { SEARCH });
        }
        budget.within(Limits { max_time: Some(patience), ..*budget.limits() })
    }

    /// A budget for it: without any other end, it takes a moment.
    pub(crate) fn within<'b>(&self, budget: &'b Budget<'b>) -> Budget<'b> {
        let is_endless = budget.limits().max_time.is_none() && self.precision.is_none() && self.samples.is_none();
        if is_endless {
            return budget.within(Limits { max_time: Some(MOMENT), ..Limits::NONE });
        }
        budget.part(1.0)
    }

    /// The most samples.
    fn most(&self) -> u64 {
        self.samples.unwrap_or(MOST)
    }
}

/// The share of a time limit for the search before a simulation.
const SEARCH: f64 = 0.4;
/// How long a simulation takes that nothing else ends.
const MOMENT: Duration = Duration::from_secs(5);
/// The most samples.
const MOST: u64 = 200_000;
/// The purpose of the worlds for evaluation.
const JUDGES: u64 = 98;
/// The number of worlds that are evaluated together at first.
const FEW: u64 = 64;

/// A fight with its samples: those with the same index in both lists belong to the same world.
pub(crate) struct Sampled<'a> {
    policy: Policy<'a>,
    begin: Begin<'a>,
    kinds: &'a [Kind],
    health: i16,
    simulating: Simulating,
    /// The value of each simulated fight, minus its luck.
    pub plays: Vec<f64>,
    /// The value of each world with foresight.
    pub worlds: Vec<f64>,
    /// The time for each.
    pub took: [Duration; 2],
    /// The proved bounds.
    pub proved: Interval,
}

impl<'a> Sampled<'a> {
    /// Without samples.
    pub(crate) fn new(
        (rules, payoff): (&'a Rules, &'a Payoff),
        (begin, kinds): (Begin<'a>, &'a [Kind]),
        health: i16,
        simulating: Simulating,
    ) -> Self {
        let (estimate, stakes) = (Estimate::UNTRAINED, Stakes::none(rules));
        // A Blood Vial heals before the first turn.
        let first = if rules.has(Relic::BloodVial) && matches!(begin, Begin::Fight(_)) { 2 } else { 0 };
        let most = if rules.can_heal() { rules.most_health() } else { rules.max_health.min(health + first) };
        let upper = payoff.at_most(most.into(), rules.all_potions());
        Self {
            policy: Policy { rules, payoff, estimate, stakes, immortal: false },
            begin,
            kinds,
            health,
            simulating,
            plays: Vec::new(),
            worlds: Vec::new(),
            took: [Duration::ZERO; 2],
            proved: Interval { lower: 0.0, upper },
        }
    }

    /// Trains the policy.
    pub(crate) fn train(&mut self, budget: &Budget<'_>) -> Result<(), Stopped> {
        let Self { begin, kinds, health, simulating: Simulating { seed, training, .. }, .. } = *self;
        train(&mut self.policy, Begun { begin, kinds, health, seed, fights: training }, budget)
    }

    /// The same position with this first play, whose proved bounds are given, and the same training. Without samples.
    pub(crate) fn with_first(&self, state: &'a State, (first, proved): (Action, Interval)) -> Self {
        let Self { health, simulating, .. } = *self;
        let begin = Begin::Play(state, Some(first));
        let (plays, worlds, took) = (Vec::new(), Vec::new(), [Duration::ZERO; 2]);
        Self { policy: self.policy.clone(), begin, kinds: self.kinds, health, simulating, plays, worlds, took, proved }
    }

    /// The value of a simulated fight in this world, with its luck and without.
    fn play(&self, nth: u64) -> (f64, f64) {
        let Self { policy, begin, health, simulating, .. } = self;
        let played = policy.play(*begin, world(simulating.seed, JUDGES, nth), *health);
        let value = played.end.map_or(0.0, |end| policy.payoff.of_end(end));
        (value, value - played.luck)
    }

    /// The value of this world with foresight. The simulated result is attainable in it.
    fn foresee(&self, nth: u64, budget: &Budget<'_>) -> Result<f64, Stopped> {
        let Policy { rules, payoff, .. } = self.policy;
        let (known, _) = self.play(nth);
        let world = world(self.simulating.seed, JUDGES, nth);
        Hindsight::new(rules, payoff).value(self.begin, (world, known), self.health, budget)
    }

    /// Whether there are enough samples from this side.
    pub(crate) fn is_full(&self, side: Side) -> bool {
        self.count(side) >= self.simulating.most()
    }

    /// The samples from this side.
    pub(crate) fn samples(&self, side: Side) -> &[f64] {
        if side == Side::Below { &self.plays } else { &self.worlds }
    }

    /// How many there are.
    pub(crate) fn count(&self, side: Side) -> u64 {
        self.samples(side).len() as u64
    }

    /// The distance of the mean from its bound on this side.
    pub(crate) fn open(&self, side: Side, error: f64) -> f64 {
        let (samples, range) = (self.samples(side), self.range(side));
        let distance = match side {
            Side::Below => mean(samples) - mean_at_least(samples, range, error),
            Side::Above => mean_at_most(samples, range, error) - mean(samples),
        };
        if samples.is_empty() { f64::INFINITY } else { distance.max(1e-3) }
    }

    /// More samples from one side: those before the first one that was stopped.
    pub(crate) fn sample(&mut self, side: Side, budget: &Budget<'_>) -> Result<(), Stopped> {
        let begun = Instant::now();
        let from = self.count(side);
        let to = (from + FEW.max(from / 4)).min(self.simulating.most());
        let each = (from..to).into_par_iter().map(|nth| match side {
            Side::Below => budget.check().map(|()| self.play(nth).1),
            Side::Above => self.foresee(nth, budget),
        });
        let each: Vec<Result<f64, Stopped>> = each.collect();
        let stopped = each.iter().find_map(|sample| sample.err());
        let list = if side == Side::Below { &mut self.plays } else { &mut self.worlds };
        list.extend(each.into_iter().map_while(Result::ok));
        self.took[side as usize] += begun.elapsed();
        stopped.map_or(Ok(()), Err)
    }

    /// The range of samples of one side.
    pub(crate) fn range(&self, side: Side) -> (f64, f64) {
        let Interval { lower, upper } = self.most();
        let luck = if side == Side::Below { Luck::MOST } else { 0.0 };
        (lower - luck, upper + luck)
    }

    /// The range of the values of ends.
    fn most(&self) -> Interval {
        let Policy { rules, payoff, .. } = self.policy;
        Interval { lower: 0.0, upper: payoff.at_most(rules.most_health().into(), rules.all_potions()) }
    }

    /// A lower bound of the value by simulated fights, and an upper one by foresight, each with this error probability.
    pub(crate) fn bounds(&self, error: f64) -> Interval {
        let lower = mean_at_least(&self.plays, self.range(Side::Below), error);
        let upper = mean_at_most(&self.worlds, self.range(Side::Above), error);
        let (least, most) = (self.proved.lower, self.proved.upper);
        // Rarely they contradict each other; then they are wrong, or nearly so.
        let lower = lower.clamp(least, most);
        Interval { lower, upper: upper.clamp(least, most).max(lower) }
    }

    /// The results, with this error probability for each side.
    pub(crate) fn simulated(&self, error: f64) -> Simulated {
        Simulated {
            value: self.bounds(error),
            played: mean(&self.plays),
            plays: self.count(Side::Below),
            foreseen: mean(&self.worlds),
            worlds: self.count(Side::Above),
            error: self.simulating.error,
        }
    }
}

/// The mean of samples; 0 where there are none.
#[expect(clippy::cast_precision_loss, reason = "there are fewer samples than 2^53")]
pub(crate) fn mean(samples: &[f64]) -> f64 {
    if samples.is_empty() { 0.0 } else { samples.iter().sum::<f64>() / samples.len() as f64 }
}

#[cfg(test)]
mod tests;
