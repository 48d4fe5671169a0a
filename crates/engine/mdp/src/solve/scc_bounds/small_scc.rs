//! Bounds of a small component without an analysis of its structure, where that is valid.
//!
//! Where values are maximised without rewards, and staying for ever is worth nothing, the values of a component are the
//! least non-negative fixed point of Bellman's operator `T`. End components need not be collapsed for that:
//! - `T(x) <= x` proves that `x` is an upper bound, for the least fixed point is the least of all such `x` (Knaster, Tarski);
//! - `x <= P(x)` for a policy's operator `P` proves that `x` is a lower bound if play by that policy leaves the
//!   component with probability 1, or reaches states where `x` is 0: then its powers applied to `x` converge to no more
//!   than the policy's value.
//!
//! Sweeps compute the values of the first of several isomorphic components; the others start from its policy, whose
//! equations are eliminated once, and improve it. Where values do not converge soon, where a proof fails, or where the
//! graph alone could determine values (those must be exact), the component is left to the other methods of
//! [`scc_bounds`](super).

use super::batch::{AllOutside, AllSolved, Hull};
use super::check_bounds::holds_when_moved;
use super::small_chain::SmallChain;
use super::small_options::{
    LEAST, NONE, Near, NearOptions, Outside, SmallScc, SmallView, longest, near_is_enough, with_slack, worth_something,
};
use super::tolerance::TOLERANCE;
use crate::linear::Effort;
use crate::model::{Family, MOVES, Scc, StateId, Targets, target};
use crate::solution::{Ends, MANY, Outwards, Sense, mask, relative_error};
use crate::solve::{Method, Objective};

/// Larger components are left to other methods.
const MOST_STATES: u32 = 256;
/// The most choices of the components of a family that are processed in lockstep: some numbers are stored for each.
const MOST_IN_LOCKSTEP: usize = 1 << 20;
/// For larger components the equations of a policy are solved instead of swept.
const MOST_SWEPT: usize = 8;
/// The most sweeps over the chosen options.
const MOST_SWEEPS: usize = 400;
const MOST_TERMS: usize = 1 << 20;
/// How often policies are improved.
const MOST_ROUNDS: usize = 40;

/// The buffers of a thread for small components; reused.
#[derive(Default)]
pub(crate) struct SmallSccSolver {
    /// What components processed in lockstep have in common.
    scc: SmallScc,
    /// Choices that surely stay in their state: state and choice.
    idle: Vec<(u32, u32)>,
    /// The most terms of an option's value.
    terms: usize,
    outside: AllOutside,
    hulls: Vec<Hull>,
    /// For each state of each component the chosen option, and the value: state by state, and the values component by
    /// component.
    chosen: Vec<u32>,
    values: Vec<f64>,
    by_scc: Vec<f64>,
    near: Vec<NearOptions>,
    chain: SmallChain,
    buffers: [Vec<f64>; 2],
    choices: Vec<u32>,
    own: SccBuffers,
}

/// The buffers for one component.
#[derive(Default)]
struct SccBuffers {
    policy: Vec<u32>,
    values: Vec<f64>,
    /// The policy's values with the lower ends of the values outside.
    low: Vec<f64>,
    /// For each state about how many steps near options take to leave, each weighted by its value.
    steps: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// Whether play is known to leave the component.
    leaves: Vec<bool>,
    /// The values outside where options lead.
    outside: Vec<Outside>,
}

/// The results for a family of components.
#[derive(Default)]
pub(crate) struct FamilyBounds {
    /// Bounds of all states, in their order, and the choices that could be best.
    pub(crate) bounds: Vec<(f64, f64)>,
    pub(crate) masks: Vec<u32>,
    pub(crate) many: Vec<(StateId, Vec<u32>)>,
    /// The components that must be solved by another method: the results above do not apply to them.
    pub(crate) left: Vec<Scc>,
}

