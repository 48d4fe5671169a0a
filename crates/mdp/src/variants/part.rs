//! A small cyclic part in all variants: what it says is read once.
//!
//! As in `part_bounds/plain.rs`, whose proof this is: a value that Bellman's operator does not raise is an upper bound, and
//! one that a policy's operator does not lower is a lower bound where that policy leaves the part. Here numbers outside of
//! the part are taken as they are.

use std::ops::Range;

use super::{LEAST_VALUE, Variants, below};
use crate::bounds::relative_error;
use crate::ends::outwards;
use crate::model::StateId;
use crate::part_bounds::put;
use crate::places::id;

/// Larger parts are left to others.
const MOST_STATES: usize = 1 << 12;
/// Rounds of sweeps, and sweeps over the chosen options alone after each over all options.
const MOST_ROUNDS: usize = 60;
const CHOSEN_SWEEPS: usize = 24;
/// The most sweeps over options that are near the best.
const FEW_SWEEPS: usize = 30;
/// That much more steps are counted, so that they come to rest.
const STEPS_REST: f64 = 1e-3;
/// A sweep that moves no value by a larger share has come to rest.
const RESTS: f64 = 1e-15;
/// Options that are better by less than this share are as good.
const NOISE: f64 = 1e-14;
/// A number that is smaller than another by this share stays smaller when it is moved outwards.
const MOVED: f64 = 1e-9;
const NONE: u32 = u32::MAX;

/// What is needed for parts; reused.
#[derive(Default)]
pub(super) struct PartSolver {
    /// Where each state's options begin; one more entry than states.
    states: Vec<u32>,
    /// One more entry than options.
    options: Vec<PartOption>,
    /// Other states of the part to which options lead, and with what probability; and states outside of it.
    inner: Vec<(u32, f64)>,
    outer: Vec<(StateId, f64)>,
    /// The most terms of an option's worth.
    terms: usize,
    /// What lies outside, for each option in each variant; and in the variant at hand.
    all_outside: Vec<Outside>,
    outside: Vec<Outside>,
    /// Whether each state is worth nothing in the variant at hand.
    dead: Vec<bool>,
    policy: Vec<u32>,
    values: Vec<f64>,
    bound: Vec<f64>,
    near: Vec<(u32, u32, bool)>,
    steps: Vec<f64>,
    leaves: Vec<bool>,
}

/// A choice of a state.
#[derive(Clone, Copy)]
struct PartOption {
    /// Where its targets begin inside, and outside.
    inner: u32,
    outer: u32,
    /// The probability to come back to the state at once.
    back: f64,
    /// One over the sum of all other probabilities.
    tries: f64,
}

/// What lies outside of a part where an option leads.
#[derive(Clone, Copy)]
struct Outside {
    /// What it adds to the option's worth.
    sum: f64,
    /// The least and the largest value.
    hull: (f64, f64),
}

impl PartSolver {
    /// Puts the values of a part's states in their places; says how far they can be off, as a share. Nothing where it must
    /// be solved in another way.
    pub(super) fn solve(
        &mut self,
        variants: &Variants<'_>,
        part: &Range<StateId>,
        width: f64,
        values: &mut [f64],
    ) -> Option<f64> {
        if part.len() > MOST_STATES {
            return None;
        }
        self.read(variants, part);
        self.look_outside(variants.count, values);
        self.policy.clear();
        self.policy.resize(part.len(), NONE);
        let mut widest: f64 = 0.0;
        for variant in 0..variants.count {
            self.dead.clear();
            let living = &variants.living[part.start as usize..part.end as usize];
            self.dead.extend(living.iter().map(|living| usize::from(*living) <= variant));
            widest = widest.max(self.solve_one(variant, variants.count, width)?);
            for (state, value) in part.clone().zip(&self.values) {
                values[state as usize * variants.count + variant] = below(*value);
            }
        }
        Some(widest)
    }

    /// Reads the part's options.
    fn read(&mut self, variants: &Variants<'_>, part: &Range<StateId>) {
        let model = variants.model;
        self.states.clear();
        self.options.clear();
        self.inner.clear();
        self.outer.clear();
        // What is behind probabilities counts like terms.
        let behind = usize::try_from(variants.chances.map_or(0, |own| own.roundings)).unwrap_or(usize::MAX);
        self.terms = 0;
        for state in part.clone() {
            self.states.push(id(self.options.len()));
            for choice in model.choices(state) {
                let (inner, outer) = (id(self.inner.len()), id(self.outer.len()));
                let (mut back, mut others) = (0.0, 0.0);
                for (target, probability) in choice.targets.iter().zip(variants.probabilities(choice.weights)) {
                    if *probability == 0.0 {
                        continue;
                    }
                    if target == state {
                        back += probability;
                        continue;
                    }
                    others += probability;
                    if part.contains(&target) {
                        self.inner.push((target - part.start, *probability));
                    } else {
                        self.outer.push((target, *probability));
                    }
                }
                self.terms = self.terms.max(choice.targets.len() + 1 + behind);
                // Who stays where he is for certain gets nothing by it.
                if others > 0.0 {
                    self.options.push(PartOption { inner, outer, back, tries: 1.0 / others });
                }
            }
        }
        self.states.push(id(self.options.len()));
        let (inner, outer) = (id(self.inner.len()), id(self.outer.len()));
        self.options.push(PartOption { inner, outer, back: 0.0, tries: 0.0 });
    }

