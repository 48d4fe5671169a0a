//! Both ends of every state's value: models with cyclic parts, or with numbers that could underflow.

use std::ops::Range;

use rayon::prelude::*;

use crate::best::{ChoiceSets, MANY, MOST_CHOICES, mask};
use crate::bounds::Bounds;
use crate::ends::{Ends, interval_in_fractions, outwards};
use crate::linear::Effort;
use crate::model::{Block, CHANCE, Choice, KIND, Level, MOVES, StateId};
use crate::objective::Objective;
use crate::part::Part;
use crate::part_bounds::{Found, Plain, bounds_of_part};
use crate::places::id;
use crate::sense::Sense;
use crate::solve_error::SolveError;

/// The sets of states of which a choice has no bit in a mask.
type Many = Vec<(StateId, Vec<u32>)>;

/// States that a thread takes at once, and after which it asks whether to go on.
const SHARE: usize = 1 << 12;

/// Both ends for every state. `solve_exactly` is asked for a cyclic part where floating point could
/// not prove its bounds: it gets the part and the bounds so far, and returns those of the nodes.
pub(crate) fn sweep_intervals(
    objective: &Objective<'_>,
    candidates: &mut ChoiceSets,
    effort: Effort<'_>,
    solve_exactly: impl Fn(&Part, &[bool], &Ends, Option<&[u32]>) -> Result<Vec<(f64, f64)>, SolveError> + Sync,
    may_stay: impl Fn(StateId) -> bool + Sync,
    go_on: impl Fn() -> Result<(), SolveError> + Sync,
    mut progress: impl FnMut(&Level) -> Result<(), SolveError>,
) -> Result<Bounds, SolveError> {
    let model = objective.model;
    let count = model.states() as usize;
    candidates.masks.clear();
    candidates.masks.resize(count, 0);
    candidates.many.clear();
    // Widths add up from part to part: all of them together stay far below what is asked for.
    let deep = model.levels().iter().filter(|level| !level.parts.is_empty()).count();
    let least = (objective.precision * 1e-5).clamp(1e-17, 1e-14);
    let width = (objective.precision / (10.0 * f64::from(id(deep.max(1))))).clamp(least, 2e-11);
    let mut ends = Ends { lower: vec![0.0; count], upper: vec![0.0; count] };
    for level in model.levels().iter().rev() {
        candidates.many.extend(acyclic_states(objective, level, &mut ends, &mut candidates.masks, &go_on)?);
        let parts = &model.parts[level.parts.start as usize..level.parts.end as usize];
        let solve = |plain: &mut Plain, range: &Range<StateId>| {
            effort.budget.check()?;
            if let Some(found) = plain.bounds(objective, range, &ends, width) {
                return Ok(found);
            }
            let part = Part::new(model, range.clone(), |state, choice| objective.allows(state, choice), effort.budget)?;
            let stays = part.stays(&may_stay);
            let nodes = match bounds_of_part(objective, &part, &stays, &ends, width, effort)? {
                Found::Proved(nodes) => nodes,
                Found::Unproved { policy, wide } => {
                    match (solve_exactly(&part, &stays, &ends, policy.as_deref()), wide) {
                        // Better wide than nothing.
                        (Err(SolveError::PartTooLarge { .. }), Some(wide)) => wide,
                        (found, _) => found?,
                    }
                }
                Found::NeverLeaves => {
                    return Err(SolveError::NeverLeaves { states: part.members.end - part.members.start });
                }
            };
            Ok(range.clone().filter_map(|state| part.node(state)).map(|node| nodes[node]).collect())
        };
        let solved: Vec<Vec<(f64, f64)>> =
            parts.par_iter().map_init(Plain::default, solve).collect::<Result<_, SolveError>>()?;
        for (part, found) in parts.iter().zip(solved) {
            for (state, found) in part.clone().zip(found) {
                (ends.lower[state as usize], ends.upper[state as usize]) = found;
            }
        }
        let cyclic = level.cyclic as usize..level.states.end as usize;
        let pieces = candidates.masks[cyclic.clone()].par_chunks_mut(SHARE).enumerate();
        let pieces = pieces.map_init(Vec::new, |found, (piece, masks)| {
            go_on()?;
            let mut many = Vec::new();
            for (state, mask) in (cyclic.start + piece * SHARE..).zip(masks) {
                let best = bellman(objective, id(state), |target| ends.of(target), found);
                *mask = near(objective.sense, id(state), best, found, &mut many);
            }
            Ok::<_, SolveError>(many)
        });
        candidates.many.extend(pieces.collect::<Result<Vec<Many>, _>>()?.into_iter().flatten());
        progress(level)?;
    }
    Ok(Bounds::Interval { lower: ends.lower, upper: ends.upper })
}

