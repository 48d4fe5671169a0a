//! A small cyclic part, looked at option by option: its values, and what a proof of bounds around them needs.
//!
//! More is better here, and nothing is earned on the way, nor by staying for ever (`small_scc.rs` says why that is enough). What
//! lies outside of the part is told beside it, so that the same part can be looked at with different values outside.

use std::ops::Range;

use super::rest::{NOISE, RESTS, put};
use crate::solution::{Outwards, relative_error};
use crate::support::id;

/// Rounds of sweeps, and sweeps over the chosen options alone after each over all options.
const MOST_ROUNDS: usize = 40;
const CHOSEN_SWEEPS: usize = 24;
/// The most sweeps over options that are near the best.
const FEW_SWEEPS: usize = 30;
/// That much more steps are counted, so that they come to rest.
const STEPS_REST: f64 = 1e-3;
/// A number that is smaller than another by this share stays smaller when it is moved outwards by what so many terms ask for.
const MOVED: f64 = 1e-9;
/// Options that bring less than the best by more than so many widths are not near it.
const NEAR: f64 = 4.0;
/// In place of an option that is chosen: none is.
pub(crate) const NONE: u32 = u32::MAX;
/// Values that are smaller are left to others: what is lost where numbers end could count.
pub(crate) const LEAST: f64 = 1e-200;

/// The options of a small part; reused.
#[derive(Default)]
pub(crate) struct SmallPart {
    /// Where each state's options begin; one more entry than states.
    states: Vec<u32>,
    options: Vec<SmallOption>,
    /// Other states of the part to which options lead, and with what probability.
    inner: Vec<(u32, f64)>,
}

/// A choice of a state.
#[derive(Clone, Copy)]
struct SmallOption {
    /// Its place among the state's choices.
    number: u32,
    /// Where its targets in `inner` begin.
    first: u32,
    /// The probability to come back to the state at once.
    back: f64,
    /// One over the sum of all other probabilities.
    tries: f64,
    /// The probability to leave the part.
    exit: f64,
}

/// A small part with what lies outside of it.
#[derive(Clone, Copy)]
pub(crate) struct SmallView<'a> {
    pub(crate) part: &'a SmallPart,
    /// What lies outside where each option leads.
    pub(crate) outside: &'a [Outside],
    /// The states that are worth nothing, whatever their options; none where this is empty.
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
    /// Whether all that it leads to is worth as much as the state.
    is_flat: bool,
    /// At the upper end.
    pub(crate) outside: Outside,
}

/// What lies outside of a part where an option leads.
#[derive(Clone, Copy)]
pub(crate) struct Outside {
    /// What it adds to the option's worth.
    pub(crate) sum: f64,
    /// The least and the largest end.
    pub(crate) hull: (f64, f64),
}

/// From which share of a state's value on options are near the best.
pub(crate) fn near_share(width: f64) -> f64 {
    1.0 - NEAR * width
}

impl SmallPart {
    pub(crate) fn clear(&mut self) {
        self.states.clear();
        self.options.clear();
        self.inner.clear();
    }

    /// The options that follow are those of the next state; after the last state nothing follows.
    pub(crate) fn begin_state(&mut self) {
        self.states.push(id(self.options.len()));
    }

