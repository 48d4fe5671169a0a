//! A small component, option by option: its values, and the quantities that a proof of bounds needs.
//!
//! Values are maximised here, without rewards, and staying for ever is worth nothing (`small_scc.rs` explains why that
//! is enough). The values outside are stored separately, so that the same component can be solved with different ones.

use std::ops::Range;

use super::tolerance::{NOISE, TOLERANCE, put};
use crate::solution::{Outwards, relative_error};
use crate::support::id;

/// Rounds of sweeps, and sweeps over the chosen options alone after each sweep over all options.
const MOST_ROUNDS: usize = 40;
const CHOSEN_SWEEPS: usize = 24;
/// The most sweeps over options that are near the best.
const FEW_SWEEPS: usize = 30;
/// Steps are overestimated by this share, so that they converge.
const STEP_TOLERANCE: f64 = 1e-3;
/// A number that is smaller than another by this share stays smaller after widening for any number of terms that
/// occurs.
const MOVED: f64 = 1e-9;
/// Options that are worse than the best by more than this many widths are not near it.
const NEAR: f64 = 4.0;
/// In place of a chosen option: none.
pub(crate) const NONE: u32 = u32::MAX;
/// Smaller values are left to other methods: underflow could matter.
pub(crate) const LEAST: f64 = 1e-200;

/// The options of a small component; reused.
#[derive(Default)]
pub(crate) struct SmallScc {
    /// Where each state's options begin; one more entry than states.
    states: Vec<u32>,
    options: Vec<SmallOption>,
    /// Other states of the component to which options lead, with their probabilities.
    inner: Vec<(u32, f64)>,
}

/// A choice of a state.
#[derive(Clone, Copy)]
struct SmallOption {
    /// Its index among the state's choices.
    number: u32,
    /// Where its targets in `inner` begin.
    first: u32,
    /// The probability of returning to the state at once.
    back: f64,
    /// One over the sum of all other probabilities.
    tries: f64,
    /// The probability of leaving the component.
    exit: f64,
}

/// A small component with the values outside of it.
#[derive(Clone, Copy)]
pub(crate) struct SmallView<'a> {
    pub(crate) scc: &'a SmallScc,
    /// The values outside where each option leads.
    pub(crate) outside: &'a [Outside],
    /// The states of value zero, whatever their options; empty if there are none.
    pub(crate) dead: &'a [bool],
}

/// The options that are the best of their states, or nearly; reused.
#[derive(Default)]
pub(crate) struct NearOptions {
    all: Vec<Near>,
    /// Where those of each state begin; one more entry than states.
    starts: Vec<u32>,
}

/// An option that is the best of a state, or nearly.
pub(crate) struct Near {
    state: u32,
    pub(crate) option: u32,
    /// Whether all its targets have the same value as the state.
    is_flat: bool,
    /// At the upper end.
    pub(crate) outside: Outside,
}

/// The values outside of a component where an option leads.
#[derive(Clone, Copy)]
pub(crate) struct Outside {
    /// What they add to the option's value.
    pub(crate) sum: f64,
    /// The least and the largest end.
    pub(crate) hull: (f64, f64),
}

/// The share of a state's value from which on options are near the best.
pub(crate) fn near_share(width: f64) -> f64 {
    1.0 - NEAR * width
}

