//! Components, solved exactly: policy iteration, with each policy's equations solved in integers.

use std::cell::RefCell;
use std::cmp::Ordering;

use dashu_base::{Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use rustc_hash::FxHashMap;

use super::classes::{Classes, enter};
use super::options::{ExactOption, NodeOptions, Outside};
use super::shelf::{Known, Shelf, members_of_nodes};
use crate::linear::{Effort, EliminationError, Row, solve_exactly};
use crate::model::{StateId, lcm};
use crate::numbers::{Rational, enclose_parts, exactly, nearest};
use crate::solution::{
    Bounds, ChoiceSets, ClassId, CollapsedScc, ExactValues, Opt, Sense, SolveError, TooLarge, leaving_policy,
};
use crate::solve::{ExactObjective, UnprovedScc};
use crate::support::id;

/// The data with which the components of a level are solved.
pub(super) struct SccValues<'a> {
    pub(super) objective: &'a ExactObjective<'a>,
    pub(super) candidates: &'a ChoiceSets,
    pub(super) classes: &'a Classes,
    pub(super) values: &'a ExactValues,
    /// Bounds of all states.
    pub(super) bounds: &'a Bounds,
    /// Components that were solved exactly for the bounds.
    pub(super) shelf: &'a Shelf,
}

/// A component with the values of its nodes, over one denominator in lowest terms.
pub(super) struct SolvedScc {
    pub(super) scc: CollapsedScc,
    numerators: Vec<UBig>,
    denominator: UBig,
    /// The best choices of every state.
    best_choices: Vec<(StateId, Vec<u32>)>,
}

