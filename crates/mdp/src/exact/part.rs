//! Cyclic parts, exactly: policy iteration, each policy's equations solved in integers.

use std::cell::RefCell;

use dashu_base::{Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use rustc_hash::FxHashMap;

use super::classes::{Classes, enter};
use super::shelf::{Known, Shelf, members_of_nodes};
use crate::best::ChoiceSets;
use crate::bounds::Bounds;
use crate::distribution::lcm;
use crate::ends::Ends;
use crate::exact_values::{ClassId, ExactValues, TooLarge};
use crate::linear::{Effort, EliminationError, Row, solve_exactly};
use crate::model::{Choice, StateId};
use crate::objective::ExactObjective;
use crate::part::{Opt, Part, leaving_policy};
use crate::places::id;
use crate::rational::{Rational, enclose_parts, exactly, nearest};
use crate::solve_error::SolveError;

/// An option of a cyclic part with integers: its inner weights, and what it brings from outside
/// times the common denominator.
struct ExactOption {
    /// Node and weight.
    inner: Vec<(u32, UBig)>,
    total: UBig,
    outside: UBig,
}

impl ExactOption {
    /// The option's worth times its total and the common denominators.
    fn worth(&self, numerators: &[IBig], denominator: &UBig) -> IBig {
        let outside = IBig::from(&self.outside * denominator);
        self.inner
            .iter()
            .fold(outside, |sum, (node, weight)| sum + IBig::from(weight.clone()) * &numerators[*node as usize])
    }
}

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
    part: Part,
    numerators: Vec<UBig>,
    denominator: UBig,
    /// The best choices of every state.
    settled: Vec<(StateId, Vec<u32>)>,
}