impl SmallScc {
    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.options.clear();
        self.inner.clear();
    }

    /// Options added afterwards are those of the next state; to be called once more after the last state.
    pub(crate) fn begin_state(&mut self) {
        self.states.push(id(self.options.len()));
    }

    /// Adds a choice of a state of the component, which are given by their indices; `index_of` gives the index of a
    /// target in the component, and `outside` gets the targets that have none. Returns whether it was added: a choice
    /// that surely stays in its state is useless.
    pub(crate) fn add(
        &mut self,
        (own, number): (u32, u32),
        targets: impl Iterator<Item = (u32, f64)>,
        index_of: impl Fn(u32) -> Option<u32>,
        mut outside: impl FnMut(u32, f64),
    ) -> bool {
        let first = id(self.inner.len());
        let (mut back, mut moves, mut exit) = (0.0, 0.0, 0.0);
        for (target, probability) in targets {
            match index_of(target) {
                Some(index) if index == own => back += probability,
                Some(index) => {
                    self.inner.push((index, probability));
                    moves += probability;
                }
                None => {
                    outside(target, probability);
                    exit += probability;
                }
            }
        }
        let goes_on = moves + exit > 0.0;
        if goes_on {
            self.options.push(SmallOption { number, first, back, tries: 1.0 / (moves + exit), exit });
        }
        goes_on
    }

    /// How many states there are.
    pub(crate) fn count(&self) -> usize {
        self.states.len() - 1
    }

    /// The options of a state.
    pub(crate) fn options_of(&self, state: usize) -> Range<u32> {
        self.states[state]..self.states[state + 1]
    }

    /// The index of an option among its state's choices.
    pub(crate) fn number(&self, option: u32) -> u32 {
        self.options[option as usize].number
    }

    /// All options.
    pub(crate) fn all_options(&self) -> Range<u32> {
        0..id(self.options.len())
    }

    #[inline]
    pub(super) fn inner(&self, option: u32) -> &[(u32, f64)] {
        let option = option as usize;
        let end = self.options.get(option + 1).map_or(self.inner.len(), |next| next.first as usize);
        &self.inner[self.options[option].first as usize..end]
    }

    /// The probability that an option leaves the component.
    pub(super) fn exit(&self, option: u32) -> f64 {
        self.options[option as usize].exit
    }

    /// The targets of an option inside of the component, the probability of returning to its state at once, and one
    /// over the sum of all other probabilities.
    pub(super) fn option(&self, option: u32) -> (&[(u32, f64)], f64, f64) {
        let SmallOption { back, tries, .. } = self.options[option as usize];
        (self.inner(option), back, tries)
    }

    /// The value of an option in its state, given its contribution from outside.
    #[inline]
    pub(crate) fn worth(&self, option: u32, state: usize, values: &[f64], outside: f64) -> f64 {
        self.moved(option, values, outside) + self.options[option as usize].back * values[state]
    }

    /// The least and the largest value of the targets of an option except its own state, given those outside.
    fn hull(&self, option: u32, values: &[f64], outside: (f64, f64)) -> (f64, f64) {
        let inner = self.inner(option).iter().map(|(to, _)| values[*to as usize]);
        inner.fold(outside, |(least, most), value| (f64::min(least, value), f64::max(most, value)))
    }

    /// The same including its own state if the option can return to it at once.
    pub(super) fn whole_hull(&self, option: u32, state: usize, values: &[f64], outside: (f64, f64)) -> (f64, f64) {
        let (least, most) = self.hull(option, values, outside);
        if self.options[option as usize].back > 0.0 {
            (least.min(values[state]), most.max(values[state]))
        } else {
            (least, most)
        }
    }

    /// The value of a chosen option, rounded downwards, if it is less than its state's bound.
    pub(crate) fn lowered(
        &self,
        option: u32,
        state: usize,
        outside: Outside,
        bound: &[f64],
        outwards: Outwards,
    ) -> f64 {
        let worth = self.worth(option, state, bound, outside.sum);
        // It is no less than the least value of its targets.
        let (least, _) = self.hull(option, bound, outside.hull);
        outwards.down(worth).max(least).min(bound[state])
    }

    /// The contribution of an option's moves to other states of the component, with these values.
    #[inline]
    fn moved(&self, option: u32, values: &[f64], outside: f64) -> f64 {
        self.inner(option).iter().fold(outside, |sum, (to, probability)| sum + probability * values[*to as usize])
    }

    /// Whether play leaves the component by the policy with probability 1, or reaches a state of value zero: one of
    /// these can be reached from everywhere. `known` is a buffer.
    pub(crate) fn policy_leaves(&self, policy: &[u32], values: &[f64], known: &mut Vec<bool>) -> bool {
        let count = self.count();
        known.clear();
        known.extend(values.iter().map(|value| *value == 0.0));
        let mut left = known.iter().filter(|known| !**known).count();
        let mut before = count + 1;
        while left > 0 && left < before {
            before = left;
            for state in (0..count).rev() {
                let option = policy[state];
                let leads = || self.inner(option).iter().any(|(to, _)| known[*to as usize]);
                if !known[state] && option != NONE && (self.options[option as usize].exit > 0.0 || leads()) {
                    known[state] = true;
                    left -= 1;
                }
            }
        }
        left == 0
    }
}