    /// What lies outside in all variants, option by option.
    fn look_outside(&mut self, count: usize, values: &[f64]) {
        let nothing = Outside { sum: 0.0, hull: (f64::INFINITY, 0.0) };
        self.all_outside.clear();
        self.all_outside.resize((self.options.len() - 1) * count, nothing);
        for (all, both) in self.all_outside.chunks_exact_mut(count).zip(self.options.windows(2)) {
            for (target, probability) in &self.outer[both[0].outer as usize..both[1].outer as usize] {
                for (own, value) in all.iter_mut().zip(&values[*target as usize * count..]) {
                    own.sum += probability * value;
                    own.hull = (own.hull.0.min(*value), own.hull.1.max(*value));
                }
            }
        }
    }

    /// The values in one variant, and how far they can be off.
    fn solve_one(&mut self, variant: usize, count: usize, width: f64) -> Option<f64> {
        self.outside.clear();
        self.outside.extend(self.all_outside.iter().skip(variant).step_by(count));
        if self.outside.iter().all(|own| own.sum == 0.0) {
            self.values.clear();
            self.values.resize(self.dead.len(), 0.0);
            return Some(0.0);
        }
        (self.values_rest() && self.zeros_hold() && self.policy_leaves()).then(|| self.prove(width))?
    }

    fn count(&self) -> usize {
        self.states.len() - 1
    }

    #[inline]
    fn options_of(&self, state: usize) -> Range<u32> {
        if self.dead[state] { 0..0 } else { self.states[state]..self.states[state + 1] }
    }

    #[inline]
    fn inner(&self, option: u32) -> &[(u32, f64)] {
        let option = option as usize;
        &self.inner[self.options[option].inner as usize..self.options[option + 1].inner as usize]
    }

    /// What an option brings that moves on, in a part with these values.
    #[inline]
    fn moved(&self, option: u32, values: &[f64], outside: f64) -> f64 {
        self.inner(option).iter().fold(outside, |sum, (to, probability)| sum + probability * values[*to as usize])
    }

    /// What an option is worth, where what leads back to its state at once is tried again.
    #[inline]
    fn tried(&self, option: u32, values: &[f64]) -> f64 {
        self.moved(option, values, self.outside[option as usize].sum) * self.options[option as usize].tries
    }

    /// What an option is worth in its state.
    #[inline]
    fn worth(&self, option: u32, state: usize, values: &[f64]) -> f64 {
        self.moved(option, values, self.outside[option as usize].sum)
            + self.options[option as usize].back * values[state]
    }