impl SccValues<'_> {
    /// The policy that is best for the middle of the bounds: usually it is best.
    fn start(&self, scc: &CollapsedScc, stays: &[bool], options: &[NodeOptions]) -> Vec<u32> {
        let Self { objective, bounds, .. } = *self;
        let weights = objective.model.weights();
        let middle = |state: StateId| {
            let (lower, upper) = bounds.of(objective.model.level_of(state), state);
            f64::midpoint(lower, upper)
        };
        let worth = |option: &Opt| {
            let choice = CollapsedScc::choice(objective.model, *option);
            let terms = choice.targets.iter().zip(weights.probabilities(choice.weights));
            let reward = choice.reward.and_then(|reward| objective.rewards.get(reward as usize)).map_or(0.0, nearest);
            terms.fold(reward, |sum, (target, probability)| sum + probability * middle(target))
        };
        let best = |(node, stays): (usize, &bool)| {
            let staying = stays.then(|| nearest(&objective.forever));
            let mut best = (objective.sense.worst(), 0);
            let leading_out = options[node].first.iter().map(|index| worth(&scc.options(node)[*index as usize]));
            for (index, worth) in (0..).zip(leading_out.chain(staying)) {
                if objective.sense.prefers(worth, best.0) {
                    best = (worth, index);
                }
            }
            best.1
        };
        stays.iter().enumerate().map(best).collect()
    }

    /// The numerator of a state whose value is known exactly.
    fn numerator(&self, state: StateId) -> UBig {
        UBig::from_words(self.limbs(state))
    }

    fn limbs(&self, state: StateId) -> &[u64] {
        let index = self.values.refs[state as usize];
        let limbs = self.classes[index.class()].limbs;
        &self.values.limbs[index.offset()..index.offset() + limbs]
    }

    fn denominator(&self, state: StateId) -> &UBig {
        &self.classes[self.values.refs[state as usize].class()].denominator
    }

    /// The values that were computed with the bounds, if those were exact: then the values of the targets outside are
    /// the same as then.
    fn known(&self, scc: &CollapsedScc, common: &UBig) -> Option<(Vec<IBig>, UBig)> {
        let Self { objective, bounds, .. } = *self;
        let known = self.shelf.take(scc.members.first())?;
        let is_point = |target: StateId| {
            let (lower, upper) = bounds.of(objective.model.level_of(target), target);
            let value = || Rational::from_parts(self.numerator(target).into(), self.denominator(target).clone());
            lower == upper && exactly(lower).is_some_and(|point| point == value())
        };
        let choices = scc.members.iter().flat_map(|state| self.candidates.choices(objective.model, state));
        let mut outside =
            choices.flat_map(|(_, choice)| choice.targets.iter()).filter(|target| scc.node(*target).is_none());
        let mut last = None;
        if !outside.all(|target| last == Some(target) || is_point(*last.insert(target))) {
            return None;
        }
        let members = members_of_nodes(scc.len(), scc.members.iter().filter_map(|state| scc.node(state)));
        Some(known.of_nodes(&members, common))
    }

    /// Solves a component whose outside is known exactly, and determines its best choices.
    pub(super) fn solve(&self, scc: CollapsedScc, stays: &[bool], effort: Effort<'_>) -> Result<SolvedScc, SolveError> {
        let Self { objective, candidates, values, .. } = *self;
        let model = objective.model;
        let mut common = objective.common_denominator(&scc);
        // There are few classes and many targets.
        let mut last = ClassId::WHOLE;
        for state in scc.members.iter() {
            for (_, choice) in candidates.choices(model, state) {
                for target in choice.targets.iter().filter(|target| scc.node(*target).is_none()) {
                    let class = values.refs[target as usize].class();
                    if class != last {
                        common = lcm(&common, self.denominator(target));
                        last = class;
                    }
                }
            }
        }
        let factors: RefCell<FxHashMap<ClassId, UBig>> = RefCell::default();
        let value = |target: StateId| {
            let mut factors = factors.borrow_mut();
            let factor = factors.entry(values.refs[target as usize].class());
            self.numerator(target) * &*factor.or_insert_with(|| &common / self.denominator(target))
        };
        let same = |left: StateId, right: StateId| {
            values.refs[left as usize].class() == values.refs[right as usize].class()
                && self.limbs(left) == self.limbs(right)
        };
        let options = NodeOptions::of_scc(objective, &scc, stays, &common, &Outside { value, same });
        let known = self.known(&scc, &common).and_then(|(numerators, denominator)| {
            let mut unknown = vec![u32::MAX; scc.len()];
            let best = improved(objective.sense, &options, &mut unknown, &numerators, &denominator)?;
            Some(Nodes { numerators, denominator, best })
        });
        let Nodes { numerators, denominator, best } = match known {
            Some(known) => known,
            None => iterate_policies(objective, &scc, &options, &self.start(&scc, stays, &options), effort)?,
        };
        let best_choices = self.best_choices(&scc, &options, &best);
        let numerators: Vec<UBig> = numerators.into_iter().map(UnsignedAbs::unsigned_abs).collect();
        let denominator = denominator * common;
        let divisor = numerators.iter().fold(denominator.clone(), Gcd::gcd);
        let numerators = numerators.into_iter().map(|numerator| numerator / &divisor).collect();
        Ok(SolvedScc { scc, numerators, denominator: denominator / divisor, best_choices })
    }

    /// The best choices, including those that stay inside of an end component, which have the value of their node.
    fn best_choices(
        &self,
        scc: &CollapsedScc,
        options: &[NodeOptions],
        best: &[Vec<bool>],
    ) -> Vec<(StateId, Vec<u32>)> {
        // Whether each option is one of the best, by state and number.
        let mut leading_out: Vec<(StateId, u32, bool)> = Vec::new();
        for (node, (own, best)) in options.iter().zip(best).enumerate() {
            let options = scc.options(node).iter().zip(&own.which);
            leading_out.extend(options.map(|(option, which)| (option.state, option.number, best[*which as usize])));
        }
        leading_out.sort_unstable();
        let mut leading_out = leading_out.into_iter().peekable();
        let mut best_of = |state: StateId| {
            let numbers = self.candidates.of(state).filter(|number| {
                let own = leading_out.next_if(|(of, option, _)| (*of, *option) == (state, *number));
                own.is_none_or(|(_, _, best)| best)
            });
            (state, numbers.collect())
        };
        scc.members.iter().map(&mut best_of).collect()
    }
}

