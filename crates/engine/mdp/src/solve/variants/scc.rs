//! A small cyclic part in all variants: what it says is read once.
//!
//! As in `scc_bounds/small_scc.rs`, whose proof this is: a value that Bellman's operator does not raise is an upper bound, and
//! one that a policy's operator does not lower is a lower bound where that policy leaves the part. Here numbers outside of
//! the part are taken as they are.

use super::given::{Variants, below};
use crate::model::{CyclicPart, StateId};
use crate::solution::{Outwards, relative_error};
use crate::solve::scc_bounds::{
    NONE, NearOptions, Outside, SmallPart, SmallView, longest, near_is_enough, with_slack, worth_something,
};
use crate::support::id;

/// Larger parts are left to others.
const MOST_STATES: usize = 1 << 12;

/// What is needed for parts; reused.
#[derive(Default)]
pub(super) struct PartSolver {
    part: SmallPart,
    /// The states outside of the part to which options lead, with what probability; and where those of each option end.
    outer: Vec<(StateId, f64)>,
    outer_ends: Vec<u32>,
    /// The most terms of an option's worth.
    terms: usize,
    /// What lies outside, for each option in each variant.
    all_outside: Vec<Outside>,
    /// The same in the variant at hand.
    outside: Vec<Outside>,
    /// Whether each state is worth nothing in the variant at hand.
    dead: Vec<bool>,
    policy: Vec<u32>,
    values: Vec<f64>,
    bound: Vec<f64>,
    near: NearOptions,
    steps: Vec<f64>,
    leaves: Vec<bool>,
}

impl PartSolver {
    /// Puts the values of a part's states in their places; says how far they can be off, as a share. Nothing where it must
    /// be solved in another way.
    pub(super) fn solve(
        &mut self,
        variants: &Variants<'_>,
        part: CyclicPart,
        width: f64,
        values: &mut [f64],
    ) -> Option<f64> {
        if part.size() > MOST_STATES {
            return None;
        }
        self.read(variants, part);
        self.look_outside(variants.count, values);
        self.policy.clear();
        self.policy.resize(part.size(), NONE);
        let mut widest: f64 = 0.0;
        for variant in 0..variants.count {
            self.dead.clear();
            let living = part.iter().map(|state| variants.living[state as usize]);
            self.dead.extend(living.map(|living| usize::from(living) <= variant));
            widest = widest.max(self.solve_one(variant, variants.count, width)?);
            for (state, value) in part.iter().zip(&self.values) {
                values[state as usize * variants.count + variant] = below(*value);
            }
        }
        Some(widest)
    }

    /// Reads the part's options.
    fn read(&mut self, variants: &Variants<'_>, part: CyclicPart) {
        let Self { part: own, outer, outer_ends, terms, .. } = self;
        own.clear();
        outer.clear();
        outer_ends.clear();
        // What is behind probabilities counts like terms.
        let behind = usize::try_from(variants.chances.map_or(0, |own| own.roundings)).unwrap_or(usize::MAX);
        *terms = 0;
        for (place, state) in (0..).zip(part.iter()) {
            own.begin_state();
            for (number, choice) in (0..).zip(variants.model.choices(state)) {
                let targets = choice.targets.iter().zip(variants.probabilities(choice.weights).iter().copied());
                let possible = targets.filter(|(_, probability)| *probability > 0.0);
                *terms = choice.targets.len().saturating_add(1 + behind).max(*terms);
                if own.add(
                    (place, number),
                    possible,
                    |target| part.place_of(target),
                    |target, probability| outer.push((target, probability)),
                ) {
                    outer_ends.push(id(outer.len()));
                }
            }
        }
        own.begin_state();
    }

    /// What lies outside in all variants, option by option.
    fn look_outside(&mut self, count: usize, values: &[f64]) {
        let nothing = Outside { sum: 0.0, hull: (f64::INFINITY, -1.0) };
        self.all_outside.clear();
        self.all_outside.resize(self.part.all_options().len() * count, nothing);
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

    /// The values in one variant, and how far they can be off.
    fn solve_one(&mut self, variant: usize, count: usize, width: f64) -> Option<f64> {
        self.outside.clear();
        self.outside.extend(self.all_outside.iter().skip(variant).step_by(count));
        let Self { part, outside, dead, policy, values, leaves, .. } = self;
        let view = SmallView { part, outside, dead };
        values.clear();
        values.resize(part.count(), 0.0);
        if view.outside.iter().all(|own| own.sum == 0.0) {
            return Some(0.0);
        }
        for (chosen, dead) in policy.iter_mut().zip(view.dead) {
            if *dead {
                *chosen = NONE;
            }
        }
        // What was best in the variant before is nearly so here.
        if policy.iter().zip(view.dead).all(|(chosen, dead)| *dead || *chosen != NONE) {
            view.follow(policy, values, false);
        }
        let found = view
            .values_rest(policy, values, |policy, values, backwards| view.follow(policy, values, backwards))
            && view.zeros_hold(values)
            && part.policy_leaves(policy, values, leaves);
        if found { self.prove(width) } else { None }
    }

    /// Guesses bounds around the values and proves them: how far they are apart from the values, as a share.
    fn prove(&mut self, width: f64) -> Option<f64> {
        let Self { part, terms, outside, dead, policy, values, bound, near, steps, .. } = self;
        SmallView { part, outside, dead }.find_near(policy, values, width, near);
        steps.clear();
        steps.resize(values.len(), 0.0);
        if !near.count_steps(part, values, steps) {
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
            let upper = proved(1.0, &|state, bound| near.raised(part, state, bound, outwards));
            let lower = proved(-1.0, &|state, bound| {
                part.lowered(policy[state], state, outside[policy[state] as usize], bound, outwards)
            });
            if let Some((upper, lower)) = upper.zip(lower) {
                return Some(upper.max(lower));
            }
            slack *= 2.0;
        }
        None
    }
}

/// How far bounds are from the values, as a share.
fn farthest(values: &[f64], bound: &[f64]) -> f64 {
    let apart = |state: usize| (bound[state] - values[state]).abs() / values[state];
    worth_something(values).map(apart).fold(0.0, f64::max) * (1.0 + 8.0 * f64::EPSILON)
}

/// Puts in place of every bound what `moved` makes of it, to and fro, until it stays as it is: then it is proved. Where
/// play goes on for certain from state to state a bound that is moved moves all of them, one after another.
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
