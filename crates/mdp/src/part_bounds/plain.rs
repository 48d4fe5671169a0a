//! Bounds of a small part without looking at its structure, where that is right.
//!
//! Where more is better and nothing is earned on the way, nor by staying for ever, the values of a part are the least
//! numbers, not below 0, that Bellman's operator `T` leaves as they are. End components need not be collapsed for that:
//! - `T(x) <= x` proves that `x` is an upper bound, for the least fixed point is the least of all such `x` (Knaster, Tarski);
//! - `x <= P(x)` for a policy's operator `P` proves that `x` is a lower bound if play by that policy leaves the part with
//!   probability 1, or comes to where `x` is 0: then its powers come from `x` to no more than the policy's value.
//!
//! Values come from sweeps. Where those do not come to rest soon, where a proof fails, or where the graph alone could decide
//! values (those are to be exact), the part is left to the ways of [`part_bounds`](super).

use std::ops::Range;

use super::iterate::{NOISE, put};
use super::policy::RESTS;
use super::prove::holds_when_moved;
use crate::bounds::relative_error;
use crate::ends::{Ends, outwards};
use crate::method::Method;
use crate::model::StateId;
use crate::objective::Objective;
use crate::places::id;
use crate::sense::Sense;

/// Larger parts are left to others.
const MOST_STATES: usize = 256;
/// Rounds of sweeps, and sweeps over the chosen options alone after each over all options.
const MOST_ROUNDS: usize = 40;
const CHOSEN_SWEEPS: usize = 24;
/// The most sweeps over the chosen options that follow, and over those near them.
const MOST_SWEEPS: usize = 400;
const FEW_SWEEPS: usize = 30;
/// That much more steps are counted, so that they come to rest.
const STEPS_REST: f64 = 1e-3;
/// A number that is smaller than another by this share stays smaller when it is moved outwards by what so many terms ask for.
const MOVED: f64 = 1e-9;
const MOST_TERMS: usize = 1 << 20;
const NONE: u32 = u32::MAX;
/// Values that are smaller are left to others: what is lost where numbers end could count.
const LEAST: f64 = 1e-200;

/// What a thread needs for small parts; reused.
#[derive(Default)]
pub(crate) struct Plain {
    /// Where each state's options begin; one more entry than states.
    states: Vec<u32>,
    options: Vec<PlainOption>,
    /// Other states of the part to which options lead, and with what probability.
    inner: Vec<(u32, f64)>,
    /// The option that is chosen in each state.
    policy: Vec<u32>,
    values: Vec<f64>,
    /// Options that are as good as the best, or nearly, with their states.
    near: Vec<Near>,
    /// For each state about how many steps such options take to the way out, each counted as what it can bring.
    steps: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// Whether play is known to leave the part.
    leaves: Vec<bool>,
}

/// A choice of a state.
#[derive(Clone, Copy)]
struct PlainOption {
    /// Where its targets in `inner` begin.
    first: u32,
    /// The probability to come back to the state at once.
    back: f64,
    /// One over the sum of all other probabilities.
    tries: f64,
    /// Whether it can leave the part.
    leaves: bool,
    /// What it is worth outside of the part: lower and upper end.
    outside: [f64; 2],
    /// The least lower and the largest upper end of where it leads outside.
    hull: (f64, f64),
}

impl Plain {
    /// Bounds of the states of a part in their order, within this share of each value. Nothing where the part must be solved
    /// in another way.
    pub(crate) fn bounds(
        &mut self,
        objective: &Objective<'_>,
        part: &Range<StateId>,
        ends: &Ends,
        width: f64,
    ) -> Option<Vec<(f64, f64)>> {
        let is_right = objective.sense == Sense::Max
            && objective.method == Method::Cheapest
            && objective.rewards.is_empty()
            && objective.forever.ends == (0.0, 0.0)
            && part.len() <= MOST_STATES;
        if !is_right {
            return None;
        }
        let Outside { least, most, terms } = self.read(objective, part, ends)?;
        if !(self.values_rest() && self.zeros_hold(least) && self.policy_leaves() && self.prove(terms, width)) {
            return None;
        }
        // A mean of what lies outside is not beyond it.
        let ends = self.lower.iter().zip(&self.upper);
        Some(ends.map(|(lower, upper)| (lower.max(least), upper.min(most))).collect())
    }