impl SmallSccSolver {
    /// Solves the components of a family, within this share of each value.
    pub(crate) fn solve(
        &mut self,
        objective: &Objective<'_>,
        family: Family,
        ends: &Ends,
        width: f64,
        effort: Effort<'_>,
    ) -> FamilyBounds {
        let is_right = objective.sense == Sense::Max
            && objective.method == Method::Cheapest
            && objective.rewards.is_empty()
            && !objective.must_end
            && objective.forever.ends == (0.0, 0.0)
            && family.states <= MOST_STATES;
        if !is_right {
            return FamilyBounds { left: family.all().collect(), ..FamilyBounds::default() };
        }
        let count = (family.sccs * family.states) as usize;
        let mut found =
            FamilyBounds { bounds: vec![(0.0, 0.0); count], masks: vec![0; count], ..FamilyBounds::default() };
        let choices = || family.scc(0).iter().map(|state| objective.model.choices(state).count()).sum::<usize>();
        let together = objective.allowed.is_none()
            && objective.model.are_isomorphic(family)
            && choices() * family.sccs as usize <= MOST_IN_LOCKSTEP;
        let at_once = if together { family.sccs } else { 1 };
        for first in (0..family.sccs).step_by(at_once as usize) {
            let solved = if self.read(objective, family.scc(first), at_once, ends) {
                self.solve_isomorphic(at_once as usize, width, effort)
            } else {
                vec![false; at_once as usize]
            };
            for (index, lane) in (first..first + at_once).enumerate() {
                if solved[index] && self.prove(index, width, effort) {
                    self.store(index, family, lane, &mut found);
                } else {
                    found.left.push(family.scc(lane));
                }
            }
        }
        found
    }

    /// Reads the options of isomorphic components, from this one on. Returns whether floating point can represent their
    /// probabilities well.
    fn read(&mut self, objective: &Objective<'_>, scc: Scc, sccs: u32, ends: &Ends) -> bool {
        let weights = objective.model.weights();
        self.scc.clear();
        self.idle.clear();
        self.outside.clear(sccs as usize);
        self.chain.clear();
        self.terms = 0;
        for (index, state) in (0..).zip(scc.iter()) {
            self.scc.begin_state();
            for (number, choice) in (0..).zip(objective.model.choices(state)) {
                if !objective.allows(state, number) {
                    continue;
                }
                if weights.is_subnormal(choice.weights) {
                    return false;
                }
                self.terms = self.terms.max(choice.targets.len() + 1);
                let Targets { words, lane } = choice.targets;
                let targets = words.iter().copied().zip(weights.probabilities(choice.weights).iter().copied());
                let outside = &mut self.outside;
                outside.begin_option();
                let added = self.scc.add(
                    (index, number),
                    targets,
                    |word| scc.index_of(target(word, lane)),
                    |word, probability| outside.lead(ends, target(word, lane), word & MOVES != 0, probability),
                );
                if !added {
                    outside.drop_option();
                    self.idle.push((index, number));
                }
            }
        }
        self.scc.begin_state();
        self.hulls = self.outside.hulls(&self.scc);
        self.terms < MOST_TERMS
    }