/// The states of a level that lie outside of cyclic parts.
fn acyclic_states<E: Send>(
    objective: &Objective<'_>,
    level: &Level,
    ends: &mut Ends,
    masks: &mut [u32],
    go_on: &(impl Fn() -> Result<(), E> + Sync),
) -> Result<Many, E> {
    let states = level.states.start as usize..level.cyclic as usize;
    let (lower_head, lower) = ends.lower.split_at_mut(states.end);
    let (upper_head, upper) = ends.upper.split_at_mut(states.end);
    let done = Done { lower, upper, first: states.end };
    let own = lower_head[states.clone()].par_chunks_mut(SHARE).zip(upper_head[states.clone()].par_chunks_mut(SHARE));
    let own = own.zip(masks[states.clone()].par_chunks_mut(SHARE)).enumerate();
    let pieces = own.map_init(Default::default, |(found, lanes), (piece, ((lower, upper), masks))| {
        go_on()?;
        let mut many = Vec::new();
        let first = states.start + piece * SHARE;
        let mut place = 0;
        while place < masks.len() {
            let block = objective.model.code.block(id(first + place));
            let lane = id(first + place) - block.first;
            let own = place..masks.len().min(place + (block.lanes - lane) as usize);
            place = own.end;
            if block.lanes > 1
                && done.block(objective, &block, lane, &mut lower[own.clone()], &mut upper[own.clone()], lanes)
            {
                lanes.near(objective.sense, &lower[own.clone()], &upper[own.clone()], &mut masks[own]);
                continue;
            }
            for place in own {
                (lower[place], upper[place]) = bellman(objective, id(first + place), |target| done.of(target), found);
                masks[place] = near(objective.sense, id(first + place), (lower[place], upper[place]), found, &mut many);
            }
        }
        Ok(many)
    });
    Ok(pieces.collect::<Result<Vec<Many>, E>>()?.into_iter().flatten().collect())
}

/// The intervals of the states of a block, choice by choice; reused for all blocks.
#[derive(Default)]
struct Lanes {
    lower: Vec<f64>,
    upper: Vec<f64>,
    hulls: Vec<(f64, f64)>,
}

impl Lanes {
    /// The choices whose intervals reach the best, for each state.
    fn near(&self, sense: Sense, lower: &[f64], upper: &[f64], masks: &mut [u32]) {
        let count = masks.len();
        masks.fill(0);
        for (choice, (own_lower, own_upper)) in
            (0..).zip(self.lower.chunks_exact(count).zip(self.upper.chunks_exact(count)))
        {
            if sense == Sense::Max {
                let reach = own_upper.iter().zip(lower).map(|(own, best)| own >= best);
                masks.iter_mut().zip(reach).for_each(|(mask, near)| *mask |= u32::from(near) << choice);
            } else {
                let reach = own_lower.iter().zip(upper).map(|(own, best)| own <= best);
                masks.iter_mut().zip(reach).for_each(|(mask, near)| *mask |= u32::from(near) << choice);
            }
        }
    }
}

/// The ends of the states of lower levels.
struct Done<'a> {
    lower: &'a [f64],
    upper: &'a [f64],
    first: usize,
}

