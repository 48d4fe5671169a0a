//! Both ends of every state's value: for models with components, or with numbers that could underflow.

use std::sync::Mutex;

use rayon::prelude::*;

use super::level_sccs::LevelSccs;
use crate::linear::Effort;
use crate::model::{Block, CHANCE, Choice, Family, KIND, Level, MOVES, StateId};
use crate::solution::{
    Bounds, ChoiceSets, Ends, MANY, MOST_CHOICES, Outwards, Pair, Sense, SolveError, mask, outwards,
};
use crate::solve::scc_bounds::SmallSccSolver;
use crate::solve::{Objective, UnprovedScc, interval_in_fractions};
use crate::support::{filled, id};

/// The sets of states with a choice that has no bit in a mask.
type Many = Vec<(StateId, Vec<u32>)>;

/// States that a thread takes at once, checking the budget after each share.
const SHARE: usize = 1 << 9;

/// Shares of the families of a level for each thread.
const SHARES: usize = 64;

/// Both ends for every state. `solve_exactly` is called for a component where floating point could not prove its
/// bounds: it returns those of the nodes.
pub(crate) fn sweep_intervals(
    objective: &Objective<'_>,
    candidates: &mut ChoiceSets,
    effort: Effort<'_>,
    solve_exactly: impl Fn(&UnprovedScc<'_>) -> Result<Vec<(f64, f64)>, SolveError> + Sync,
    may_stay: impl Fn(StateId) -> bool + Sync,
    mut progress: impl FnMut(&Level) -> Result<(), SolveError>,
) -> Result<Bounds, SolveError> {
    let model = objective.model;
    let go_on = || effort.budget.check().map_err(SolveError::Stopped);
    let count = model.states() as usize;
    *candidates = ChoiceSets { masks: filled(0, count), ..ChoiceSets::default() };
    // Widths add up from component to component: all of them together must stay far below the requested precision.
    let deep = model.levels().iter().filter(|level| !level.families.is_empty()).count();
    let least = (objective.precision * 1e-5).clamp(1e-17, 1e-14);
    let width = (objective.precision / (10.0 * f64::from(id(deep.max(1))))).clamp(least, 2e-11);
    let mut ends = Ends { all: filled([0.0; 2], count) };
    let mut some_infinite = false;
    // Buffers that are not in use.
    let spare: Mutex<Vec<SmallSccSolver>> = Mutex::default();
    for level in model.levels().iter().rev() {
        candidates.many.extend(acyclic_states(objective, level, &mut ends, &mut candidates.masks, &go_on)?);
        let exact = &solve_exactly;
        let sccs = LevelSccs { objective, ends: &ends, width, effort, some_infinite, exact, may_stay: &may_stay };
        let solve = |solver: &mut SmallSccSolver, family: &Family| {
            effort.budget.check()?;
            let found = solver.solve(objective, *family, &ends, width, effort);
            let left = found.left.iter().map(|scc| sccs.solve(*scc)).collect::<Result<Vec<_>, SolveError>>()?;
            Ok((family.first, found, left))
        };
        let solve_some = |families: &[Family]| {
            let mut solver = spare.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_default();
            let solved =
                families.iter().map(|family| solve(&mut solver, family)).collect::<Result<Vec<_>, SolveError>>();
            if let Ok(mut spare) = spare.lock() {
                spare.push(solver);
            }
            solved
        };
        // A few at a time, where there are many: some take many times as long as others.
        let families = model.families_of(level);
        let share = (families.len() / (SHARES * rayon::current_num_threads())).max(1);
        let solved = families.par_chunks(share).with_max_len(1).map(solve_some);
        let mut others = Vec::new();
        for (first, found, left) in solved.collect::<Result<Vec<_>, SolveError>>()?.into_iter().flatten() {
            let masks = &mut candidates.masks[first as usize..];
            masks.iter_mut().zip(found.masks).for_each(|(all, own)| *all = own);
            candidates.many.extend(found.many);
            others.extend(left.iter().flatten().map(|(state, _)| *state));
            for (state, found) in (first..).zip(found.bounds).chain(left.into_iter().flatten()) {
                ends.all[state as usize] = found.into();
            }
        }
        some_infinite = some_infinite || others.iter().any(|state| ends.is_infinite(*state));
        choices_of(objective, &others, &ends, candidates, &go_on)?;
        progress(level)?;
    }
    Ok(Bounds::Interval { ends: ends.all })
}

/// For some states, whose ends are known, the choices that could be best.
fn choices_of(
    objective: &Objective<'_>,
    states: &[StateId],
    ends: &Ends,
    candidates: &mut ChoiceSets,
    go_on: &(impl Fn() -> Result<(), SolveError> + Sync),
) -> Result<(), SolveError> {
    let pieces = states.par_chunks(SHARE).map_init(Vec::new, |found, states| {
        go_on()?;
        let mut many = Vec::new();
        let mut choices = |state: &StateId| {
            let best = bellman(objective, *state, |target| ends.of(target), found);
            near(objective.sense, *state, best, found, &mut many)
        };
        let masks: Vec<u32> = states.iter().map(&mut choices).collect();
        Ok((masks, many))
    });
    let pieces = pieces.collect::<Result<Vec<(Vec<u32>, Many)>, SolveError>>()?;
    for (states, (masks, many)) in states.chunks(SHARE).zip(pieces) {
        for (state, mask) in states.iter().zip(masks) {
            candidates.masks[*state as usize] = mask;
        }
        candidates.many.extend(many);
    }
    Ok(())
}

/// The states of a level outside of components.
fn acyclic_states<E: Send>(
    objective: &Objective<'_>,
    level: &Level,
    ends: &mut Ends,
    masks: &mut [u32],
    go_on: &(impl Fn() -> Result<(), E> + Sync),
) -> Result<Many, E> {
    let states = level.states.start as usize..level.cyclic as usize;
    let (head, rest) = ends.all.split_at_mut(states.end);
    let done = Done { ends: rest, first: states.end };
    let own = head[states.clone()].par_chunks_mut(SHARE).zip(masks[states.clone()].par_chunks_mut(SHARE)).enumerate();
    let pieces = own.map_init(Default::default, |(found, lanes), (piece, (ends, masks))| {
        go_on()?;
        let mut many = Vec::new();
        let first = states.start + piece * SHARE;
        let mut index = 0;
        while index < masks.len() {
            let block = objective.model.code.block(id(first + index));
            let lane = id(first + index) - block.first;
            let own = index..masks.len().min(index + (block.lanes - lane) as usize);
            index = own.end;
            if block.lanes > 1 && done.block(objective, &block, lane, &mut ends[own.clone()], lanes) {
                lanes.near(objective.sense, &ends[own.clone()], &mut masks[own]);
                continue;
            }
            for index in own {
                let best = bellman(objective, id(first + index), |target| done.of(target), found);
                ends[index] = best.into();
                masks[index] = near(objective.sense, id(first + index), best, found, &mut many);
            }
        }
        Ok(many)
    });
    Ok(pieces.collect::<Result<Vec<Many>, E>>()?.into_iter().flatten().collect())
}

/// The intervals of the states of a block, choice by choice; reused for all blocks.
#[derive(Default)]
struct Lanes {
    ends: Vec<Pair>,
    hulls: Vec<Pair>,
}

impl Lanes {
    /// The choices whose intervals reach the best, for each state.
    fn near(&self, sense: Sense, best: &[Pair], masks: &mut [u32]) {
        masks.fill(0);
        for (choice, own) in (0..).zip(self.ends.chunks_exact(masks.len())) {
            let ends = masks.iter_mut().zip(own.iter().zip(best));
            if sense == Sense::Max {
                ends.for_each(|(mask, (own, best))| *mask |= u32::from(own[1] >= best[0]) << choice);
            } else {
                ends.for_each(|(mask, (own, best))| *mask |= u32::from(own[0] <= best[1]) << choice);
            }
        }
    }
}

/// The ends of the states of lower levels.
struct Done<'a> {
    ends: &'a [Pair],
    first: usize,
}