impl PartValues<'_> {
    /// The policy that is best for the middle of the bounds: in most cases it is best.
    fn start(&self, part: &Part, stays: &[bool]) -> Vec<u32> {
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
            for (place, worth) in (0..).zip(part.options(node).iter().map(worth).chain(staying)) {
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
        let place = self.values.places[state as usize];
        let limbs = self.classes[place.class()].limbs;
        UBig::from_words(&self.values.limbs[place.offset()..place.offset() + limbs])
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
        let outside = |target: StateId| {
            let mut factors = factors.borrow_mut();
            let factor = factors.entry(values.places[target as usize].class());
            self.numerator(target) * &*factor.or_insert_with(|| &common / self.denominator(target))
        };
        let options = exact_options(objective, &part, stays, &common, outside);
        let (numerators, denominator) = match self.known(&part, &common) {
            Some(known) => known,
            None => iterate_policies(objective, &part, &options, &self.start(&part, stays), effort)?,
        };
        let settled = self.settle(&part, &options, &numerators, &denominator);
        let numerators: Vec<UBig> = numerators.into_iter().map(UnsignedAbs::unsigned_abs).collect();
        let denominator = denominator * common;
        let divisor = numerators.iter().fold(denominator.clone(), Gcd::gcd);
        let numerators = numerators.into_iter().map(|numerator| numerator / &divisor).collect();
        Ok(SolvedPart { part, numerators, denominator: denominator / divisor, settled })
    }

    /// Which choices are best, those that stay inside of an end component included: they are worth what it is worth.
    fn settle(
        &self,
        part: &Part,
        options: &[Vec<ExactOption>],
        numerators: &[IBig],
        denominator: &UBig,
    ) -> Vec<(StateId, Vec<u32>)> {
        // Whether each option is one of the best, by state and number.
        let mut leading_out: Vec<(StateId, u32, bool)> = Vec::new();
        for (node, exact) in options.iter().enumerate() {
            let is_best = |option: &ExactOption| {
                option.worth(numerators, denominator) == IBig::from(option.total.clone()) * &numerators[node]
            };
            leading_out.extend(
                part.options(node)
                    .iter()
                    .zip(exact)
                    .map(|(option, exact)| (option.state, option.number, is_best(exact))),
            );
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
    part: &Part,
    stays: &[bool],
    ends: &Ends,
    start: Option<&[u32]>,
    shelf: Option<&Shelf>,
    effort: Effort<'_>,
) -> Result<Vec<(f64, f64)>, SolveError> {
    let first = vec![0; part.len()];
    let start = start.unwrap_or(&first);
    let solve = |end: usize| {
        let outside = |target: StateId| ends.all[target as usize][end];
        let value = |target: StateId| exactly(outside(target)).unwrap_or(Rational::ZERO);
        let targets =
            part.members.iter().flat_map(|state| objective.model.choices(state)).flat_map(|c| c.targets.iter());
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
        let options = exact_options(objective, part, stays, &common, scaled);
        let (numerators, denominator) = iterate_policies(objective, part, &options, start, effort)?;
        Ok((numerators, denominator * common))
    };
    let enclosed = |(numerators, denominator): &(Vec<IBig>, UBig)| -> Vec<(f64, f64)> {
        // Nothing is worth less than 0 here. Lowest terms would take longer than all the rest.
        numerators.iter().map(|numerator| enclose_parts(&numerator.clone().unsigned_abs(), denominator)).collect()
    };
    let solved = solve(0)?;
    let lower = enclosed(&solved);
    let is_point = |target: StateId| ends.of(target).0 == ends.of(target).1;
    let mut outside =
        part.members.iter().flat_map(|state| objective.model.choices(state)).flat_map(|c| c.targets.iter());
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

/// The options of every node; the last of one in which play can stay for ever is to stay. `outside` gives the value of a
/// state outside of the part as a numerator over `common`.
fn exact_options(
    objective: &ExactObjective<'_>,
    part: &Part,
    stays: &[bool],
    common: &UBig,
    outside: impl Fn(StateId) -> UBig + Copy,
) -> Vec<Vec<ExactOption>> {
    let exact =
        |option: &Opt| ExactOption::new(objective, part, &Part::choice(objective.model, *option), common, outside);
    let mut options: Vec<Vec<ExactOption>> =
        (0..part.len()).map(|node| part.options(node).iter().map(exact).collect()).collect();
    let forever = objective.forever.numerator().unsigned_abs() * (common / objective.forever.denominator());
    for (options, _) in options.iter_mut().zip(stays).filter(|(_, stays)| **stays) {
        options.push(ExactOption { inner: Vec::new(), total: UBig::ONE, outside: forever.clone() });
    }
    options
}

/// Policy iteration with exact linear equations: the nodes' values as numerators over the common denominator of the `options`
/// times the denominator returned. `start` is a policy to begin with, which must leave the part with probability 1.
fn iterate_policies(
    objective: &ExactObjective<'_>,
    part: &Part,
    options: &[Vec<ExactOption>],
    start: &[u32],
    effort: Effort<'_>,
) -> Result<(Vec<IBig>, UBig), SolveError> {
    let states = id(part.members.len());
    if options.iter().any(Vec::is_empty) {
        return Err(SolveError::NeverLeaves { states });
    }
    let leads = |node: usize, place: u32| {
        let option: &ExactOption = &options[node][place as usize];
        let inside: UBig = option.inner.iter().map(|(_, weight)| weight).sum();
        (inside < option.total, option.inner.iter().map(|(node, _)| *node))
    };
    let count = |node: usize| u32::try_from(options[node].len()).unwrap_or(u32::MAX);
    let mut policy = leaving_policy(start, count, leads).ok_or(SolveError::NeverLeaves { states })?;
    loop {
        let (rows, right) = equations(options, &policy);
        let (numerators, denominator) = solve_exactly(&rows, &right, effort).map_err(|error| match error {
            EliminationError::Singular => SolveError::NeverLeaves { states },
            EliminationError::TooLarge => SolveError::PartTooLarge { states },
            EliminationError::Stopped(stopped) => SolveError::Stopped(stopped),
        })?;
        let mut improved = false;
        for (node, options) in options.iter().enumerate() {
            let mut best = (policy[node], numerators[node].clone(), UBig::ONE);
            for (place, option) in (0..).zip(options) {
                let worth = option.worth(&numerators, &denominator);
                let order = (&worth * IBig::from(best.2.clone())).cmp(&(&best.1 * IBig::from(option.total.clone())));
                if objective.sense.order(order).is_gt() {
                    best = (place, worth, option.total.clone());
                    improved = true;
                }
            }
            policy[node] = best.0;
        }
        if !improved {
            return Ok((numerators, denominator));
        }
    }
}

impl ExactOption {
    fn new(
        objective: &ExactObjective<'_>,
        part: &Part,
        choice: &Choice<'_>,
        common: &UBig,
        outside: impl Fn(StateId) -> UBig,
    ) -> Self {
        let weights = objective.model.weights().weight_list(choice.weights);
        let total = objective.model.weights().total(choice.weights);
        let mut exact = Self { inner: Vec::new(), total, outside: UBig::ZERO };
        for (target, weight) in choice.targets.iter().zip(weights) {
            match part.node(target) {
                Some(node) => exact.inner.push((id(node), weight)),
                None => exact.outside += weight * outside(target),
            }
        }
        // Several targets can be of one node.
        exact.inner.sort_unstable_by_key(|(node, _)| *node);
        exact.inner.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                first.1 += &next.1;
            }
            same
        });
        if let Some(reward) = choice.reward.filter(|_| !objective.rewards.is_empty()) {
            let reward = &objective.rewards[reward as usize];
            exact.outside += &exact.total * reward.numerator().unsigned_abs() * (common / reward.denominator());
        }
        exact
    }
}

/// The equations of a policy: for every node, total times value minus the inner weights.
fn equations(options: &[Vec<ExactOption>], policy: &[u32]) -> (Vec<Row<IBig>>, Vec<IBig>) {
    let rows = (0u32..).zip(policy).map(|(node, place)| {
        let option = &options[node as usize][*place as usize];
        let mut row: Row<IBig> = vec![(node, IBig::from(option.total.clone()))];
        for (inner, weight) in &option.inner {
            let weight = IBig::from(weight.clone());
            if *inner == node { row[0].1 -= weight } else { row.push((*inner, -weight)) }
        }
        row
    });
    let right =
        policy.iter().enumerate().map(|(node, place)| IBig::from(options[node][*place as usize].outside.clone()));
    (rows.collect(), right.collect())
}
