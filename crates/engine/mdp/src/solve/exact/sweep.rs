//! The exact sweep over the states, level by level: denominators first, then numerators.

use std::ops::Range;

use budget::Budget;
use dashu_base::UnsignedAbs;
use dashu_int::UBig;
use rayon::prelude::*;

use super::chosen::Chosen;
use super::classes::{Classes, Denominators, KnownClasses, enter};
use super::limbs::{add_long_product, add_product, compare};
use super::scc::{SccValues, SolvedScc};
use super::shelf::Shelf;
use super::workspace::{Factor, Workspace};
use crate::linear::Effort;
use crate::model::{Choice, Family, Level, Model, StateId, WeightSlice};
use crate::numbers::Rational;
use crate::solution::{
    Bounds, ChoiceSets, Class, ClassId, CollapsedScc, ExactValues, NumeratorRef, SolveError, TooLarge,
};
use crate::solve::ExactObjective;
use crate::support::id;

/// Threads share a level's numerators from this many words on.
const WORTH_SHARING: usize = 1 << 13;
/// States whose denominators are computed before their numerators: what was read for the first is still in the cache
/// for the second. For one thread alone, and for each of several.
const PIECE_ALONE: u32 = 1 << 9;
const PIECE: u32 = 1 << 12;
/// Components of a level that are solved before their values are stored.
const SCCS: usize = 256;
/// Components of a family that one thread solves in a row, so that what they share is computed once.
const LANES: u32 = 16;

/// Some components of a family.
type Piece = (Family, Range<u32>);

/// The input of a sweep over one objective.
pub(crate) struct Sweep<'a, M> {
    pub(crate) objective: &'a ExactObjective<'a>,
    pub(crate) bounds: &'a Bounds,
    /// Components that were solved exactly for the bounds.
    pub(crate) shelf: &'a Shelf,
    /// Whether staying in a state for ever is allowed, if it has no reward.
    pub(crate) may_stay: M,
    /// Bytes already in use.
    pub(crate) used: u64,
    pub(crate) budget: &'a Budget<'a>,
}

/// The results so far.
struct Known {
    values: ExactValues,
    classes: Classes,
    /// Where the numerators of payoffs are, and the classes of rewards.
    payoffs: Vec<NumeratorRef>,
    reward_classes: Vec<ClassId>,
    /// The entry that represents infinite values, which have no numerator; `None` if there are none.
    infinite: Option<NumeratorRef>,
}

