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

use super::policy::RESTS;
use super::prove::holds_when_moved;
use super::small::{LEAST, NONE, Near, SmallPart, SmallView, longest, with_slack, worth_something};
use crate::bounds::relative_error;
use crate::ends::Ends;
use crate::method::Method;
use crate::model::StateId;
use crate::objective::Objective;
use crate::sense::Sense;

/// Larger parts are left to others.
const MOST_STATES: usize = 256;
/// The most sweeps over the chosen options that follow.
const MOST_SWEEPS: usize = 400;
const MOST_TERMS: usize = 1 << 20;

/// What a thread needs for small parts; reused.
#[derive(Default)]
pub(crate) struct Plain {
    part: SmallPart,
    /// What lies outside adds to the worth of each option, at the lower and at the upper end, and its hull.
    outside: [Vec<f64>; 2],
    hulls: Vec<(f64, f64)>,
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
        if !(self.values_rest(least) && self.prove(terms, width)) {
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
        self.part.clear();
        self.outside.iter_mut().for_each(Vec::clear);
        self.hulls.clear();
        let mut outside = Outside { least: f64::INFINITY, most: 0.0, terms: 0 };
        // What options that leave lead to for certain: the most of one option, the least of all options of a state.
        let mut certain = (-1.0, f64::INFINITY);
        for state in part.clone() {
            self.part.begin_state();
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
                let mut own = [0.0; 2];
                let mut hull = (f64::INFINITY, -1.0f64);
                let targets = choice.targets.iter().zip(weights.probabilities(choice.weights).iter().copied());
                let added = self.part.add(part, state, targets, |target, probability| {
                    let (lower, upper) = ends.of(target);
                    hull = (hull.0.min(lower), hull.1.max(upper));
                    own[0] += probability * lower;
                    own[1] += probability * upper;
                });
                if hull.1 >= 0.0 {
                    (outside.least, outside.most) = (outside.least.min(hull.0), outside.most.max(hull.1));
                    all = (all.0.min(hull.0), all.1.max(hull.1));
                    if hull.0 == hull.1 {
                        certain.0 = f64::max(certain.0, hull.0);
                    }
                }
                if added {
                    self.outside.iter_mut().zip(own).for_each(|(all, own)| all.push(own));
                    self.hulls.push(hull);
                }
            }
            if all.0 == all.1 {
                certain.1 = f64::min(certain.1, all.0);
            }
        }
        self.part.begin_state();
        // What is worth nothing is seen by its value.
        let decided = certain.0 == outside.most || outside.least > 0.0 && certain.1 == outside.least;
        (!decided && outside.most > LEAST && outside.terms < MOST_TERMS).then_some(outside)
    }

    /// Finds values, at the upper end of what lies outside, and a policy that leaves the part; says whether it could.
    fn values_rest(&mut self, least: f64) -> bool {
        let Self { part, outside: [_, outside], hulls, policy, values, leaves, .. } = self;
        let upper = SmallView { part, outside, hulls, dead: &[] };
        values.clear();
        values.resize(part.count(), 0.0);
        policy.clear();
        policy.resize(part.count(), NONE);
        // Where the outside is worth something, only who cannot leave gets nothing: that is left to others.
        upper.values_rest(policy, values)
            && (least == 0.0 || !values.contains(&0.0))
            && upper.zeros_hold(values)
            && part.policy_leaves(policy, values, leaves)
    }

    /// Guesses bounds around the values and proves them: see `prove.rs`.
    fn prove(&mut self, terms: usize, width: f64) -> bool {
        let Self { part, outside: [at_lower, at_upper], hulls, policy, values, near, steps, lower, upper, .. } = self;
        let view = |outside| SmallView { part, outside, hulls, dead: &[] };
        let (at_lower, at_upper) = (view(at_lower), view(at_upper));
        lower.clear();
        lower.extend_from_slice(values);
        // At the lower end of the outside the value of any policy is a bound.
        let rests = (0..MOST_SWEEPS).any(|sweep| at_lower.sweep(policy, lower, sweep % 2 == 1) <= RESTS);
        if !(rests && at_upper.count_steps(policy, values, width, near, steps)) {
            return false;
        }
        let longest = longest(steps, values);
        let mut slack = relative_error(terms as u64 + 8);
        let low = lower.clone();
        let mut proved = false;
        while !proved && slack * longest <= width {
            with_slack(values, steps, slack, upper);
            with_slack(&low, steps, -slack, lower);
            let states = worth_something(values);
            proved = holds_when_moved(&states, upper, |state, bound, _| at_upper.raised(state, bound, terms))
                && holds_when_moved(&states, lower, |state, bound, _| {
                    at_lower.lowered(state, policy[state], bound, terms)
                });
            slack *= 2.0;
        }
        proved
    }
}

/// What lies outside of a part: its least lower and its largest upper end, and how many terms an option's worth has at most.
struct Outside {
    least: f64,
    most: f64,
    terms: usize,
}