/// The states with a positive value.
pub(crate) fn worth_something(values: &[f64]) -> impl Iterator<Item = usize> + Clone + '_ {
    (0..values.len()).filter(|state| values[*state] > 0.0)
}

/// The largest number of steps of a state, relative to its value.
pub(crate) fn longest(steps: &[f64], values: &[f64]) -> f64 {
    worth_something(values).map(|state| steps[state] / values[state]).fold(0.0, f64::max)
}

/// Stores in `bound` the values, each plus `slack` for each of its steps.
pub(crate) fn with_slack(values: &[f64], steps: &[f64], slack: f64, bound: &mut Vec<f64>) {
    bound.clear();
    bound.extend(values.iter().zip(steps).map(|(value, steps)| (value + slack * steps).max(0.0)));
}

/// Whether options that are not near the best need no proof that their value is at most a `bound`, for widths that are
/// no less than the error of this many `terms`.
///
/// The computed value of such an option at the `values` is less than `value (1 - 4 w)`; its exact value is at most `1 +
/// g` times that, with `g` the error of its terms; and at the bound at most `1 + 2 w` times that again, if no state's
/// bound is more than `1 + 2 w` times its value. With `w >= g`, where `g` includes eight more terms for the rounding of
/// the comparisons themselves, this is less than the value, and so less than the bound.
pub(crate) fn near_is_enough(values: &[f64], bound: &[f64], width: f64, terms: usize) -> bool {
    width >= relative_error(terms as u64 + 8)
        && values.iter().zip(bound).all(|(value, bound)| bound >= value && *bound <= value * (1.0 + 2.0 * width))
}

