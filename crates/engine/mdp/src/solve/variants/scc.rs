//! A small component in all variants: its options are read once.
//!
//! As in `scc_bounds/small_scc.rs`, whose proof this is: a value that Bellman's operator does not raise is an upper
//! bound, and one that a policy's operator does not lower is a lower bound where that policy leaves the component. Here
//! numbers outside of the component are taken as they are.

use super::given::{Variants, below};
use crate::model::{Scc, StateId};
use crate::solution::{Outwards, relative_error};
use crate::solve::scc_bounds::{
    NONE, NearOptions, Outside, SmallScc, SmallView, longest, near_is_enough, with_slack, worth_something,
};
use crate::support::id;

/// Larger components are left to other methods.
const MOST_STATES: usize = 1 << 12;

/// The buffers for components; reused.
#[derive(Default)]
pub(super) struct SccSolver {
    scc: SmallScc,
    /// The states outside of the component to which options lead, with their probabilities; and where those of each
    /// option end.
    outer: Vec<(StateId, f64)>,
    outer_ends: Vec<u32>,
    /// The most terms of an option's value.
    terms: usize,
    /// The values outside, for each option in each variant.
    all_outside: Vec<Outside>,
    /// The same in the current variant.
    outside: Vec<Outside>,
    /// Whether each state has value 0 in the current variant.
    dead: Vec<bool>,
    policy: Vec<u32>,
    values: Vec<f64>,
    bound: Vec<f64>,
    near: NearOptions,
    steps: Vec<f64>,
    leaves: Vec<bool>,
}

impl SccSolver {
    /// Stores the values of a component's states, and returns their relative error. `None` where it must be solved by
    /// another method.
    pub(super) fn solve(&mut self, variants: &Variants<'_>, scc: Scc, width: f64, values: &mut [f64]) -> Option<f64> {
        if scc.size() > MOST_STATES {
            return None;
        }
        self.read(variants, scc);
        self.look_outside(variants.count, values);
        self.policy.clear();
        self.policy.resize(scc.size(), NONE);
        let mut widest: f64 = 0.0;
        for variant in 0..variants.count {
            self.dead.clear();
            let living = scc.iter().map(|state| variants.living[state as usize]);
            self.dead.extend(living.map(|living| usize::from(living) <= variant));
            widest = widest.max(self.solve_one(variant, variants.count, width)?);
            for (state, value) in scc.iter().zip(&self.values) {
                values[state as usize * variants.count + variant] = below(*value);
            }
        }
        Some(widest)
    }

    /// Reads the component's options.
    fn read(&mut self, variants: &Variants<'_>, scc: Scc) {
        let Self { scc: own, outer, outer_ends, terms, .. } = self;
        own.clear();
        outer.clear();
        outer_ends.clear();
        // Roundings of probabilities count like terms.
        let behind = usize::try_from(variants.chances.map_or(0, |own| own.roundings)).unwrap_or(usize::MAX);
        *terms = 0;
        for (index, state) in (0..).zip(scc.iter()) {
            own.begin_state();
            for (number, choice) in (0..).zip(variants.model.choices(state)) {
                let targets = choice.targets.iter().zip(variants.probabilities(choice.weights).iter().copied());
                let possible = targets.filter(|(_, probability)| *probability > 0.0);
                *terms = choice.targets.len().saturating_add(1 + behind).max(*terms);
                if own.add(
                    (index, number),
                    possible,
                    |target| scc.index_of(target),
                    |target, probability| outer.push((target, probability)),
                ) {
                    outer_ends.push(id(outer.len()));
                }
            }
        }
        own.begin_state();
    }