    /// Computes values of the components that were read, at the upper end of the values outside, policies that leave
    /// them, and the options near the best. Returns for which components that succeeded.
    fn solve_isomorphic(&mut self, sccs: usize, width: f64, effort: Effort<'_>) -> Vec<bool> {
        let count = self.scc.count();
        self.values.clear();
        self.values.resize(count * sccs, 0.0);
        self.chosen.clear();
        self.chosen.resize(count * sccs, NONE);
        let mut open: Vec<bool> = self.hulls.iter().map(|hull| !hull.decided).collect();
        // The first is solved from scratch. Its policy is nearly the best in the others.
        let mut known = false;
        for (scc, open) in open.iter_mut().enumerate() {
            if *open && !known {
                known = self.solve_first(scc, effort);
                *open = known;
            } else if *open {
                *open = self.follow(scc, effort);
            }
            if *open {
                self.put(scc, sccs);
            }
        }
        for round in 0.. {
            let Self { outside, scc: small, values, chosen, buffers: [one, other], .. } = self;
            if sccs == 1 || !known {
                break;
            }
            let mut improved = outside.improve(small, values, chosen, [one, other]);
            improved.iter_mut().zip(&open).for_each(|(improved, open)| *improved &= open);
            if !improved.contains(&true) {
                break;
            }
            for scc in (0..sccs).filter(|scc| improved[*scc]) {
                self.own.policy.clear();
                self.own.policy.extend(self.chosen.iter().skip(scc).step_by(sccs));
                open[scc] = round < MOST_ROUNDS && self.follow(scc, effort);
                if open[scc] {
                    self.put(scc, sccs);
                }
            }
        }
        for (scc, open) in open.iter_mut().enumerate() {
            *open = *open && self.is_worth_something(scc, sccs);
        }
        if open.contains(&true) {
            let Self { outside, scc: small, values, chosen, by_scc, near, buffers: [one, other], .. } = self;
            by_scc.clear();
            for scc in 0..sccs {
                by_scc.extend(values.iter().skip(scc).step_by(sccs));
            }
            outside.find_near(small, AllSolved { values, by_scc, chosen }, width, near, [one, other]);
        }
        open
    }

    /// Stores the current policy and values among those of all components.
    fn put(&mut self, scc: usize, sccs: usize) {
        let Self { own: SccBuffers { policy, values, .. }, .. } = self;
        self.chosen.iter_mut().skip(scc).step_by(sccs).zip(policy).for_each(|(all, own)| *all = *own);
        self.values.iter_mut().skip(scc).step_by(sccs).zip(values).for_each(|(all, own)| *all = *own);
    }

    /// Loads the values outside of a component, at the upper end, for the current component.
    fn look_outside(&mut self, scc: usize) {
        let Self { outside, own, scc: small, .. } = self;
        own.outside.clear();
        own.outside.extend(small.all_options().map(|option| outside.at_upper(option, scc)));
    }

    /// Computes values and a policy of a component from scratch.
    fn solve_first(&mut self, scc: usize, effort: Effort<'_>) -> bool {
        self.look_outside(scc);
        let Self { scc: small, chain, own, .. } = self;
        let SccBuffers { policy, values, leaves, outside, .. } = own;
        let view = SmallView { scc: small, outside, dead: &[] };
        values.clear();
        values.resize(small.count(), 0.0);
        policy.clear();
        policy.resize(small.count(), NONE);
        let follow = |policy: &[u32], values: &mut Vec<f64>, backwards| {
            let outside = policy.iter().map(|option| view.outside[*option as usize].sum);
            if !(policy.len() > MOST_SWEPT && chain.solve(small, policy, outside, values, effort)) {
                view.follow(policy, values, backwards);
            }
        };
        view.values_converge(policy, values, follow) && small.policy_leaves(policy, values, leaves)
    }

    /// Computes the values of a component for the current policy.
    fn follow(&mut self, scc: usize, effort: Effort<'_>) -> bool {
        let Self { scc: small, chain, outside, own: SccBuffers { policy, values, .. }, .. } = self;
        let outside = policy.iter().map(|option| outside.at_upper(*option, scc).sum);
        chain.solve(small, policy, outside, values, effort)
    }

    /// Whether states of a component whose value seems to be zero have that value, and no value is too small.
    fn is_worth_something(&mut self, scc: usize, sccs: usize) -> bool {
        self.own.values.clear();
        self.own.values.extend(self.values.iter().skip(scc).step_by(sccs));
        if self.own.values.iter().all(|value| *value > LEAST) {
            return true;
        }
        // Where values outside are positive, only states that cannot leave have value zero: such components are left to
        // other methods.
        if self.hulls[scc].least > 0.0 {
            return false;
        }
        self.look_outside(scc);
        let SccBuffers { values, outside, .. } = &self.own;
        SmallView { scc: &self.scc, outside, dead: &[] }.zeros_hold(values)
    }