impl SmallView<'_> {
    fn is_dead(&self, state: usize) -> bool {
        self.dead.get(state).is_some_and(|dead| *dead)
    }

    #[inline]
    fn options_of(&self, state: usize) -> Range<u32> {
        if self.is_dead(state) { 0..0 } else { self.scc.options_of(state) }
    }

    /// The value of an option, with moves back to its own state resolved.
    #[inline]
    fn tried(&self, option: u32, values: &[f64]) -> f64 {
        self.scc.moved(option, values, self.outside[option as usize].sum) * self.scc.options[option as usize].tries
    }

    /// Sweeps forwards and backwards until the values converge, starting from the given values and a policy that may
    /// have no options yet; returns whether they do. After each sweep `follow` brings the values near those of the
    /// policy.
    pub(crate) fn values_converge(
        &self,
        policy: &mut [u32],
        values: &mut Vec<f64>,
        mut follow: impl FnMut(&[u32], &mut Vec<f64>, bool),
    ) -> bool {
        let count = self.scc.count();
        for round in 0..MOST_ROUNDS {
            let mut moved = 0.0;
            for step in 0..count {
                let state = if round % 2 == 1 { count - 1 - step } else { step };
                if self.is_dead(state) {
                    continue;
                }
                let chosen = policy[state];
                let mut own = if chosen == NONE { -1.0 } else { self.tried(chosen, values) };
                let bar = own * (1.0 + NOISE);
                let mut best = (bar, chosen);
                for option in self.options_of(state) {
                    let worth = self.tried(option, values);
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
            if moved <= TOLERANCE {
                return true;
            }
            follow(policy, values, round % 2 == 0);
        }
        false
    }

    /// A few sweeps forwards and backwards over the chosen options, until the values converge. Where no option is
    /// chosen the value stays.
    pub(crate) fn follow(&self, policy: &[u32], values: &mut [f64], backwards: bool) {
        for sweep in 0..CHOSEN_SWEEPS {
            if self.sweep(policy, values, (sweep % 2 == 0) == backwards) <= TOLERANCE {
                break;
            }
        }
    }

    /// A sweep over the chosen options. Returns the largest move, as a share of the value.
    pub(crate) fn sweep(&self, policy: &[u32], values: &mut [f64], backwards: bool) -> f64 {
        let count = policy.len();
        let mut moved = 0.0;
        for step in 0..count {
            let state = if backwards { count - 1 - step } else { step };
            if policy[state] != NONE {
                let own = self.tried(policy[state], values);
                put(&mut values[state], own, &mut moved);
            }
        }
        moved
    }

    /// Whether states whose value seems to be zero have that value: every option leads only to states of value zero.
    /// And whether no value is too small.
    pub(crate) fn zeros_hold(&self, values: &[f64]) -> bool {
        let nothing = |option: u32| {
            let worth = |to: &(u32, f64)| values[to.0 as usize];
            self.outside[option as usize].hull.1 <= 0.0 && self.scc.inner(option).iter().all(|to| worth(to) == 0.0)
        };
        (0..self.scc.count()).all(|state| match values[state] {
            0.0 => self.options_of(state).all(nothing),
            value => value > LEAST,
        })
    }

    /// The options that are near the best.
    pub(crate) fn find_near(&self, policy: &[u32], values: &[f64], width: f64, near: &mut NearOptions) {
        near.clear();
        for state in 0..self.scc.count() {
            near.begin_state();
            let bar = values[state] * near_share(width);
            for option in self.options_of(state) {
                let outside = self.outside[option as usize];
                if option == policy[state] || self.scc.worth(option, state, values, outside.sum) >= bar {
                    near.push(self.scc, option, outside, values, width);
                }
            }
        }
        near.begin_state();
    }
}

impl NearOptions {
    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.starts.clear();
    }

    /// Options added afterwards are those of the next state; to be called once more after the last state.
    pub(crate) fn begin_state(&mut self) {
        self.starts.push(id(self.all.len()));
    }

    /// Adds an option of the current state.
    pub(crate) fn push(&mut self, scc: &SmallScc, option: u32, outside: Outside, values: &[f64], width: f64) {
        let state = self.starts.len() - 1;
        let value = values[state];
        let (least, most) = scc.hull(option, values, outside.hull);
        let is_flat = least >= value * near_share(width) && most <= value * (1.0 + NEAR * width);
        self.all.push(Near { state: id(state), option, is_flat, outside });
    }

    /// The near options of a state.
    pub(crate) fn of(&self, state: usize) -> &[Near] {
        &self.all[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    /// The length of a step of an option: 0 if it leads only to targets of the same value.
    pub(crate) fn step_of(&self, state: usize, option: u32, values: &[f64]) -> f64 {
        let is_flat = self.of(state).iter().any(|near| near.option == option && near.is_flat);
        if is_flat { 0.0 } else { values[state] }
    }

    /// Raises `steps` until each is at least its value plus the mean after a step of any near option. Returns whether
    /// that was possible.
    pub(crate) fn count_steps(&self, scc: &SmallScc, values: &[f64], steps: &mut [f64]) -> bool {
        steps.iter_mut().zip(values).for_each(|(steps, value)| *steps = steps.max(*value));
        (0..FEW_SWEEPS).any(|_| self.sweep_steps(scc, values, steps))
    }

    /// A sweep over options. Returns whether the steps have converged.
    fn sweep_steps(&self, scc: &SmallScc, values: &[f64], steps: &mut [f64]) -> bool {
        let mut converged = true;
        for Near { state, option, is_flat, .. } in self.all.iter().rev() {
            let state = *state as usize;
            let step = if *is_flat { 0.0 } else { values[state] };
            let own = scc.moved(*option, steps, step) * scc.options[*option as usize].tries;
            if own > steps[state] * (1.0 + STEP_TOLERANCE) {
                steps[state] = own * (1.0 + STEP_TOLERANCE);
                converged = false;
            }
        }
        converged
    }

    /// The result of Bellman's operator for a state's bound, rounded upwards, if it is more. Only options near the best
    /// are considered: see [`near_is_enough`].
    pub(crate) fn raised(&self, scc: &SmallScc, state: usize, bound: &[f64], outwards: Outwards) -> f64 {
        // Smaller values cannot exceed the bound after widening.
        let bar = bound[state] * (1.0 - MOVED);
        let mut best = bound[state];
        for Near { option, outside, .. } in self.of(state) {
            let worth = scc.worth(*option, state, bound, outside.sum);
            if worth > bar && outwards.up(worth) > best {
                // It is no more than the largest value of its targets.
                best = best.max(outwards.up(worth).min(scc.hull(*option, bound, outside.hull).1));
            }
        }
        best
    }
}