impl Done<'_> {
    #[inline]
    fn of(&self, state: StateId) -> (f64, f64) {
        self.ends[state as usize - self.first].into()
    }

    /// The states of a block from a lane on, in lockstep: as [`bellman`] for each of them. Returns whether that was
    /// possible; the intervals of the choices are in `lanes` then.
    fn block(
        &self,
        objective: &Objective<'_>,
        block: &Block<'_>,
        lane: u32,
        best: &mut [Pair],
        lanes: &mut Lanes,
    ) -> bool {
        let weights = &objective.model.code.weights;
        let sense = objective.sense;
        let count = best.len();
        lanes.ends.clear();
        if objective.allowed.is_some() {
            return false;
        }
        let mut choices = 0;
        let mut run = block.words;
        best.fill([sense.worst(); 2]);
        while let Some((&header, rest)) = run.split_first() {
            if header & KIND != CHANCE || choices == MOST_CHOICES || weights.is_subnormal(header) {
                return false;
            }
            choices += 1;
            let probabilities = weights.probabilities(header);
            let (targets, rest) = rest.split_at(probabilities.len());
            run = rest;
            let begin = lanes.ends.len();
            lanes.ends.resize(begin + count, [0.0; 2]);
            let own = &mut lanes.ends[begin..];
            lanes.hulls.clear();
            lanes.hulls.resize(count, NO_HULL);
            for (word, probability) in targets.iter().zip(probabilities) {
                if word & MOVES == 0 {
                    let ends = self.ends[*word as usize - self.first];
                    for (sum, hull) in own.iter_mut().zip(&mut lanes.hulls) {
                        add(sum, hull, *probability, ends);
                    }
                } else {
                    let first = (word & !MOVES) as usize + lane as usize - self.first;
                    let ends = &self.ends[first..first + count];
                    for ((sum, hull), ends) in own.iter_mut().zip(&mut lanes.hulls).zip(ends) {
                        add(sum, hull, *probability, *ends);
                    }
                }
            }
            // A certain outcome is not rounded.
            if targets.len() > 1 {
                let outwards = Outwards::new(targets.len());
                for (own, hull) in own.iter_mut().zip(&lanes.hulls) {
                    let ends = outwards.move_ends(own[0], own[1]);
                    *own = [ends.0.max(hull[0]), ends.1.min(hull[1])];
                }
            }
            for (best, own) in best.iter_mut().zip(own) {
                *best = [sense.better(best[0], own[0]), sense.better(best[1], own[1])];
            }
        }
        // Whether that is an overflow, or infinite, is determined elsewhere.
        choices > 0 && best.iter().all(|[lower, _]| *lower < f64::INFINITY)
    }
}

/// The hull of no values.
const NO_HULL: Pair = [f64::INFINITY, 0.0];

/// Adds a term to both ends of a sum, and extends their hull.
#[inline]
fn add(sum: &mut Pair, hull: &mut Pair, probability: f64, [lower, upper]: Pair) {
    *sum = [sum[0] + probability * lower, sum[1] + probability * upper];
    *hull = [if lower < hull[0] { lower } else { hull[0] }, if upper > hull[1] { upper } else { hull[1] }];
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
    let (mut hull, mut sum) = (NO_HULL, [0.0; 2]);
    for (target, probability) in choice.targets.iter().zip(weights.probabilities(choice.weights)) {
        add(&mut sum, &mut hull, *probability, of(target).into());
    }
    let [lower, upper] = sum;
    let earned = reward.map_or(0.0, |reward| reward.nearest);
    let (lower, upper) = outwards(lower + earned, upper + earned, choice.targets.len());
    if lower == f64::INFINITY {
        // Infinite, or an overflow.
        return interval_in_fractions(objective, choice, of);
    }
    if reward.is_some() { (lower, upper) } else { (lower.max(hull[0]), upper.min(hull[1])) }
}

/// One step of Bellman's equation on intervals; those of all choices are added to `found`.
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
