//! Bounds of a small part without looking at its structure, where that is right.
//!
//! Where more is better and nothing is earned on the way, nor by staying for ever, the values of a part are the least
//! numbers, not below 0, that Bellman's operator `T` leaves as they are. End components need not be collapsed for that:
//! - `T(x) <= x` proves that `x` is an upper bound, for the least fixed point is the least of all such `x` (Knaster, Tarski);
//! - `x <= P(x)` for a policy's operator `P` proves that `x` is a lower bound if play by that policy leaves the part with
//!   probability 1, or comes to where `x` is 0: then its powers come from `x` to no more than the policy's value.
//!
//! Values come from sweeps over the first part of those that say the same; in the others its policy is followed, by equations
//! that are eliminated once, and improved. Where values do not come to rest soon, where a proof fails, or where the graph
//! alone could decide values (those are to be exact), the part is left to the ways of [`part_bounds`](super).

use super::batch::{AllOutside, AllSolved, Hull};
use super::check_bounds::holds_when_moved;
use super::rest::RESTS;
use super::small_chain::SmallChain;
use super::small_options::{
    LEAST, NONE, Near, NearOptions, Outside, SmallPart, SmallView, longest, near_is_enough, with_slack, worth_something,
};
use crate::linear::Effort;
use crate::model::{CyclicPart, Family, MOVES, StateId, Targets, target};
use crate::solution::{Ends, MANY, Outwards, Sense, mask, relative_error};
use crate::solve::{Method, Objective};

/// Larger parts are left to others.
const MOST_STATES: u32 = 256;
/// Of so many choices the parts of a family have at most, to be looked at side by side: some numbers are kept of each.
const MOST_TOGETHER: usize = 1 << 20;
/// Of larger parts the equations of a policy are solved, not swept over.
const MOST_SWEPT: usize = 8;
/// The most sweeps over the chosen options.
const MOST_SWEEPS: usize = 400;
const MOST_TERMS: usize = 1 << 20;
/// How often policies are improved.
const MOST_ROUNDS: usize = 40;

/// What a thread needs for small parts; reused.
#[derive(Default)]
pub(crate) struct Plain {
    /// What the parts have in common that are looked at side by side.
    part: SmallPart,
    /// Choices after which play is in the same state for certain: state and choice.
    idle: Vec<(u32, u32)>,
    /// The most terms of an option's worth.
    terms: usize,
    outside: AllOutside,
    hulls: Vec<Hull>,
    /// For each state of each part the option that is chosen, and the value: state by state, and the values part by part.
    chosen: Vec<u32>,
    values: Vec<f64>,
    by_part: Vec<f64>,
    near: Vec<NearOptions>,
    chain: SmallChain,
    buffers: [Vec<f64>; 2],
    choices: Vec<u32>,
    own: Own,
}

/// What is needed for one part.
#[derive(Default)]
struct Own {
    policy: Vec<u32>,
    values: Vec<f64>,
    /// The policy's values where the outside is worth its lower ends.
    low: Vec<f64>,
    /// For each state about how many steps near options take to the way out, each counted as what it can bring.
    steps: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// Whether play is known to leave the part.
    leaves: Vec<bool>,
    /// What lies outside where options lead.
    outside: Vec<Outside>,
}

/// What was found of a family of parts.
#[derive(Default)]
pub(crate) struct FoundFamily {
    /// Bounds of all states, in their order, and the choices that could be best.
    pub(crate) bounds: Vec<(f64, f64)>,
    pub(crate) masks: Vec<u32>,
    pub(crate) many: Vec<(StateId, Vec<u32>)>,
    /// The parts that must be solved in another way: nothing of the above holds for them.
    pub(crate) left: Vec<CyclicPart>,
}

impl Plain {
    /// Solves the parts of a family, within this share of each value.
    pub(crate) fn solve(
        &mut self,
        objective: &Objective<'_>,
        family: Family,
        ends: &Ends,
        width: f64,
        effort: Effort<'_>,
    ) -> FoundFamily {
        let is_right = objective.sense == Sense::Max
            && objective.method == Method::Cheapest
            && objective.rewards.is_empty()
            && !objective.must_end
            && objective.forever.ends == (0.0, 0.0)
            && family.states <= MOST_STATES;
        if !is_right {
            return FoundFamily { left: family.all().collect(), ..FoundFamily::default() };
        }
        let count = (family.parts * family.states) as usize;
        let mut found =
            FoundFamily { bounds: vec![(0.0, 0.0); count], masks: vec![0; count], ..FoundFamily::default() };
        let choices = || family.part(0).iter().map(|state| objective.model.choices(state).count()).sum::<usize>();
        let together = objective.allowed.is_none()
            && objective.model.parts_say_the_same(family)
            && choices() * family.parts as usize <= MOST_TOGETHER;
        let at_once = if together { family.parts } else { 1 };
        for first in (0..family.parts).step_by(at_once as usize) {
            let solved = if self.read(objective, family.part(first), at_once, ends) {
                self.solve_alike(at_once as usize, width, effort)
            } else {
                vec![false; at_once as usize]
            };
            for (place, lane) in (first..first + at_once).enumerate() {
                if solved[place] && self.prove(place, width, effort) {
                    self.tell(place, family, lane, &mut found);
                } else {
                    found.left.push(family.part(lane));
                }
            }
        }
        found
    }