    /// Reads the part's options. Nothing where the graph alone could decide a value, or where floating point cannot say a
    /// probability well.
    fn read(&mut self, objective: &Objective<'_>, part: &Range<StateId>, ends: &Ends) -> Option<Outside> {
        let weights = objective.model.weights();
        self.states.clear();
        self.options.clear();
        self.inner.clear();
        let mut outside = Outside { least: f64::INFINITY, most: 0.0, terms: 0 };
        // What options that leave lead to for certain: the most of one option, the least of all options of a state.
        let mut certain = (-1.0, f64::INFINITY);
        for state in part.clone() {
            self.states.push(id(self.options.len()));
            // What all options of the state lead to that leave.
            let mut all = (f64::INFINITY, -1.0f64);
            for (number, choice) in (0..).zip(objective.model.choices(state)) {
                if !objective.allows(state, number) {
                    continue;
                }
                if weights.is_subnormal(choice.weights) {
                    return None;
                }
                outside.terms = outside.terms.max(choice.targets.len() + 1);
                let first = id(self.inner.len());
                let (mut back, mut moves, mut exit) = (0.0, 0.0, 0.0);
                let mut own = [0.0; 2];
                let mut hull = (f64::INFINITY, -1.0f64);
                for (target, probability) in choice.targets.iter().zip(weights.probabilities(choice.weights)) {
                    if target == state {
                        back += probability;
                    } else if part.contains(&target) {
                        self.inner.push((target - part.start, *probability));
                        moves += probability;
                    } else {
                        let (lower, upper) = ends.of(target);
                        hull = (hull.0.min(lower), hull.1.max(upper));
                        exit += probability;
                        own[0] += probability * lower;
                        own[1] += probability * upper;
                    }
                }
                let leaves = exit > 0.0;
                if leaves {
                    (outside.least, outside.most) = (outside.least.min(hull.0), outside.most.max(hull.1));
                    all = (all.0.min(hull.0), all.1.max(hull.1));
                    if hull.0 == hull.1 {
                        certain.0 = f64::max(certain.0, hull.0);
                    }
                }
                // Who stays where he is for certain gets nothing by it.
                if moves + exit > 0.0 {
                    let tries = 1.0 / (moves + exit);
                    self.options.push(PlainOption { first, back, tries, leaves, outside: own, hull });
                }
            }
            if all.0 == all.1 {
                certain.1 = f64::min(certain.1, all.0);
            }
        }
        self.states.push(id(self.options.len()));
        // What is worth nothing is seen by its value.
        let decided = certain.0 == outside.most || outside.least > 0.0 && certain.1 == outside.least;
        (!decided && outside.most > LEAST && outside.terms < MOST_TERMS).then_some(outside)
    }

    fn count(&self) -> usize {
        self.states.len() - 1
    }

    #[inline]
    fn options_of(&self, state: usize) -> Range<u32> {
        self.states[state]..self.states[state + 1]
    }

    #[inline]
    fn inner(&self, option: u32) -> &[(u32, f64)] {
        let option = option as usize;
        let end = self.options.get(option + 1).map_or(self.inner.len(), |next| next.first as usize);
        &self.inner[self.options[option].first as usize..end]
    }

    /// What an option brings that moves on, in a part with these values.
    #[inline]
    fn moved(&self, option: u32, values: &[f64], outside: f64) -> f64 {
        self.inner(option).iter().fold(outside, |sum, (to, probability)| sum + probability * values[*to as usize])
    }

    /// What an option is worth, where what leads back to its state at once is tried again.
    #[inline]
    fn tried(&self, option: u32, values: &[f64], end: usize) -> f64 {
        let own = &self.options[option as usize];
        self.moved(option, values, own.outside[end]) * own.tries
    }

    /// What an option is worth in its state.
    #[inline]
    fn worth(&self, option: u32, state: usize, values: &[f64], end: usize) -> f64 {
        let own = &self.options[option as usize];
        self.moved(option, values, own.outside[end]) + own.back * values[state]
    }

    /// The least and the largest of where an option leads.
    fn hull(&self, option: u32, values: &[f64]) -> (f64, f64) {
        let hull = self.options[option as usize].hull;
        let inner = self.inner(option).iter().map(|(to, _)| values[*to as usize]);
        inner.fold(hull, |(least, most), value| (f64::min(least, value), f64::max(most, value)))
    }