    /// Sweeps to and fro until the values rest; says whether they do.
    fn values_rest(&mut self) -> bool {
        let count = self.count();
        let (mut values, mut policy) = (std::mem::take(&mut self.values), std::mem::take(&mut self.policy));
        values.clear();
        values.resize(count, 0.0);
        for (chosen, dead) in policy.iter_mut().zip(&self.dead) {
            if *dead {
                *chosen = NONE;
            }
        }
        // What was best in the variant before is nearly so here.
        if policy.iter().zip(&self.dead).all(|(chosen, dead)| *dead || *chosen != NONE) {
            for sweep in 0..CHOSEN_SWEEPS {
                if self.sweep(&policy, &mut values, sweep % 2 == 1) <= RESTS {
                    break;
                }
            }
        }
        let mut rests = false;
        'rounds: for round in 0..MOST_ROUNDS {
            let mut moved = 0.0;
            for step in 0..count {
                let state = if round % 2 == 1 { count - 1 - step } else { step };
                if self.dead[state] {
                    continue;
                }
                let chosen = policy[state];
                let mut own = if chosen == NONE { -1.0 } else { self.tried(chosen, &values) };
                let mut best = (own * (1.0 + NOISE), chosen);
                for option in self.options_of(state) {
                    let worth = self.tried(option, &values);
                    if worth > best.0 {
                        best = (worth, option);
                        own = worth;
                    }
                }
                if best.1 == NONE {
                    break 'rounds;
                }
                policy[state] = best.1;
                put(&mut values[state], own, &mut moved);
            }
            rests = moved <= RESTS;
            if rests {
                break;
            }
            for sweep in 0..CHOSEN_SWEEPS {
                if self.sweep(&policy, &mut values, sweep % 2 == round % 2) <= RESTS {
                    break;
                }
            }
        }
        (self.values, self.policy) = (values, policy);
        rests
    }

    /// A sweep over the chosen options: the largest move, as a share of the value.
    fn sweep(&self, policy: &[u32], values: &mut [f64], backwards: bool) -> f64 {
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
    fn zeros_hold(&self) -> bool {
        let nothing = |option: u32| {
            self.outside[option as usize].sum == 0.0
                && self.inner(option).iter().all(|(to, _)| self.values[*to as usize] == 0.0)
        };
        (0..self.count()).all(|state| match self.values[state] {
            0.0 => self.options_of(state).all(nothing),
            value => value > LEAST_VALUE,
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
                if known[state] || option == NONE {
                    continue;
                }
                let own = &self.options[option as usize..][..2];
                if own[0].outer < own[1].outer || self.inner(option).iter().any(|(to, _)| known[*to as usize]) {
                    known[state] = true;
                    left -= 1;
                }
            }
        }
        self.leaves = known;
        left == 0
    }

    /// Guesses bounds around the values and proves them: how far they are apart from the values, as a share.
    fn prove(&mut self, width: f64) -> Option<f64> {
        if !self.count_steps(width) {
            return None;
        }
        let longest = self.worth_something().map(|state| self.steps[state] / self.values[state]).fold(0.0, f64::max);
        let mut slack = relative_error(self.terms as u64 + 8);
        let mut bound = std::mem::take(&mut self.bound);
        let mut proved = None;
        while proved.is_none() && slack * longest <= width {
            let moved = |sign: f64, bound: &mut Vec<f64>| {
                bound.clear();
                let values = self.values.iter().zip(&self.steps);
                bound.extend(values.map(|(value, steps)| (value + sign * slack * steps).max(0.0)));
            };
            moved(1.0, &mut bound);
            let upper = self.is_upper_bound(&mut bound).then(|| self.farthest(&bound));
            moved(-1.0, &mut bound);
            let lower = self.is_lower_bound(&mut bound).then(|| self.farthest(&bound));
            proved = upper.zip(lower).map(|(upper, lower)| upper.max(lower));
            slack *= 2.0;
        }
        self.bound = bound;
        proved
    }

    /// How far bounds are from the values, as a share.
    fn farthest(&self, bound: &[f64]) -> f64 {
        let apart = |state: usize| (bound[state] - self.values[state]).abs() / self.values[state];
        self.worth_something().map(apart).fold(0.0, f64::max) * (1.0 + 8.0 * f64::EPSILON)
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
                if option == self.policy[state] || self.worth(option, state, &self.values) >= value * (1.0 - gap) {
                    let (least, most) = self.hull(option, &self.values);
                    near.push((id(state), option, least >= value * (1.0 - gap) && most <= value * (1.0 + gap)));
                }
            }
        }
        steps.clear();
        steps.extend_from_slice(&self.values);
        let rest = (0..FEW_SWEEPS).any(|_| self.sweep_steps(&near, &mut steps));
        (self.near, self.steps) = (near, steps);
        rest
    }

    /// The least and the largest of where an option leads.
    fn hull(&self, option: u32, values: &[f64]) -> (f64, f64) {
        let hull = self.outside[option as usize].hull;
        let inner = self.inner(option).iter().map(|(to, _)| values[*to as usize]);
        inner.fold(hull, |(least, most), value| (f64::min(least, value), f64::max(most, value)))
    }

    /// A sweep over options: whether the steps rest.
    fn sweep_steps(&self, near: &[(u32, u32, bool)], steps: &mut [f64]) -> bool {
        let mut rest = true;
        for (state, option, is_flat) in near.iter().rev() {
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
    fn is_upper_bound(&self, bound: &mut [f64]) -> bool {
        self.holds_when_moved(bound, |state, bound| {
            // What is less is not moved beyond the bound.
            let bar = bound[state] * (1.0 - MOVED);
            let mut best = bound[state];
            for option in self.options_of(state) {
                let worth = self.worth(option, state, bound);
                if worth > bar {
                    // It is no more than the largest of where it leads.
                    best = best.max(outwards(0.0, worth, self.terms).1.min(self.hull(option, bound).1));
                }
            }
            best
        })
    }

    /// Whether the policy's operator, moved downwards, stays above `bound`, which is lowered a little where it does not.
    fn is_lower_bound(&self, bound: &mut [f64]) -> bool {
        self.holds_when_moved(bound, |state, bound| {
            let option = self.policy[state];
            // It is no less than the least of where it leads.
            let worth = outwards(self.worth(option, state, bound), 0.0, self.terms).0;
            worth.max(self.hull(option, bound).0).min(bound[state])
        })
    }

    /// Puts in place of every bound what `moved` makes of it, to and fro, until it stays as it is: then it is proved. Where
    /// play goes on for certain from state to state a bound that is moved moves all of them, one after another.
    fn holds_when_moved(&self, bound: &mut [f64], moved: impl Fn(usize, &[f64]) -> f64) -> bool {
        const TRIES: usize = 40;
        let count = self.count();
        (0..TRIES).any(|round| {
            let mut holds = true;
            for step in 0..count {
                let state = if round % 2 == 1 { count - 1 - step } else { step };
                if self.values[state] > 0.0 {
                    let own = moved(state, bound);
                    holds &= own == bound[state];
                    bound[state] = own;
                }
            }
            holds
        })
    }

    /// The states that are worth something.
    fn worth_something(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.count()).filter(|state| self.values[*state] > 0.0)
    }
}