impl SolvedScc {
    pub(super) fn enter(
        self,
        candidates: &mut ChoiceSets,
        classes: &mut Classes,
        values: &mut ExactValues,
    ) -> Result<(), TooLarge> {
        let class = classes.of(self.denominator)?;
        let enter = |numerator| enter(numerator, class, classes, &mut values.limbs);
        let refs = self.numerators.iter().map(enter).collect::<Result<Vec<_>, _>>()?;
        for (state, best) in self.best_choices {
            candidates.set(state, &best);
            if let Some(node) = self.scc.node(state) {
                values.refs[state as usize] = refs[node];
            }
        }
        Ok(())
    }
}

/// Bounds of a component's nodes whose outside is known within bounds: the component is solved exactly for each end of
/// the outside. Values are monotone in those outside, so the ends enclose them.
pub(crate) fn exact_bounds(
    objective: &ExactObjective<'_>,
    unproved: &UnprovedScc<'_>,
    shelf: Option<&Shelf>,
    effort: Effort<'_>,
) -> Result<Vec<(f64, f64)>, SolveError> {
    let UnprovedScc { scc, stays, ends, policy } = *unproved;
    let first = vec![0; scc.len()];
    let start = policy.unwrap_or(&first);
    let solve = |end: usize| {
        let outside = |target: StateId| ends.all[target as usize][end];
        let value = |target: StateId| exactly(outside(target)).unwrap_or(Rational::ZERO);
        let targets = scc.choices(objective.model).flat_map(|choice| choice.targets.iter());
        if targets.clone().any(|target| scc.node(target).is_none() && !outside(target).is_finite()) {
            return Err(SolveError::ValueTooLarge);
        }
        let mut common = objective.common_denominator(scc);
        for target in targets.filter(|target| scc.node(*target).is_none()) {
            common = lcm(&common, value(target).denominator());
        }
        let scaled = |target: StateId| {
            let (numerator, denominator) = value(target).into_parts();
            numerator.unsigned_abs() * (&common / denominator)
        };
        let same = |left: StateId, right: StateId| outside(left).to_bits() == outside(right).to_bits();
        let options = NodeOptions::of_scc(objective, scc, stays, &common, &Outside { value: scaled, same });
        // A node without any option is handled below.
        let which = |(options, index): (&NodeOptions, &u32)| options.which.get(*index as usize).copied().unwrap_or(0);
        let start: Vec<u32> = options.iter().zip(start).map(which).collect();
        let Nodes { numerators, denominator, .. } = iterate_policies(objective, scc, &options, &start, effort)?;
        Ok((numerators, denominator * common))
    };
    let enclosed = |(numerators, denominator): &(Vec<IBig>, UBig)| -> Vec<(f64, f64)> {
        // No value is below 0 here. Reducing to lowest terms would take longer than everything else.
        numerators.iter().map(|numerator| enclose_parts(&numerator.clone().unsigned_abs(), denominator)).collect()
    };
    let solved = solve(0)?;
    let lower = enclosed(&solved);
    let is_point = |target: StateId| ends.of(target).0 == ends.of(target).1;
    let mut outside = scc.choices(objective.model).flat_map(|choice| choice.targets.iter());
    // The values outside are often known exactly.
    if outside.all(|target| scc.node(target).is_some() || is_point(target)) {
        if let Some(shelf) = shelf {
            let nodes = scc.members.iter().filter_map(|state| scc.node(state)).map(id).collect();
            let (numerators, denominator) = solved;
            shelf.keep(scc.members.first(), Known { nodes, numerators, denominator }, effort.most_entries);
        }
        return Ok(lower);
    }
    let upper = enclosed(&solve(1)?);
    Ok(lower.into_iter().zip(upper).map(|((lower, _), (_, upper))| (lower, upper)).collect())
}

/// The values of a part's nodes under best play.
struct Nodes {
    /// Over the common denominator of the options times the one here.
    numerators: Vec<IBig>,
    denominator: UBig,
    /// For every node, which of its different options are best.
    best: Vec<Vec<bool>>,
}