    /// The values outside in all variants, option by option.
    fn look_outside(&mut self, count: usize, values: &[f64]) {
        let nothing = Outside { sum: 0.0, hull: (f64::INFINITY, -1.0) };
        self.all_outside.clear();
        self.all_outside.resize(self.scc.all_options().len() * count, nothing);
        let mut first = 0;
        for (all, end) in self.all_outside.chunks_exact_mut(count).zip(&self.outer_ends) {
            for (target, probability) in &self.outer[first..*end as usize] {
                for (own, value) in all.iter_mut().zip(&values[*target as usize * count..]) {
                    own.sum += probability * value;
                    own.hull = (own.hull.0.min(*value), own.hull.1.max(*value));
                }
            }
            first = *end as usize;
        }
    }

    /// Computes the values in one variant, and their relative error.
    fn solve_one(&mut self, variant: usize, count: usize, width: f64) -> Option<f64> {
        self.outside.clear();
        self.outside.extend(self.all_outside.iter().skip(variant).step_by(count));
        let Self { scc, outside, dead, policy, values, leaves, .. } = self;
        let view = SmallView { scc, outside, dead };
        values.clear();
        values.resize(scc.count(), 0.0);
        if view.outside.iter().all(|own| own.sum == 0.0) {
            return Some(0.0);
        }
        for (chosen, dead) in policy.iter_mut().zip(view.dead) {
            if *dead {
                *chosen = NONE;
            }
        }
        // The policy of the variant before is nearly the best here.
        if policy.iter().zip(view.dead).all(|(chosen, dead)| *dead || *chosen != NONE) {
            view.follow(policy, values, false);
        }
        let found = view
            .values_converge(policy, values, |policy, values, backwards| view.follow(policy, values, backwards))
            && view.zeros_hold(values)
            && scc.policy_leaves(policy, values, leaves);
        if found { self.prove(width) } else { None }
    }

    /// Guesses bounds around the values and proves them. Returns their distance from the values, as a share.
    fn prove(&mut self, width: f64) -> Option<f64> {
        let Self { scc, terms, outside, dead, policy, values, bound, near, steps, .. } = self;
        SmallView { scc, outside, dead }.find_near(policy, values, width, near);
        steps.clear();
        steps.resize(values.len(), 0.0);
        if !near.count_steps(scc, values, steps) {
            return None;
        }
        let longest = longest(steps, values);
        let outwards = Outwards::new(*terms);
        let mut slack = relative_error(*terms as u64 + 8);
        while slack * longest <= width {
            let mut proved = |sign: f64, moved: &dyn Fn(usize, &[f64]) -> f64| {
                with_slack(values, steps, sign * slack, bound);
                let holds = holds_to_and_fro(values, bound, moved)
                    && (sign < 0.0 || near_is_enough(values, bound, width, *terms));
                holds.then(|| farthest(values, bound))
            };
            let upper = proved(1.0, &|state, bound| near.raised(scc, state, bound, outwards));
            let lower = proved(-1.0, &|state, bound| {
                scc.lowered(policy[state], state, outside[policy[state] as usize], bound, outwards)
            });
            if let Some((upper, lower)) = upper.zip(lower) {
                return Some(upper.max(lower));
            }
            slack *= 2.0;
        }
        None
    }
}

/// The distance of bounds from the values, as a share.
fn farthest(values: &[f64], bound: &[f64]) -> f64 {
    let apart = |state: usize| (bound[state] - values[state]).abs() / values[state];
    worth_something(values).map(apart).fold(0.0, f64::max) * (1.0 + 8.0 * f64::EPSILON)
}

/// Replaces every bound by the result of `moved`, forwards and backwards, until none changes: then they are proved.
/// Where play moves with certainty from state to state, a bound that changes moves all of them, one after another.
fn holds_to_and_fro(values: &[f64], bound: &mut [f64], moved: impl Fn(usize, &[f64]) -> f64) -> bool {
    const TRIES: usize = 40;
    (0..TRIES).any(|round| {
        let mut holds = true;
        for step in 0..values.len() {
            let state = if round % 2 == 1 { values.len() - 1 - step } else { step };
            if values[state] > 0.0 {
                let own = moved(state, bound);
                holds &= own == bound[state];
                bound[state] = own;
            }
        }
        holds
    })
}