    /// Sweeps to and fro until the values rest, at the upper end of what lies outside; says whether they do.
    fn values_rest(&mut self) -> bool {
        let count = self.count();
        let (mut values, mut policy) = (std::mem::take(&mut self.values), std::mem::take(&mut self.policy));
        values.clear();
        values.resize(count, 0.0);
        policy.clear();
        policy.resize(count, NONE);
        let mut rests = false;
        for round in 0..MOST_ROUNDS {
            let mut moved = 0.0;
            for step in 0..count {
                let state = if round % 2 == 1 { count - 1 - step } else { step };
                let chosen = policy[state];
                let mut own = if chosen == NONE { -1.0 } else { self.tried(chosen, &values, UPPER) };
                let bar = own * (1.0 + NOISE);
                let mut best = (bar, chosen);
                for option in self.options_of(state) {
                    let worth = self.tried(option, &values, UPPER);
                    if worth > best.0 {
                        best = (worth, option);
                        own = worth;
                    }
                }
                if best.1 == NONE {
                    return false;
                }
                policy[state] = best.1;
                put(&mut values[state], own, &mut moved);
            }
            rests = moved <= RESTS;
            if rests {
                break;
            }
            for sweep in 0..CHOSEN_SWEEPS {
                if self.sweep(&policy, &mut values, UPPER, sweep % 2 == round % 2) <= RESTS {
                    break;
                }
            }
        }
        (self.values, self.policy) = (values, policy);
        rests
    }

    /// A sweep over the chosen options: the largest move, as a share of the value.
    fn sweep(&self, policy: &[u32], values: &mut [f64], end: usize, backwards: bool) -> f64 {
        let count = policy.len();
        let mut moved = 0.0;
        for step in 0..count {
            let state = if backwards { count - 1 - step } else { step };
            let own = self.tried(policy[state], values, end);
            put(&mut values[state], own, &mut moved);
        }
        moved
    }

    /// Whether what seems to be worth nothing is: every option leads only to what is worth nothing. And no value is too small.
    /// Where the outside is worth something, only who cannot leave gets nothing: that is left to others.
    fn zeros_hold(&self, least: f64) -> bool {
        let nothing = |option: u32| {
            let worth = |to: &(u32, f64)| self.values[to.0 as usize];
            self.options[option as usize].hull.1 <= 0.0 && self.inner(option).iter().all(|to| worth(to) == 0.0)
        };
        (0..self.count()).all(|state| match self.values[state] {
            0.0 => least == 0.0 && self.options_of(state).all(nothing),
            value => value > LEAST,
        })
    }

    /// Whether play leaves the part by the policy with probability 1, or comes to where there is nothing to be had: that can
    /// be reached from everywhere.
    fn policy_leaves(&mut self) -> bool {
        let count = self.count();
        let mut known = std::mem::take(&mut self.leaves);
        known.clear();
        known.extend(self.values.iter().map(|value| *value == 0.0));
        let mut left = known.iter().filter(|known| !**known).count();
        let mut before = count + 1;
        while left > 0 && left < before {
            before = left;
            for state in (0..count).rev() {
                let option = self.policy[state];
                let leads = || self.inner(option).iter().any(|(to, _)| known[*to as usize]);
                if !known[state] && (self.options[option as usize].leaves || leads()) {
                    known[state] = true;
                    left -= 1;
                }
            }
        }
        self.leaves = known;
        left == 0
    }