    /// Adds a choice of a state of the part, which are given by their places; `place_of` says which places its targets have
    /// in the part, and `outside` gets those that have none. Says whether it was added: who stays where he is for certain
    /// gets nothing by it.
    pub(crate) fn add(
        &mut self,
        (own, number): (u32, u32),
        targets: impl Iterator<Item = (u32, f64)>,
        place_of: impl Fn(u32) -> Option<u32>,
        mut outside: impl FnMut(u32, f64),
    ) -> bool {
        let first = id(self.inner.len());
        let (mut back, mut moves, mut exit) = (0.0, 0.0, 0.0);
        for (target, probability) in targets {
            match place_of(target) {
                Some(place) if place == own => back += probability,
                Some(place) => {
                    self.inner.push((place, probability));
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

    /// The place of an option among its state's choices.
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

    /// The probability that an option leads out of the part.
    pub(super) fn exit(&self, option: u32) -> f64 {
        self.options[option as usize].exit
    }

    /// Where an option leads inside of the part, the probability to come back to its state at once, and one over the sum of
    /// all others.
    pub(super) fn option(&self, option: u32) -> (&[(u32, f64)], f64, f64) {
        let SmallOption { back, tries, .. } = self.options[option as usize];
        (self.inner(option), back, tries)
    }

    /// What an option is worth in its state, if it brings so much from outside.
    #[inline]
    pub(crate) fn worth(&self, option: u32, state: usize, values: &[f64], outside: f64) -> f64 {
        self.moved(option, values, outside) + self.options[option as usize].back * values[state]
    }

    /// The least and the largest of where an option leads but for its own state, where outside it is this.
    fn hull(&self, option: u32, values: &[f64], outside: (f64, f64)) -> (f64, f64) {
        let inner = self.inner(option).iter().map(|(to, _)| values[*to as usize]);
        inner.fold(outside, |(least, most), value| (f64::min(least, value), f64::max(most, value)))
    }

    /// The same, its own state counted if the option can lead back to it at once.
    pub(super) fn whole_hull(&self, option: u32, state: usize, values: &[f64], outside: (f64, f64)) -> (f64, f64) {
        let (least, most) = self.hull(option, values, outside);
        if self.options[option as usize].back > 0.0 {
            (least.min(values[state]), most.max(values[state]))
        } else {
            (least, most)
        }
    }

    /// What an option that is chosen, moved downwards, makes of its state's bound, if that is less.
    pub(crate) fn lowered(
        &self,
        option: u32,
        state: usize,
        outside: Outside,
        bound: &[f64],
        outwards: Outwards,
    ) -> f64 {
        let worth = self.worth(option, state, bound, outside.sum);
        // It is no less than the least of where it leads.
        let (least, _) = self.hull(option, bound, outside.hull);
        outwards.down(worth).max(least).min(bound[state])
    }

    /// What an option brings that moves on, in a part with these values.
    #[inline]
    fn moved(&self, option: u32, values: &[f64], outside: f64) -> f64 {
        self.inner(option).iter().fold(outside, |sum, (to, probability)| sum + probability * values[*to as usize])
    }

    /// Whether play leaves the part by the policy with probability 1, or comes to where there is nothing to be had: that can
    /// be reached from everywhere. `known` is a buffer.
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

/// The states that are worth something.
pub(crate) fn worth_something(values: &[f64]) -> impl Iterator<Item = usize> + Clone + '_ {
    (0..values.len()).filter(|state| values[*state] > 0.0)
}

/// The most steps that are counted of a state, each as its value.
pub(crate) fn longest(steps: &[f64], values: &[f64]) -> f64 {
    worth_something(values).map(|state| steps[state] / values[state]).fold(0.0, f64::max)
}

/// Puts into `bound` the values, each with so much `slack` for each of its steps.
pub(crate) fn with_slack(values: &[f64], steps: &[f64], slack: f64, bound: &mut Vec<f64>) {
    bound.clear();
    bound.extend(values.iter().zip(steps).map(|(value, steps)| (value + slack * steps).max(0.0)));
}

/// Whether options that are not near the best need no proof that they bring no more than a `bound`, for widths that are no
/// less than the error of so many `terms`.
///
/// What such an option brings at the `values`, computed, is less than `value (1 - 4 w)`, exactly not more than `1 + g` times
/// that, with `g` the error of its terms; and at the bound not more than `1 + 2 w` times that again, if no state's bound is
/// more than `1 + 2 w` times its value. With `w >= g` and what the comparisons themselves round (`g` is of eight terms more)
/// this is less than the value, and the bound is not.
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
        if self.is_dead(state) { 0..0 } else { self.part.options_of(state) }
    }

    /// What an option is worth, where what leads back to its state at once is tried again.
    #[inline]
    fn tried(&self, option: u32, values: &[f64]) -> f64 {
        self.part.moved(option, values, self.outside[option as usize].sum) * self.part.options[option as usize].tries
    }

    /// Sweeps to and fro until the values rest, from those that are given and a policy that may have no option yet; says
    /// whether they do. After each sweep `follow` brings the values near those of the policy.
    pub(crate) fn values_rest(
        &self,
        policy: &mut [u32],
        values: &mut Vec<f64>,
        mut follow: impl FnMut(&[u32], &mut Vec<f64>, bool),
    ) -> bool {
        let count = self.part.count();
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
            if moved <= RESTS {
                return true;
            }
            follow(policy, values, round % 2 == 0);
        }
        false
    }

    /// A few sweeps to and fro over the chosen options, until the values rest. Where no option is chosen the value stays.
    pub(crate) fn follow(&self, policy: &[u32], values: &mut [f64], backwards: bool) {
        for sweep in 0..CHOSEN_SWEEPS {
            if self.sweep(policy, values, (sweep % 2 == 0) == backwards) <= RESTS {
                break;
            }
        }
    }

    /// A sweep over the chosen options: the largest move, as a share of the value.
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

    /// Whether what seems to be worth nothing is: every option leads only to what is worth nothing. And no value is too small.
    pub(crate) fn zeros_hold(&self, values: &[f64]) -> bool {
        let nothing = |option: u32| {
            let worth = |to: &(u32, f64)| values[to.0 as usize];
            self.outside[option as usize].hull.1 <= 0.0 && self.part.inner(option).iter().all(|to| worth(to) == 0.0)
        };
        (0..self.part.count()).all(|state| match values[state] {
            0.0 => self.options_of(state).all(nothing),
            value => value > LEAST,
        })
    }

    /// The options that are near the best.
    pub(crate) fn find_near(&self, policy: &[u32], values: &[f64], width: f64, near: &mut NearOptions) {
        near.clear();
        for state in 0..self.part.count() {
            near.begin_state();
            let bar = values[state] * near_share(width);
            for option in self.options_of(state) {
                let outside = self.outside[option as usize];
                if option == policy[state] || self.part.worth(option, state, values, outside.sum) >= bar {
                    near.push(self.part, option, outside, values, width);
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

    /// The options that follow are those of the next state; after the last state nothing follows.
    pub(crate) fn begin_state(&mut self) {
        self.starts.push(id(self.all.len()));
    }

    /// Adds an option of the state at hand.
    pub(crate) fn push(&mut self, part: &SmallPart, option: u32, outside: Outside, values: &[f64], width: f64) {
        let state = self.starts.len() - 1;
        let value = values[state];
        let (least, most) = part.hull(option, values, outside.hull);
        let is_flat = least >= value * near_share(width) && most <= value * (1.0 + NEAR * width);
        self.all.push(Near { state: id(state), option, is_flat, outside });
    }

    /// Those of a state.
    pub(crate) fn of(&self, state: usize) -> &[Near] {
        &self.all[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    /// What the step of an option counts: that of one that leads only to what is worth as much counts nothing.
    pub(crate) fn step_of(&self, state: usize, option: u32, values: &[f64]) -> f64 {
        let is_flat = self.of(state).iter().any(|near| near.option == option && near.is_flat);
        if is_flat { 0.0 } else { values[state] }
    }

    /// Raises `steps` until each is at least its value and what it is after a step of an option that is nearly the best. Says
    /// whether it could.
    pub(crate) fn count_steps(&self, part: &SmallPart, values: &[f64], steps: &mut [f64]) -> bool {
        steps.iter_mut().zip(values).for_each(|(steps, value)| *steps = steps.max(*value));
        (0..FEW_SWEEPS).any(|_| self.sweep_steps(part, values, steps))
    }

    /// A sweep over options: whether the steps rest.
    fn sweep_steps(&self, part: &SmallPart, values: &[f64], steps: &mut [f64]) -> bool {
        let mut rest = true;
        for Near { state, option, is_flat, .. } in self.all.iter().rev() {
            let state = *state as usize;
            let step = if *is_flat { 0.0 } else { values[state] };
            let own = part.moved(*option, steps, step) * part.options[*option as usize].tries;
            if own > steps[state] * (1.0 + STEPS_REST) {
                steps[state] = own * (1.0 + STEPS_REST);
                rest = false;
            }
        }
        rest
    }

    /// What Bellman's operator, moved upwards, makes of a state's bound, if that is more. Only options are looked at that are
    /// near the best: see [`near_is_enough`].
    pub(crate) fn raised(&self, part: &SmallPart, state: usize, bound: &[f64], outwards: Outwards) -> f64 {
        // What is less is not moved beyond the bound.
        let bar = bound[state] * (1.0 - MOVED);
        let mut best = bound[state];
        for Near { option, outside, .. } in self.of(state) {
            let worth = part.worth(*option, state, bound, outside.sum);
            if worth > bar && outwards.up(worth) > best {
                // It is no more than the largest of where it leads.
                best = best.max(outwards.up(worth).min(part.hull(*option, bound, outside.hull).1));
            }
        }
        best
    }
}