impl<M: Fn(StateId) -> bool + Sync> Sweep<'_, M> {
    /// Solves the objective. `candidates` holds the choices that could be best, and afterwards those that are.
    pub(crate) fn run(
        &self,
        candidates: &mut ChoiceSets,
        mut progress: impl FnMut(&Level, u64) -> Result<(), SolveError>,
    ) -> Result<ExactValues, SolveError> {
        let Self { objective, bounds, .. } = *self;
        let model = objective.model;
        let mut classes = Classes::new(model.weights(), bounds.largest());
        let refs = vec![NumeratorRef::NONE; model.states() as usize];
        let mut values = ExactValues { refs, limbs: Vec::new(), classes: Vec::new() };
        let payoffs = enter_payoffs(&objective.payoffs, &mut classes, &mut values.limbs)?;
        let reward_classes: Vec<ClassId> =
            objective.rewards.iter().map(|r| classes.of(r.denominator().clone())).collect::<Result<_, _>>()?;
        let nowhere = || enter(&UBig::ZERO, ClassId::WHOLE, &classes, &mut values.limbs);
        let infinite = bounds.some_infinite().then(nowhere).transpose()?;
        let mut known = Known { values, classes, payoffs, reward_classes, infinite };
        let mut workspaces: Vec<Workspace> = (0..rayon::current_num_threads()).map(|_| Workspace::default()).collect();
        for level in model.levels().iter().rev() {
            self.acyclic_states(level, candidates, &mut known, &mut workspaces)?;
            self.sccs(level, candidates, &mut known)?;
            progress(level, known.values.bytes() + known.classes.bytes())?;
        }
        let Known { mut values, classes, .. } = known;
        values.classes = classes.into_list();
        values.limbs.shrink_to_fit();
        Ok(values)
    }

    /// The states of a level outside of components.
    fn acyclic_states(
        &self,
        level: &Level,
        candidates: &mut ChoiceSets,
        known: &mut Known,
        workspaces: &mut [Workspace],
    ) -> Result<(), SolveError> {
        let model = self.objective.model;
        let mut unsolved: Vec<StateId> = Vec::new();
        let piece = if workspaces.len() == 1 { PIECE_ALONE } else { PIECE.saturating_mul(id(workspaces.len())) };
        let mut begin = level.states.start;
        while begin < level.cyclic {
            let states = begin..level.cyclic.min(begin.saturating_add(piece));
            begin = states.end;
            let looked_up = Denominator::of_all(model, states.clone(), candidates, known, workspaces);
            let Known { values, classes, payoffs, reward_classes, infinite } = &mut *known;
            workspaces.iter_mut().for_each(Workspace::tidy);
            unsolved.clear();
            let first_limb = values.limbs.len();
            let mut next_limb = first_limb;
            for (state, looked_up) in states.zip(looked_up) {
                if let Some(payoff) = model.code.payoff(state) {
                    values.refs[state as usize] = payoffs[payoff as usize];
                    continue;
                }
                if let Some(nowhere) = infinite.filter(|_| self.bounds.is_infinite(state)) {
                    values.refs[state as usize] = nowhere;
                    continue;
                }
                let looked_up = match looked_up {
                    Some(looked_up) => looked_up,
                    None => class_of(model, state, candidates, &values.refs, reward_classes, classes)?,
                };
                match looked_up {
                    Denominator::SameAs(index) => values.refs[state as usize] = index,
                    Denominator::Class(class) => {
                        values.refs[state as usize] = NumeratorRef::new(class, next_limb)?;
                        next_limb += classes[class].limbs;
                        unsolved.push(state);
                    }
                }
            }
            let needed = values.bytes() + classes.bytes() + ((next_limb - first_limb) * 8) as u64;
            self.budget.memory(self.used + needed)?;
            reserve(&mut values.limbs, next_limb - first_limb);
            values.limbs.resize(next_limb, 0);
            let (limbs, new) = values.limbs.split_at_mut(first_limb);
            let step = Step { objective: self.objective, classes, refs: &values.refs, limbs, reward_classes };
            for (state, best) in step.all(&unsolved, new, candidates, workspaces) {
                candidates.set(state, &best);
            }
        }
        Ok(())
    }

    /// The components of a level.
    fn sccs(&self, level: &Level, candidates: &mut ChoiceSets, known: &mut Known) -> Result<(), SolveError> {
        let Self { objective, bounds, shelf, used, budget, .. } = *self;
        let model = objective.model;
        let Known { values, classes, infinite, .. } = known;
        let pieces: Vec<Piece> = model.families_of(level).iter().flat_map(pieces_of).collect();
        let mut pieces = &pieces[..];
        while !pieces.is_empty() {
            let mut sccs = 0;
            let fits = |(_, lanes): &&Piece| {
                sccs += lanes.len();
                sccs <= SCCS
            };
            let now;
            (now, pieces) = pieces.split_at(pieces.iter().take_while(fits).count().max(1));
            let left = budget.limits().max_memory.saturating_sub(used + values.bytes() + classes.bytes());
            let effort = Effort { most_entries: usize::try_from(left / 64).unwrap_or(usize::MAX), budget };
            let known = SccValues { objective, candidates, classes, values, bounds, shelf };
            let is_infinite = |state| infinite.is_some() && bounds.is_infinite(state);
            let allowed = |state, choice| candidates.contains(state, choice) && !is_infinite(state);
            let solved = now.par_iter().map(|(family, lanes)| {
                let mut solved: Vec<SolvedScc> = Vec::with_capacity(lanes.len());
                for (members, before) in candidates.sccs(model, *family, lanes.clone()) {
                    let scc = match solved.last().filter(|_| before.is_some() && infinite.is_none()) {
                        Some(last) => last.scc.moved(members),
                        None => CollapsedScc::new(model, members, allowed, budget)?,
                    };
                    let mut stays = scc.stays(&self.may_stay);
                    // Infinite members have no place in the equations of the others, which never reach them.
                    for node in members.iter().filter(|state| is_infinite(*state)).filter_map(|own| scc.node(own)) {
                        stays[node] = true;
                    }
                    solved.push(known.solve(scc, &stays, effort)?);
                }
                Ok::<_, SolveError>(solved)
            });
            for solved in solved.collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
                solved.enter(candidates, classes, values)?;
            }
        }
        Ok(())
    }
}