    /// Guesses bounds around the values and proves them: see `prove.rs`.
    fn prove(&mut self, terms: usize, width: f64) -> bool {
        let mut lower = std::mem::take(&mut self.lower);
        let mut upper = std::mem::take(&mut self.upper);
        lower.clear();
        lower.extend_from_slice(&self.values);
        // At the lower end of the outside the value of any policy is a bound.
        let rests = (0..MOST_SWEEPS).any(|sweep| self.sweep(&self.policy, &mut lower, LOWER, sweep % 2 == 1) <= RESTS);
        let mut proved = false;
        if rests && self.count_steps(width) {
            let longest =
                self.worth_something().map(|state| self.steps[state] / self.values[state]).fold(0.0, f64::max);
            let mut slack = relative_error(terms as u64 + 8);
            let (values, low) = (&self.values, lower.clone());
            while !proved && slack * longest <= width {
                let moved = |values: &[f64], sign: f64, bound: &mut Vec<f64>| {
                    bound.clear();
                    let values = values.iter().zip(&self.steps);
                    bound.extend(values.map(|(value, steps)| (value + sign * slack * steps).max(0.0)));
                };
                moved(values, 1.0, &mut upper);
                moved(&low, -1.0, &mut lower);
                proved = self.is_upper_bound(&mut upper, terms) && self.is_lower_bound(&mut lower, terms);
                slack *= 2.0;
            }
        }
        (self.lower, self.upper) = (lower, upper);
        proved
    }

    /// Finds `steps` such that each is at least its value and what it is after a step of an option that is nearly the best;
    /// one that leads only to what is worth as much counts nothing. Says whether it could.
    fn count_steps(&mut self, width: f64) -> bool {
        let gap = 4.0 * width;
        let (mut near, mut steps) = (std::mem::take(&mut self.near), std::mem::take(&mut self.steps));
        near.clear();
        for state in 0..self.count() {
            let value = self.values[state];
            for option in self.options_of(state) {
                if option == self.policy[state] || self.worth(option, state, &self.values, UPPER) >= value * (1.0 - gap)
                {
                    let (least, most) = self.hull(option, &self.values);
                    let is_flat = least >= value * (1.0 - gap) && most <= value * (1.0 + gap);
                    near.push(Near { state: id(state), option, is_flat });
                }
            }
        }
        steps.clear();
        steps.extend_from_slice(&self.values);
        let rest = (0..FEW_SWEEPS).any(|_| self.sweep_steps(&near, &mut steps));
        (self.near, self.steps) = (near, steps);
        rest
    }

    /// A sweep over options: whether the steps rest.
    fn sweep_steps(&self, near: &[Near], steps: &mut [f64]) -> bool {
        let mut rest = true;
        for Near { state, option, is_flat } in near.iter().rev() {
            let state = *state as usize;
            let step = if *is_flat { 0.0 } else { self.values[state] };
            let own = self.moved(*option, steps, step) * self.options[*option as usize].tries;
            if own > steps[state] * (1.0 + STEPS_REST) {
                steps[state] = own * (1.0 + STEPS_REST);
                rest = false;
            }
        }
        rest
    }

    /// Whether Bellman's operator, moved upwards, stays below `bound`, which is raised a little where it does not.
    fn is_upper_bound(&self, bound: &mut [f64], terms: usize) -> bool {
        holds_when_moved(&self.worth_something(), bound, |state, bound, _| {
            // What is less is not moved beyond the bound.
            let bar = bound[state] * (1.0 - MOVED);
            let mut best = bound[state];
            for option in self.options_of(state) {
                let worth = self.worth(option, state, bound, UPPER);
                // It is no more than the largest of where it leads.
                if worth > bar {
                    best = best.max(outwards(0.0, worth, terms).1.min(self.hull(option, bound).1));
                }
            }
            best
        })
    }

    /// Whether the policy's operator, moved downwards, stays above `bound`, which is lowered a little where it does not.
    fn is_lower_bound(&self, bound: &mut [f64], terms: usize) -> bool {
        holds_when_moved(&self.worth_something(), bound, |state, bound, _| {
            let option = self.policy[state];
            let worth = self.worth(option, state, bound, LOWER);
            // It is no less than the least of where it leads.
            let (least, _) = self.hull(option, bound);
            outwards(worth, 0.0, terms).0.max(least).min(bound[state])
        })
    }

    /// The states that are worth something.
    fn worth_something(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.count()).filter(|state| self.values[*state] > 0.0)
    }
}

/// An option that is the best of a state, or nearly.
struct Near {
    state: u32,
    option: u32,
    /// Whether all that it leads to is worth as much as the state.
    is_flat: bool,
}

/// What lies outside of a part: its least lower and its largest upper end, and how many terms an option's worth has at most.
struct Outside {
    least: f64,
    most: f64,
    terms: usize,
}

/// The ends of what lies outside.
const LOWER: usize = 0;
const UPPER: usize = 1;
