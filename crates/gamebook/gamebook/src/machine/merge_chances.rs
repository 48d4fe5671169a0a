//! Merging of consecutive chances.
//!
//! Chances without a decision between them are merged into one with more outcomes. An outcome that leads back to the same state
//! is dropped and the rest renormalised, since play leaves the state eventually. Chances at which loops begin are not merged
//! into those before them: that would unroll the loops.

use dashu_base::Gcd;
use rustc_hash::FxHashMap;

use super::Machine;
use super::run_cache::{Buffers, DEEPEST};
use crate::passes::{ReadSet, depth_first};
use crate::program::{Edges, Instruction, Outcome, Program, State, Weight};

const MOST_OUTCOMES: usize = 48;

/// For every place whether its chance is merged into the one before it.
pub(super) fn merged_into_previous(program: &Program, successors: &Edges) -> Vec<bool> {
    let mut merged: Vec<bool> = program
        .steps
        .iter()
        .map(|step| matches!(step, Instruction::Chance { .. }) && !has_large_weights(step) && !step.is_by_skill())
        .collect();
    // Walk from the head of each loop to its first chances.
    let mut seen = vec![false; program.steps.len()];
    let (_, mut open) = depth_first(program.start, successors, |place| place);
    while let Some(place) = open.pop() {
        if std::mem::replace(&mut seen[place as usize], true) {
            continue;
        }
        match &program.steps[place as usize] {
            Instruction::Chance { .. } => merged[place as usize] = false,
            Instruction::Ask(_) => {}
            _ => open.extend(successors.of(place)),
        }
    }
    merged
}

/// Whether a step is a chance with weights beyond 64 bits.
pub(super) fn has_large_weights(step: &Instruction) -> bool {
    match step {
        Instruction::Chance { outcomes } => outcomes.iter().any(|outcome| matches!(outcome.weight, Weight::Large(_))),
        _ => false,
    }
}

impl Machine {
    /// Whether consecutive chances are merged in this game.
    pub(super) fn merges_chances(&self) -> bool {
        self.analyses.straight && self.analyses.fold && self.program.sheet.stats.is_some()
    }

    /// Adds the distinct outcomes of a chance with small weights to `merged`, after merging.
    pub(super) fn merged_outcomes(&self, state: &State, buffers: &mut Buffers, merged: &mut Vec<(u64, State)>) {
        merged.clear();
        self.merged_after(state, 0, buffers, merged, &mut ReadSet::default());
    }

    /// The same at a depth of this many merged chances; adds to `depends` the registers that it uses.
    fn merged_after(
        &self,
        state: &State,
        depth: usize,
        buffers: &mut Buffers,
        merged: &mut Vec<(u64, State)>,
        depends: &mut ReadSet,
    ) {
        if !buffers.remembered(self, state, depth, merged, depends) {
            let mut own = ReadSet::default();
            own.touch(self.touches.step(state.place()));
            let outcomes = self.merged_uncached(state, depth, buffers, &mut own);
            buffers.remember(state, &own, depth, &outcomes);
            depends.join(&own);
            merged.extend(outcomes);
        }
    }

    /// The same, computed.
    fn merged_uncached(
        &self,
        state: &State,
        depth: usize,
        buffers: &mut Buffers,
        depends: &mut ReadSet,
    ) -> Vec<(u64, State)> {
        let Some(chance @ Instruction::Chance { outcomes }) = self.instruction(state) else { return Vec::new() };
        let mut next = match &self.memos[state.place() as usize] {
            Some(memo) => {
                depends.touch(&memo.touches);
                self.come_up(state, memo, buffers)
            }
            None => {
                let weight = |outcome: &Outcome| self.small_weight(state, &outcome.weight);
                outcomes.iter().map(|outcome| (weight(outcome), self.after(state, outcome))).collect()
            }
        };
        next.retain(|(weight, _)| *weight > 0);
        for (_, next) in &mut next {
            *next = buffers.advanced_touching(self, next, depends);
        }
        if chance.is_by_skill() {
            return once(next);
        }
        if !self.merges_chances() {
            return in_lowest_terms(once(next));
        }
        if depth < DEEPEST {
            next = self.with_following_chances(next, depth, buffers, depends);
        }
        if next.iter().any(|(_, next)| next != state) {
            next.retain(|(_, next)| next != state);
        }
        in_lowest_terms(once(next))
    }

    /// The outcomes, with those that are chances replaced by their own outcomes.
    fn with_following_chances(
        &self,
        outcomes: Vec<(u64, State)>,
        depth: usize,
        buffers: &mut Buffers,
        depends: &mut ReadSet,
    ) -> Vec<(u64, State)> {
        let inner =
            |next: &State| next.place() < crate::program::DEAD && self.merged_into_previous[next.place() as usize];
        if !outcomes.iter().any(|(_, next)| inner(next)) {
            return outcomes;
        }
        let mut spread = Vec::with_capacity(outcomes.len());
        let mut common = 1u64;
        for (weight, next) in &outcomes {
            if !inner(next) {
                spread.push((*weight, vec![(1, *next)], 1));
                continue;
            }
            let mut after = Vec::new();
            self.merged_after(next, depth + 1, buffers, &mut after, depends);
            let total = after.iter().try_fold(0u64, |sum, (weight, _)| sum.checked_add(*weight));
            let more = total.and_then(|total| Some((total, (common / common.gcd(total)).checked_mul(total)?)));
            match more {
                Some((total, more)) if (1..=MOST_OUTCOMES).contains(&after.len()) => {
                    common = more;
                    spread.push((*weight, after, total));
                }
                _ => spread.push((*weight, vec![(1, *next)], 1)),
            }
        }
        let mut merged = Vec::new();
        for (weight, after, total) in spread {
            for (inner, next) in after {
                let share = weight.checked_mul(common / total).and_then(|share| share.checked_mul(inner));
                // Without merging if weights overflow.
                let Some(share) = share else { return outcomes };
                merged.push((share, next));
            }
        }
        let sum = merged.iter().try_fold(0u64, |sum, (weight, _)| sum.checked_add(*weight));
        if sum.is_none() || merged.len() > MOST_OUTCOMES * MOST_OUTCOMES { outcomes } else { merged }
    }
}

/// Distinct states, with their weights added.
fn once(outcomes: Vec<(u64, State)>) -> Vec<(u64, State)> {
    const FEW: usize = 12;
    let mut once: Vec<(u64, State)> = Vec::with_capacity(outcomes.len());
    if outcomes.len() <= FEW {
        for (weight, next) in outcomes {
            match once.iter_mut().find(|(_, known)| *known == next) {
                Some((known, _)) => *known += weight,
                None => once.push((weight, next)),
            }
        }
    } else {
        let mut places: FxHashMap<State, usize> = FxHashMap::default();
        for (weight, next) in outcomes {
            let place = *places.entry(next).or_insert(once.len());
            match once.get_mut(place) {
                Some((known, _)) => *known += weight,
                None => once.push((weight, next)),
            }
        }
    }
    once
}

/// The same distribution with the smallest weights.
fn in_lowest_terms(mut outcomes: Vec<(u64, State)>) -> Vec<(u64, State)> {
    let common =
        outcomes.iter().fold(0, |common: u64, (weight, _)| if common == 0 { *weight } else { common.gcd(*weight) });
    if common > 1 {
        for (weight, _) in &mut outcomes {
            *weight /= common;
        }
    }
    outcomes
}