/// The components of a family, some at a time.
fn pieces_of(family: &Family) -> impl Iterator<Item = Piece> + use<> {
    let family = *family;
    let firsts = (0..family.sccs).step_by(LANES as usize);
    firsts.map(move |first| (family, first..family.sccs.min(first + LANES)))
}

/// Stores every payoff's numerator once.
fn enter_payoffs(
    payoffs: &[Rational],
    classes: &mut Classes,
    limbs: &mut Vec<u64>,
) -> Result<Vec<NumeratorRef>, TooLarge> {
    let mut refs = Vec::with_capacity(payoffs.len());
    for payoff in payoffs {
        let class = classes.of(payoff.denominator().clone())?;
        refs.push(enter(&payoff.numerator().unsigned_abs(), class, classes, limbs)?);
    }
    Ok(refs)
}

/// Reserves room without doubling an array that may be most of the memory.
fn reserve(limbs: &mut Vec<u64>, more: usize) {
    if limbs.capacity() - limbs.len() < more {
        limbs.reserve_exact(more.max(limbs.len() / 4).max(1 << 12));
    }
}

/// The denominator or the value of a state before its numerator is computed.
#[derive(Clone, Copy)]
enum Denominator {
    /// Its value is that of another state.
    SameAs(NumeratorRef),
    Class(ClassId),
}

impl Denominator {
    /// Threads look up in parallel what has been computed before; `None` for the rest. A single thread does without.
    fn of_all(
        model: &Model,
        states: Range<StateId>,
        candidates: &ChoiceSets,
        known: &Known,
        workspaces: &mut [Workspace],
    ) -> Vec<Option<Self>> {
        let Known { values, classes, reward_classes, .. } = known;
        if workspaces.len() == 1 || states.len() < WORTH_SHARING / 4 {
            return vec![None; states.len()];
        }
        let mut looked_up = vec![None; states.len()];
        let share = states.len().div_ceil(workspaces.len());
        looked_up.par_chunks_mut(share).zip(workspaces).enumerate().for_each(|(piece, (looked_up, workspace))| {
            let mut before = KnownClasses { classes, latest: &mut workspace.looked_up };
            for (state, looked_up) in (states.start + id(piece * share)..).zip(looked_up) {
                *looked_up = class_of(model, state, candidates, &values.refs, reward_classes, &mut before).ok();
            }
        });
        looked_up
    }
}

/// The denominator or the value of an unfinished state; an error where a denominator is not found.
fn class_of<D: Denominators>(
    model: &Model,
    state: StateId,
    candidates: &ChoiceSets,
    refs: &[NumeratorRef],
    reward_classes: &[ClassId],
    classes: &mut D,
) -> Result<Denominator, D::Missing> {
    let mut class = ClassId::WHOLE;
    let mut chosen = Chosen::new(model, state, candidates);
    while let Some((choice, _)) = chosen.next() {
        if let (Some(target), None) = (choice.targets.only(), choice.reward)
            && candidates.count(state) == 1
        {
            return Ok(Denominator::SameAs(refs[target as usize]));
        }
        let mut inner = ClassId::WHOLE;
        for target in choice.targets.iter() {
            inner = classes.join(inner, refs[target as usize].class())?;
        }
        let mut outer = classes.multiply(inner, choice.weights)?;
        if let Some(reward) = choice.reward.filter(|_| !reward_classes.is_empty()) {
            outer = classes.join(outer, reward_classes[reward as usize])?;
        }
        class = classes.join(class, outer)?;
    }
    Ok(Denominator::Class(class))
}

/// One level: the values of all lower levels are known.
struct Step<'a> {
    objective: &'a ExactObjective<'a>,
    classes: &'a Classes,
    refs: &'a [NumeratorRef],
    limbs: &'a [u64],
    reward_classes: &'a [ClassId],
}