    /// Guesses bounds around the values of a component and proves them: see `check_bounds.rs`.
    fn prove(&mut self, scc: usize, width: f64, effort: Effort<'_>) -> bool {
        let Self { scc: small, terms, outside, hulls, chosen, by_scc, near, chain, own, .. } = self;
        let (terms, sccs, count) = (*terms, hulls.len(), small.count());
        let SccBuffers { policy, values, low, steps, lower, upper, .. } = own;
        let near = &near[scc];
        values.clear();
        values.extend_from_slice(&by_scc[scc * count..(scc + 1) * count]);
        policy.clear();
        policy.extend(chosen.iter().skip(scc).step_by(sccs));
        let at_lower = |option: u32| outside.at_lower(option, scc);
        // At the lower end of the outside the value of any policy is a bound.
        low.clear();
        low.extend_from_slice(values);
        steps.clear();
        steps.extend_from_slice(values);
        if sccs > 1 || count > MOST_SWEPT {
            let sums = policy.iter().map(|option| at_lower(*option).sum);
            let own_steps = policy.iter().enumerate().map(|(state, option)| near.step_of(state, *option, values));
            if !(chain.solve(small, policy, sums, low, effort) && chain.solve(small, policy, own_steps, steps, effort))
            {
                return false;
            }
        } else {
            let outside: Vec<Outside> = small.all_options().map(at_lower).collect();
            let view = SmallView { scc: small, outside: &outside, dead: &[] };
            if !(0..MOST_SWEEPS).any(|sweep| view.sweep(policy, low, sweep % 2 == 1) <= TOLERANCE) {
                return false;
            }
        }
        if !near.count_steps(small, values, steps) {
            return false;
        }
        let longest = longest(steps, values);
        let mut slack = relative_error(terms as u64 + 8);
        let mut proved = false;
        let outwards = Outwards::new(terms);
        while !proved && slack * longest <= width {
            with_slack(values, steps, slack, upper);
            with_slack(low, steps, -slack, lower);
            let states = worth_something(values);
            proved = holds_when_moved(&states, upper, |state, bound, _| near.raised(small, state, bound, outwards))
                && near_is_enough(values, upper, width, terms)
                && holds_when_moved(&states, lower, |state, bound, _| {
                    small.lowered(policy[state], state, at_lower(policy[state]), bound, outwards)
                });
            slack *= 2.0;
        }
        if proved {
            // A mean of values outside lies within their hull.
            for (lower, upper) in lower.iter_mut().zip(upper) {
                (*lower, *upper) = (lower.max(hulls[scc].least), upper.min(hulls[scc].most));
            }
        }
        proved
    }

    /// Stores the proved bounds of a component, and which choices could be best.
    fn store(&mut self, scc: usize, family: Family, lane: u32, found: &mut FamilyBounds) {
        let Self { scc: small, idle, terms, outside, near, own, choices, .. } = self;
        let SccBuffers { policy, lower, upper, .. } = own;
        let outwards = Outwards::new(*terms);
        for (index, state) in family.scc(lane).iter().enumerate() {
            let at = (state - family.first) as usize;
            found.bounds[at] = (lower[index], upper[index]);
            let chosen = policy[index];
            let Outside { sum, hull } = outside.at_lower(chosen, scc);
            let (least, _) = small.whole_hull(chosen, index, lower, hull);
            let best = outwards.down(small.worth(chosen, index, lower, sum)).max(least).max(lower[index]);
            let reaches = |near: &&Near| {
                let Outside { sum, hull } = near.outside;
                let high = outwards.up(small.worth(near.option, index, upper, sum));
                // It is no more than the largest value of its targets.
                high >= best && small.whole_hull(near.option, index, upper, hull).1 >= best
            };
            // Options that are not near the best are certainly worse, idle ones are not.
            choices.clear();
            choices.extend(near[scc].of(index).iter().filter(reaches).map(|near| small.number(near.option)));
            choices.extend(idle.iter().filter(|(own, _)| *own as usize == index).map(|(_, number)| *number));
            choices.sort_unstable();
            found.masks[at] = mask(choices.iter().copied()).unwrap_or_else(|| {
                found.many.push((state, choices.clone()));
                MANY
            });
        }
    }
}