impl Done<'_> {
    fn of(&self, state: StateId) -> (f64, f64) {
        (self.lower[state as usize - self.first], self.upper[state as usize - self.first])
    }

    /// The states of a block from a lane on, all at once: as [`bellman`] for each of them. Says whether it could be done;
    /// the intervals of the choices are in `lanes` then.
    fn block(
        &self,
        objective: &Objective<'_>,
        block: &Block<'_>,
        lane: u32,
        lower: &mut [f64],
        upper: &mut [f64],
        lanes: &mut Lanes,
    ) -> bool {
        let weights = &objective.model.code.weights;
        let sense = objective.sense;
        let count = lower.len();
        lanes.lower.clear();
        lanes.upper.clear();
        if objective.allowed.is_some() {
            return false;
        }
        let mut choices = 0;
        let mut run = block.words;
        lower.fill(sense.worst());
        upper.fill(sense.worst());
        while let Some((&header, rest)) = run.split_first() {
            if header & KIND != CHANCE || choices == MOST_CHOICES || weights.is_subnormal(header) {
                return false;
            }
            choices += 1;
            let probabilities = weights.probabilities(header);
            let (targets, rest) = rest.split_at(probabilities.len());
            run = rest;
            let begin = lanes.lower.len();
            lanes.lower.resize(begin + count, 0.0);
            lanes.upper.resize(begin + count, 0.0);
            let (own_lower, own_upper) = (&mut lanes.lower[begin..], &mut lanes.upper[begin..]);
            lanes.hulls.clear();
            lanes.hulls.resize(count, (f64::INFINITY, 0.0));
            for (word, probability) in targets.iter().zip(probabilities) {
                if word & MOVES == 0 {
                    let ends = self.of(*word);
                    for ((lower, upper), hull) in own_lower.iter_mut().zip(&mut *own_upper).zip(&mut lanes.hulls) {
                        *lower += probability * ends.0;
                        *upper += probability * ends.1;
                        *hull = (hull.0.min(ends.0), hull.1.max(ends.1));
                    }
                } else {
                    let first = (word & !MOVES) as usize + lane as usize - self.first;
                    let (lower, upper) = (&self.lower[first..first + count], &self.upper[first..first + count]);
                    own_lower.iter_mut().zip(lower).for_each(|(sum, end)| *sum += probability * end);
                    own_upper.iter_mut().zip(upper).for_each(|(sum, end)| *sum += probability * end);
                    for (hull, (lower, upper)) in lanes.hulls.iter_mut().zip(lower.iter().zip(upper)) {
                        *hull = (hull.0.min(*lower), hull.1.max(*upper));
                    }
                }
            }
            // What is certain is not rounded.
            if targets.len() > 1 {
                for ((lower, upper), hull) in own_lower.iter_mut().zip(&mut *own_upper).zip(&lanes.hulls) {
                    let ends = outwards(*lower, *upper, targets.len());
                    (*lower, *upper) = (ends.0.max(hull.0), ends.1.min(hull.1));
                }
            }
            lower.iter_mut().zip(own_lower).for_each(|(best, end)| *best = sense.better(*best, *end));
            upper.iter_mut().zip(own_upper).for_each(|(best, end)| *best = sense.better(*best, *end));
        }
        choices > 0
    }
}

/// The interval of one choice.
fn interval(objective: &Objective<'_>, choice: &Choice<'_>, of: impl Fn(StateId) -> (f64, f64)) -> (f64, f64) {
    let reward = objective.reward(choice);
    if let (Some(target), None) = (choice.targets.only(), reward) {
        return of(target);
    }
    let weights = &objective.model.code.weights;
    if weights.is_subnormal(choice.weights) {
        return interval_in_fractions(objective, choice, of);
    }
    let mut hull = (f64::INFINITY, 0.0_f64);
    let (mut lower, mut upper) = (0.0, 0.0);
    for (target, probability) in choice.targets.iter().zip(weights.probabilities(choice.weights)) {
        let ends = of(target);
        hull = (hull.0.min(ends.0), hull.1.max(ends.1));
        lower += probability * ends.0;
        upper += probability * ends.1;
    }
    if let Some(reward) = reward {
        return outwards(lower + reward.nearest, upper + reward.nearest, choice.targets.len());
    }
    let (lower, upper) = outwards(lower, upper, choice.targets.len());
    (lower.max(hull.0), upper.min(hull.1))
}

/// One step of Bellman's equation on intervals: those of all choices are `found`.
fn bellman(
    objective: &Objective<'_>,
    state: StateId,
    of: impl Fn(StateId) -> (f64, f64),
    found: &mut Vec<(u32, (f64, f64))>,
) -> (f64, f64) {
    let sense = objective.sense;
    found.clear();
    if let Some(payoff) = objective.payoff(state) {
        return payoff.ends;
    }
    let mut best = (sense.worst(), sense.worst());
    for (number, choice) in (0..).zip(objective.model.choices(state)) {
        if objective.allows(state, number) {
            let ends = interval(objective, &choice, &of);
            best = (sense.better(best.0, ends.0), sense.better(best.1, ends.1));
            found.push((number, ends));
        }
    }
    best
}

/// The choices whose intervals reach the best.
fn could_be_best(sense: Sense, best: (f64, f64), found: &[(u32, (f64, f64))]) -> impl Iterator<Item = u32> + '_ {
    let reaches = move |ends: &(f64, f64)| if sense == Sense::Max { ends.1 >= best.0 } else { ends.0 <= best.1 };
    found.iter().filter(move |(_, ends)| reaches(ends)).map(|(number, _)| *number)
}

/// [`could_be_best`] as bits; in `many` where they do not fit.
fn near(sense: Sense, state: StateId, best: (f64, f64), found: &[(u32, (f64, f64))], many: &mut Many) -> u32 {
    mask(could_be_best(sense, best, found)).unwrap_or_else(|| {
        many.push((state, could_be_best(sense, best, found).collect()));
        MANY
    })
}