    /// Reads the options of so many parts that say the same, from this one on. Says whether floating point can say their
    /// probabilities well.
    fn read(&mut self, objective: &Objective<'_>, part: CyclicPart, parts: u32, ends: &Ends) -> bool {
        let weights = objective.model.weights();
        self.part.clear();
        self.idle.clear();
        self.outside.clear(parts as usize);
        self.chain.clear();
        self.terms = 0;
        for (place, state) in (0..).zip(part.iter()) {
            self.part.begin_state();
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
                let added = self.part.add(
                    (place, number),
                    targets,
                    |word| part.place_of(target(word, lane)),
                    |word, probability| outside.lead(ends, target(word, lane), word & MOVES != 0, probability),
                );
                if !added {
                    outside.drop_option();
                    self.idle.push((place, number));
                }
            }
        }
        self.part.begin_state();
        self.hulls = self.outside.hulls(&self.part);
        self.terms < MOST_TERMS
    }

    /// Finds values of the parts that were read, at the upper end of what lies outside, policies that leave them, and the
    /// options near the best. Says for which parts.
    fn solve_alike(&mut self, parts: usize, width: f64, effort: Effort<'_>) -> Vec<bool> {
        let count = self.part.count();
        self.values.clear();
        self.values.resize(count * parts, 0.0);
        self.chosen.clear();
        self.chosen.resize(count * parts, NONE);
        let mut open: Vec<bool> = self.hulls.iter().map(|hull| !hull.decided).collect();
        // The first is solved from nothing. What is best in it is nearly so in the others.
        let mut known = false;
        for (part, open) in open.iter_mut().enumerate() {
            if *open && !known {
                known = self.solve_first(part, effort);
                *open = known;
            } else if *open {
                *open = self.follow(part, effort);
            }
            if *open {
                self.put(part, parts);
            }
        }
        for round in 0.. {
            let Self { outside, part: small, values, chosen, buffers: [one, other], .. } = self;
            if parts == 1 || !known {
                break;
            }
            let mut improved = outside.improve(small, values, chosen, [one, other]);
            improved.iter_mut().zip(&open).for_each(|(improved, open)| *improved &= open);
            if !improved.contains(&true) {
                break;
            }
            for part in (0..parts).filter(|part| improved[*part]) {
                self.own.policy.clear();
                self.own.policy.extend(self.chosen.iter().skip(part).step_by(parts));
                open[part] = round < MOST_ROUNDS && self.follow(part, effort);
                if open[part] {
                    self.put(part, parts);
                }
            }
        }
        for (part, open) in open.iter_mut().enumerate() {
            *open = *open && self.is_worth_something(part, parts);
        }
        if open.contains(&true) {
            let Self { outside, part: small, values, chosen, by_part, near, buffers: [one, other], .. } = self;
            by_part.clear();
            for part in 0..parts {
                by_part.extend(values.iter().skip(part).step_by(parts));
            }
            outside.find_near(small, AllSolved { values, by_part, chosen }, width, near, [one, other]);
        }
        open
    }

    /// Puts the policy and the values at hand where those of all parts stand.
    fn put(&mut self, part: usize, parts: usize) {
        let Self { own: Own { policy, values, .. }, .. } = self;
        self.chosen.iter_mut().skip(part).step_by(parts).zip(policy).for_each(|(all, own)| *all = *own);
        self.values.iter_mut().skip(part).step_by(parts).zip(values).for_each(|(all, own)| *all = *own);
    }

    /// Takes what lies outside of a part, at the upper end, to the part at hand.
    fn look_outside(&mut self, part: usize) {
        let Self { outside, own, part: small, .. } = self;
        own.outside.clear();
        own.outside.extend(small.all_options().map(|option| outside.at_upper(option, part)));
    }

    /// Finds values and a policy of a part from nothing.
    fn solve_first(&mut self, part: usize, effort: Effort<'_>) -> bool {
        self.look_outside(part);
        let Self { part: small, chain, own, .. } = self;
        let Own { policy, values, leaves, outside, .. } = own;
        let view = SmallView { part: small, outside, dead: &[] };
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
        view.values_rest(policy, values, follow) && small.policy_leaves(policy, values, leaves)
    }

    /// Finds the values of a part for the policy at hand.
    fn follow(&mut self, part: usize, effort: Effort<'_>) -> bool {
        let Self { part: small, chain, outside, own: Own { policy, values, .. }, .. } = self;
        let outside = policy.iter().map(|option| outside.at_upper(*option, part).sum);
        chain.solve(small, policy, outside, values, effort)
    }

    /// Whether what seems to be worth nothing in a part is, and no value is too small.
    fn is_worth_something(&mut self, part: usize, parts: usize) -> bool {
        self.own.values.clear();
        self.own.values.extend(self.values.iter().skip(part).step_by(parts));
        if self.own.values.iter().all(|value| *value > LEAST) {
            return true;
        }
        // Where the outside is worth something, only who cannot leave gets nothing: that is left to others.
        if self.hulls[part].least > 0.0 {
            return false;
        }
        self.look_outside(part);
        let Own { values, outside, .. } = &self.own;
        SmallView { part: &self.part, outside, dead: &[] }.zeros_hold(values)
    }

    /// Guesses bounds around the values of a part and proves them: see `check_bounds.rs`.
    fn prove(&mut self, part: usize, width: f64, effort: Effort<'_>) -> bool {
        let Self { part: small, terms, outside, hulls, chosen, by_part, near, chain, own, .. } = self;
        let (terms, parts, count) = (*terms, hulls.len(), small.count());
        let Own { policy, values, low, steps, lower, upper, .. } = own;
        let near = &near[part];
        values.clear();
        values.extend_from_slice(&by_part[part * count..(part + 1) * count]);
        policy.clear();
        policy.extend(chosen.iter().skip(part).step_by(parts));
        let at_lower = |option: u32| outside.at_lower(option, part);
        // At the lower end of the outside the value of any policy is a bound.
        low.clear();
        low.extend_from_slice(values);
        steps.clear();
        steps.extend_from_slice(values);
        if parts > 1 || count > MOST_SWEPT {
            let sums = policy.iter().map(|option| at_lower(*option).sum);
            let own_steps = policy.iter().enumerate().map(|(state, option)| near.step_of(state, *option, values));
            if !(chain.solve(small, policy, sums, low, effort) && chain.solve(small, policy, own_steps, steps, effort))
            {
                return false;
            }
        } else {
            let outside: Vec<Outside> = small.all_options().map(at_lower).collect();
            let view = SmallView { part: small, outside: &outside, dead: &[] };
            if !(0..MOST_SWEEPS).any(|sweep| view.sweep(policy, low, sweep % 2 == 1) <= RESTS) {
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
            // A mean of what lies outside is not beyond it.
            for (lower, upper) in lower.iter_mut().zip(upper) {
                (*lower, *upper) = (lower.max(hulls[part].least), upper.min(hulls[part].most));
            }
        }
        proved
    }

    /// Tells the bounds of a part that were proved, and which choices could be best.
    fn tell(&mut self, part: usize, family: Family, lane: u32, found: &mut FoundFamily) {
        let Self { part: small, idle, terms, outside, near, own, choices, .. } = self;
        let Own { policy, lower, upper, .. } = own;
        let outwards = Outwards::new(*terms);
        for (place, state) in family.part(lane).iter().enumerate() {
            let at = (state - family.first) as usize;
            found.bounds[at] = (lower[place], upper[place]);
            let chosen = policy[place];
            let Outside { sum, hull } = outside.at_lower(chosen, part);
            let (least, _) = small.whole_hull(chosen, place, lower, hull);
            let best = outwards.down(small.worth(chosen, place, lower, sum)).max(least).max(lower[place]);
            let reaches = |near: &&Near| {
                let Outside { sum, hull } = near.outside;
                let high = outwards.up(small.worth(near.option, place, upper, sum));
                // It is no more than the largest of where it leads.
                high >= best && small.whole_hull(near.option, place, upper, hull).1 >= best
            };
            // Options that are not near are worse for certain, idle ones are not.
            choices.clear();
            choices.extend(near[part].of(place).iter().filter(reaches).map(|near| small.number(near.option)));
            choices.extend(idle.iter().filter(|(own, _)| *own as usize == place).map(|(_, number)| *number));
            choices.sort_unstable();
            found.masks[at] = mask(choices.iter().copied()).unwrap_or_else(|| {
                found.many.push((state, choices.clone()));
                MANY
            });
        }
    }
}