impl Step<'_> {
    /// Computes the numerators of these states, whose limbs lie one after another in `new`. Returns the best choices of
    /// those that had more than one candidate.
    fn all(
        &self,
        unsolved: &[StateId],
        new: &mut [u64],
        candidates: &ChoiceSets,
        workspaces: &mut [Workspace],
    ) -> Vec<(StateId, Vec<u32>)> {
        let threads = workspaces.len();
        if new.len() < WORTH_SHARING || threads == 1 {
            return self.some(unsolved, new, candidates, &mut workspaces[0]);
        }
        let share = unsolved.len().div_ceil(threads);
        let mut pieces = Vec::new();
        let mut rest = new;
        for (states, workspace) in unsolved.chunks(share).zip(workspaces) {
            let limbs = states.iter().map(|state| self.class(*state).limbs).sum();
            let (own, after) = rest.split_at_mut(limbs);
            pieces.push((states, own, workspace));
            rest = after;
        }
        let resolved: Vec<_> = pieces
            .into_par_iter()
            .map(|(states, own, workspace)| self.some(states, own, candidates, workspace))
            .collect();
        resolved.into_iter().flatten().collect()
    }

    fn class(&self, state: StateId) -> &Class {
        &self.classes[self.refs[state as usize].class()]
    }

    fn some(
        &self,
        states: &[StateId],
        mut limbs: &mut [u64],
        candidates: &ChoiceSets,
        workspace: &mut Workspace,
    ) -> Vec<(StateId, Vec<u32>)> {
        let mut resolved = Vec::new();
        let mut best = Vec::new();
        for state in states {
            let (own, rest) = limbs.split_at_mut(self.class(*state).limbs);
            limbs = rest;
            best.clear();
            let mut chosen = Chosen::new(self.objective.model, *state, candidates);
            while let Some((choice, number)) = chosen.next() {
                if best.is_empty() {
                    self.numerator(*state, &choice, own, workspace);
                    best.push(number);
                    continue;
                }
                let mut other = std::mem::take(&mut workspace.other);
                other.clear();
                other.resize(own.len(), 0);
                self.numerator(*state, &choice, &mut other, workspace);
                match self.objective.sense.order(compare(&other, own)) {
                    std::cmp::Ordering::Greater => {
                        own.copy_from_slice(&other);
                        best.clear();
                        best.push(number);
                    }
                    std::cmp::Ordering::Equal => best.push(number),
                    std::cmp::Ordering::Less => {}
                }
                workspace.other = other;
            }
            if candidates.count(*state) > 1 {
                resolved.push((*state, best.clone()));
            }
        }
        resolved
    }

    /// The numerator of a choice over its state's denominator, into `sum` (zero before).
    fn numerator(&self, state: StateId, choice: &Choice<'_>, sum: &mut [u64], workspace: &mut Workspace) {
        let class = self.refs[state as usize].class();
        let total = self.classes.total_of(choice.weights);
        let weights = self.objective.model.weights().weights(choice.weights);
        let mut index = 0;
        let mut next = choice.targets.get(0).map(|target| self.refs[target as usize]);
        while let Some(first) = next {
            // A group: targets of one class.
            let inner = first.class();
            let limbs = self.classes[inner].limbs;
            let factor = workspace.factor((class, total, inner), || self.factor(class, total, inner));
            let Workspace { factors, group, .. } = &mut *workspace;
            let factor = &factors[factor].1;
            let target_sum: &mut [u64] = if matches!(factor, Factor::One) {
                sum
            } else {
                group.clear();
                group.resize(sum.len(), 0);
                group
            };
            while let Some(own) = next.filter(|own| own.class() == inner) {
                let numerator = &self.limbs[own.offset()..own.offset() + limbs];
                match weights {
                    WeightSlice::Small(weights, _) => add_product(target_sum, numerator, weights[index]),
                    WeightSlice::Large(weights, _) => {
                        add_long_product(target_sum, numerator, weights[index].as_words());
                    }
                }
                index += 1;
                next = choice.targets.get(index).map(|target| self.refs[target as usize]);
            }
            match factor {
                Factor::One => {}
                Factor::Small(factor) => add_product(sum, group, *factor),
                Factor::Large(factor) => add_long_product(sum, group, factor.as_words()),
            }
        }
        if let Some(reward) = choice.reward.filter(|_| !self.objective.rewards.is_empty()) {
            let scale =
                &self.classes[class].denominator / &self.classes[self.reward_classes[reward as usize]].denominator;
            let earned = self.objective.rewards[reward as usize].numerator().unsigned_abs() * scale;
            add_long_product(sum, &[1], earned.as_words());
        }
    }

    fn factor(&self, class: ClassId, total: u32, inner: ClassId) -> Factor {
        let divisor = &self.classes[inner].denominator * self.classes.total(total);
        let factor = &self.classes[class].denominator / divisor;
        match u64::try_from(&factor) {
            Ok(1) => Factor::One,
            Ok(small) => Factor::Small(small),
            Err(_) => Factor::Large(factor),
        }
    }
}