/// Policy iteration with exact linear equations. `start` is a policy that leaves the component with probability 1.
fn iterate_policies(
    objective: &ExactObjective<'_>,
    scc: &CollapsedScc,
    options: &[NodeOptions],
    start: &[u32],
    effort: Effort<'_>,
) -> Result<Nodes, SolveError> {
    let states = id(scc.members.size());
    if options.iter().any(|options| options.different.is_empty()) {
        return Err(SolveError::NeverLeaves { states });
    }
    let leads = |node: usize, index: u32| {
        let option: &ExactOption = &options[node].different[index as usize];
        let inside: UBig = option.inner.iter().map(|(_, weight)| weight).sum();
        (inside < option.total, option.inner.iter().map(|(node, _)| *node))
    };
    let count = |node: usize| u32::try_from(options[node].different.len()).unwrap_or(u32::MAX);
    let mut policy = leaving_policy(start, count, leads).ok_or(SolveError::NeverLeaves { states })?;
    loop {
        let (rows, right) = equations(options, &policy);
        let (numerators, denominator) = solve_exactly(&rows, &right, effort).map_err(|error| match error {
            EliminationError::Singular => SolveError::NeverLeaves { states },
            EliminationError::TooLarge => SolveError::SccTooLarge { states },
            EliminationError::Stopped(stopped) => SolveError::Stopped(stopped),
        })?;
        if let Some(best) = improved(objective.sense, options, &mut policy, &numerators, &denominator) {
            return Ok(Nodes { numerators, denominator, best });
        }
    }
}

/// Takes options that are better than the value of the policy; if there are none, marks every option that is as good.
fn improved(
    sense: Sense,
    options: &[NodeOptions],
    policy: &mut [u32],
    numerators: &[IBig],
    denominator: &UBig,
) -> Option<Vec<Vec<bool>>> {
    let mut is_improved = false;
    let mut best = Vec::with_capacity(options.len());
    for (node, NodeOptions { different, .. }) in options.iter().enumerate() {
        let mut as_good = vec![true; different.len()];
        // The best option so far, if it is better than the value of the policy, and its total.
        let mut better: Option<(IBig, &UBig)> = None;
        // The value of the policy times a total.
        let mut own: Option<(IBig, &UBig)> = None;
        let before = policy[node];
        for (index, option) in (0..).zip(different).filter(|(index, _)| *index != before) {
            let worth = option.worth(numerators, denominator);
            let total = &option.total;
            let order = match &better {
                Some((best, other)) if *other == total => worth.cmp(best),
                Some((best, other)) => (&worth * IBig::from((*other).clone())).cmp(&(best * IBig::from(total.clone()))),
                None => {
                    if own.as_ref().is_none_or(|(_, other)| *other != total) {
                        own = Some((&numerators[node] * IBig::from(total.clone()), total));
                    }
                    own.as_ref().map_or(Ordering::Equal, |(own, _)| worth.cmp(own))
                }
            };
            let order = sense.order(order);
            as_good[index as usize] = order.is_eq();
            if order.is_gt() {
                better = Some((worth, total));
                policy[node] = index;
                is_improved = true;
            }
        }
        best.push(as_good);
    }
    (!is_improved).then_some(best)
}

/// The equations of a policy: for every node, total times value minus the inner weights.
fn equations(options: &[NodeOptions], policy: &[u32]) -> (Vec<Row<IBig>>, Vec<IBig>) {
    let rows = (0u32..).zip(policy).map(|(node, index)| {
        let option = &options[node as usize].different[*index as usize];
        let mut row: Row<IBig> = vec![(node, IBig::from(option.total.clone()))];
        for (inner, weight) in &option.inner {
            let weight = IBig::from(weight.clone());
            if *inner == node { row[0].1 -= weight } else { row.push((*inner, -weight)) }
        }
        row
    });
    let outside = |(options, index): (&NodeOptions, &u32)| options.different[*index as usize].outside.clone();
    let right = options.iter().zip(policy).map(|own| IBig::from(outside(own)));
    (rows.collect(), right.collect())
}
