//! Cyclic parts, exactly: policy iteration, each policy's equations solved in integers.

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
    Bounds, ChoiceSets, ClassId, ExactValues, Opt, Part, Sense, SolveError, TooLarge, leaving_policy,
};
use crate::solve::{ExactObjective, UnprovedPart};
use crate::support::id;

/// What cyclic parts of a level are solved from.
pub(super) struct PartValues<'a> {
    pub(super) objective: &'a ExactObjective<'a>,
    pub(super) candidates: &'a ChoiceSets,
    pub(super) classes: &'a Classes,
    pub(super) values: &'a ExactValues,
    /// Bounds of all states.
    pub(super) bounds: &'a Bounds,
    /// What was solved exactly for them.
    pub(super) shelf: &'a Shelf,
}

/// A cyclic part with the values of its nodes, over one denominator in lowest terms.
pub(super) struct SolvedPart {
    pub(super) part: Part,
    numerators: Vec<UBig>,
    denominator: UBig,
    /// The best choices of every state.
    settled: Vec<(StateId, Vec<u32>)>,
}

impl PartValues<'_> {
    /// The policy that is best for the middle of the bounds: in most cases it is best.
    fn start(&self, part: &Part, stays: &[bool], options: &[NodeOptions]) -> Vec<u32> {
        let Self { objective, bounds, .. } = *self;
        let weights = objective.model.weights();
        let middle = |state: StateId| {
            let (lower, upper) = bounds.of(objective.model.level_of(state), state);
            f64::midpoint(lower, upper)
        };
        let worth = |option: &Opt| {
            let choice = Part::choice(objective.model, *option);
            let terms = choice.targets.iter().zip(weights.probabilities(choice.weights));
            let reward = choice.reward.and_then(|reward| objective.rewards.get(reward as usize)).map_or(0.0, nearest);
            terms.fold(reward, |sum, (target, probability)| sum + probability * middle(target))
        };
        let best = |(node, stays): (usize, &bool)| {
            let staying = stays.then(|| nearest(&objective.forever));
            let mut best = (objective.sense.worst(), 0);
            let leading_out = options[node].first.iter().map(|place| worth(&part.options(node)[*place as usize]));
            for (place, worth) in (0..).zip(leading_out.chain(staying)) {
                if objective.sense.prefers(worth, best.0) {
                    best = (worth, place);
                }
            }
            best.1
        };
        stays.iter().enumerate().map(best).collect()
    }

    /// The value of a state whose value is known exactly.
    fn numerator(&self, state: StateId) -> UBig {
        UBig::from_words(self.limbs(state))
    }

    fn limbs(&self, state: StateId) -> &[u64] {
        let place = self.values.places[state as usize];
        let limbs = self.classes[place.class()].limbs;
        &self.values.limbs[place.offset()..place.offset() + limbs]
    }

    fn denominator(&self, state: StateId) -> &UBig {
        &self.classes[self.values.places[state as usize].class()].denominator
    }

    /// What is known of a part from finding its bounds, if that was all: where it leads is worth exactly what was said of it
    /// then.
    fn known(&self, part: &Part, common: &UBig) -> Option<(Vec<IBig>, UBig)> {
        let Self { objective, bounds, .. } = *self;
        let known = self.shelf.take(part.members.first())?;
        let is_point = |target: StateId| {
            let (lower, upper) = bounds.of(objective.model.level_of(target), target);
            let value = || Rational::from_parts(self.numerator(target).into(), self.denominator(target).clone());
            lower == upper && exactly(lower).is_some_and(|point| point == value())
        };
        let choices = part.members.iter().flat_map(|state| self.candidates.choices(objective.model, state));
        let mut outside =
            choices.flat_map(|(_, choice)| choice.targets.iter()).filter(|target| part.node(*target).is_none());
        let mut last = None;
        if !outside.all(|target| last == Some(target) || is_point(*last.insert(target))) {
            return None;
        }
        let members = members_of_nodes(part.len(), part.members.iter().filter_map(|state| part.node(state)));
        Some(known.of_nodes(&members, common))
    }

    /// Solves a part whose outside is known exactly, and settles which of its choices are best.
    pub(super) fn solve(&self, part: Part, stays: &[bool], effort: Effort<'_>) -> Result<SolvedPart, SolveError> {
        let Self { objective, candidates, values, .. } = *self;
        let model = objective.model;
        let mut common = objective.common_denominator(&part);
        // Few classes, many targets.
        let mut last = ClassId::WHOLE;
        for state in part.members.iter() {
            for (_, choice) in candidates.choices(model, state) {
                for target in choice.targets.iter().filter(|target| part.node(*target).is_none()) {
                    let class = values.places[target as usize].class();
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
            let factor = factors.entry(values.places[target as usize].class());
            self.numerator(target) * &*factor.or_insert_with(|| &common / self.denominator(target))
        };
        let same = |left: StateId, right: StateId| {
            values.places[left as usize].class() == values.places[right as usize].class()
                && self.limbs(left) == self.limbs(right)
        };
        let options = NodeOptions::of_part(objective, &part, stays, &common, &Outside { value, same });
        let known = self.known(&part, &common).and_then(|(numerators, denominator)| {
            let mut unknown = vec![u32::MAX; part.len()];
            let best = improved(objective.sense, &options, &mut unknown, &numerators, &denominator)?;
            Some(Nodes { numerators, denominator, best })
        });
        let Nodes { numerators, denominator, best } = match known {
            Some(known) => known,
            None => iterate_policies(objective, &part, &options, &self.start(&part, stays, &options), effort)?,
        };
        let settled = self.settle(&part, &options, &best);
        let numerators: Vec<UBig> = numerators.into_iter().map(UnsignedAbs::unsigned_abs).collect();
        let denominator = denominator * common;
        let divisor = numerators.iter().fold(denominator.clone(), Gcd::gcd);
        let numerators = numerators.into_iter().map(|numerator| numerator / &divisor).collect();
        Ok(SolvedPart { part, numerators, denominator: denominator / divisor, settled })
    }

    /// Which choices are best, those that stay inside of an end component included: they are worth what it is worth.
    fn settle(&self, part: &Part, options: &[NodeOptions], best: &[Vec<bool>]) -> Vec<(StateId, Vec<u32>)> {
        // Whether each option is one of the best, by state and number.
        let mut leading_out: Vec<(StateId, u32, bool)> = Vec::new();
        for (node, (own, best)) in options.iter().zip(best).enumerate() {
            let options = part.options(node).iter().zip(&own.which);
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
        part.members.iter().map(&mut best_of).collect()
    }
}

impl SolvedPart {
    pub(super) fn enter(
        self,
        candidates: &mut ChoiceSets,
        classes: &mut Classes,
        values: &mut ExactValues,
    ) -> Result<(), TooLarge> {
        let class = classes.of(self.denominator)?;
        let enter = |numerator| enter(numerator, class, classes, &mut values.limbs);
        let places = self.numerators.iter().map(enter).collect::<Result<Vec<_>, _>>()?;
        for (state, best) in self.settled {
            candidates.set(state, &best);
            if let Some(node) = self.part.node(state) {
                values.places[state as usize] = places[node];
            }
        }
        Ok(())
    }
}

/// Bounds of a part's nodes whose outside is known within bounds: the part is solved exactly for
/// each end of the outside. What is better outside is not worse inside, so the ends enclose.
pub(crate) fn part_bounds(
    objective: &ExactObjective<'_>,
    unproved: &UnprovedPart<'_>,
    shelf: Option<&Shelf>,
    effort: Effort<'_>,
) -> Result<Vec<(f64, f64)>, SolveError> {
    let UnprovedPart { part, stays, ends, policy } = *unproved;
    let first = vec![0; part.len()];
    let start = policy.unwrap_or(&first);
    let solve = |end: usize| {
        let outside = |target: StateId| ends.all[target as usize][end];
        let value = |target: StateId| exactly(outside(target)).unwrap_or(Rational::ZERO);
        let targets = part.choices(objective.model).flat_map(|choice| choice.targets.iter());
        if targets.clone().any(|target| part.node(target).is_none() && !outside(target).is_finite()) {
            return Err(SolveError::ValueTooLarge);
        }
        let mut common = objective.common_denominator(part);
        for target in targets.filter(|target| part.node(*target).is_none()) {
            common = lcm(&common, value(target).denominator());
        }
        let scaled = |target: StateId| {
            let (numerator, denominator) = value(target).into_parts();
            numerator.unsigned_abs() * (&common / denominator)
        };
        let same = |left: StateId, right: StateId| outside(left).to_bits() == outside(right).to_bits();
        let options = NodeOptions::of_part(objective, part, stays, &common, &Outside { value: scaled, same });
        // Where a node has no option at all, this is said below.
        let which = |(options, place): (&NodeOptions, &u32)| options.which.get(*place as usize).copied().unwrap_or(0);
        let start: Vec<u32> = options.iter().zip(start).map(which).collect();
        let Nodes { numerators, denominator, .. } = iterate_policies(objective, part, &options, &start, effort)?;
        Ok((numerators, denominator * common))
    };
    let enclosed = |(numerators, denominator): &(Vec<IBig>, UBig)| -> Vec<(f64, f64)> {
        // Nothing is worth less than 0 here. Lowest terms would take longer than all the rest.
        numerators.iter().map(|numerator| enclose_parts(&numerator.clone().unsigned_abs(), denominator)).collect()
    };
    let solved = solve(0)?;
    let lower = enclosed(&solved);
    let is_point = |target: StateId| ends.of(target).0 == ends.of(target).1;
    let mut outside = part.choices(objective.model).flat_map(|choice| choice.targets.iter());
    // What is known of the outside is often known exactly.
    if outside.all(|target| part.node(target).is_some() || is_point(target)) {
        if let Some(shelf) = shelf {
            let nodes = part.members.iter().filter_map(|state| part.node(state)).map(id).collect();
            let (numerators, denominator) = solved;
            shelf.keep(part.members.first(), Known { nodes, numerators, denominator }, effort.most_entries);
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
    /// Of every node, which of its different options are best.
    best: Vec<Vec<bool>>,
}

/// Policy iteration with exact linear equations. `start` is a policy to begin with, which must leave the part with
/// probability 1.
fn iterate_policies(
    objective: &ExactObjective<'_>,
    part: &Part,
    options: &[NodeOptions],
    start: &[u32],
    effort: Effort<'_>,
) -> Result<Nodes, SolveError> {
    let states = id(part.members.size());
    if options.iter().any(|options| options.different.is_empty()) {
        return Err(SolveError::NeverLeaves { states });
    }
    let leads = |node: usize, place: u32| {
        let option: &ExactOption = &options[node].different[place as usize];
        let inside: UBig = option.inner.iter().map(|(_, weight)| weight).sum();
        (inside < option.total, option.inner.iter().map(|(node, _)| *node))
    };
    let count = |node: usize| u32::try_from(options[node].different.len()).unwrap_or(u32::MAX);
    let mut policy = leaving_policy(start, count, leads).ok_or(SolveError::NeverLeaves { states })?;
    loop {
        let (rows, right) = equations(options, &policy);
        let (numerators, denominator) = solve_exactly(&rows, &right, effort).map_err(|error| match error {
            EliminationError::Singular => SolveError::NeverLeaves { states },
            EliminationError::TooLarge => SolveError::PartTooLarge { states },
            EliminationError::Stopped(stopped) => SolveError::Stopped(stopped),
        })?;
        if let Some(best) = improved(objective.sense, options, &mut policy, &numerators, &denominator) {
            return Ok(Nodes { numerators, denominator, best });
        }
    }
}

/// Puts options into a policy that are better than what it is worth; where there are none, says of every option whether it
/// is as good.
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
        // The best so far, where that is not what the policy is worth, and its total.
        let mut better: Option<(IBig, &UBig)> = None;
        // What the policy is worth times a total.
        let mut own: Option<(IBig, &UBig)> = None;
        let before = policy[node];
        for (place, option) in (0..).zip(different).filter(|(place, _)| *place != before) {
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
            as_good[place as usize] = order.is_eq();
            if order.is_gt() {
                better = Some((worth, total));
                policy[node] = place;
                is_improved = true;
            }
        }
        best.push(as_good);
    }
    (!is_improved).then_some(best)
}

/// The equations of a policy: for every node, total times value minus the inner weights.
fn equations(options: &[NodeOptions], policy: &[u32]) -> (Vec<Row<IBig>>, Vec<IBig>) {
    let rows = (0u32..).zip(policy).map(|(node, place)| {
        let option = &options[node as usize].different[*place as usize];
        let mut row: Row<IBig> = vec![(node, IBig::from(option.total.clone()))];
        for (inner, weight) in &option.inner {
            let weight = IBig::from(weight.clone());
            if *inner == node { row[0].1 -= weight } else { row.push((*inner, -weight)) }
        }
        row
    });
    let outside = |(options, place): (&NodeOptions, &u32)| options.different[*place as usize].outside.clone();
    let right = options.iter().zip(policy).map(|own| IBig::from(outside(own)));
    (rows.collect(), right.collect())
}
