//! One number for every state, in one sweep: for models without components.

use rayon::prelude::*;

use crate::model::{Block, CHANCE, Choice, KIND, MOVES, StateId, target};
use crate::solution::{Bounds, ChoiceSets, MANY, MOST_CHOICES, Sense, mask, relative_error, roundings_of};
use crate::solve::Objective;
use crate::support::{filled, id};

/// Threads share a level from this many states on.
const WORTH_SHARING: usize = 1 << 13;
/// States that a thread takes at once, checking the budget after each share.
const SHARE: usize = 1 << 12;

/// The values of the states of a block, choice by choice; reused for all blocks.
#[derive(Default)]
struct Lanes {
    sums: Vec<f64>,
    bars: Vec<f64>,
}

/// One number for every state, in one sweep. Also marks the choices that could be best. `go_on` is called every few
/// thousand states, on any thread.
pub(crate) fn sweep_rounded<E: Send>(
    objective: &Objective<'_>,
    candidates: &mut ChoiceSets,
    go_on: impl Fn() -> Result<(), E> + Sync,
    mut progress: impl FnMut(StateId) -> Result<(), E>,
) -> Result<Bounds, E> {
    let model = objective.model;
    let most = objective.most();
    let mut values = filled(0.0, model.states() as usize);
    let mut roundings = vec![0; model.levels().len()];
    let mut passed = 1;
    candidates.masks.clear();
    candidates.masks.resize(model.states() as usize, 0);
    candidates.many.clear();
    for (number, level) in model.levels().iter().enumerate().rev() {
        passed += roundings_of(level, !objective.rewards.is_empty());
        roundings[number] = passed;
        let error = relative_error(passed + 4);
        let margin = 2.0 * error / (1.0 - error);
        let keep = match objective.sense {
            Sense::Max => 1.0 - margin,
            Sense::Min => 1.0 + margin,
        };
        // Where all targets have the value `most`, the computed sum is at least this large.
        let nearly_most =
            most.map_or(f64::INFINITY, |most| most * (1.0 - relative_error(u64::from(level.outcomes) + 8)));
        let states = level.states.start as usize..level.states.end as usize;
        let (head, done) = values.split_at_mut(states.end);
        let most = most.unwrap_or(f64::INFINITY);
        let sweep = Sweep { objective, keep, nearly_most, most, done, first_done: states.end };
        let own = &mut head[states.clone()];
        let masks = &mut candidates.masks[states.clone()];
        if states.len() < WORTH_SHARING || rayon::current_num_threads() == 1 {
            for (index, (own, masks)) in own.chunks_mut(SHARE).zip(masks.chunks_mut(SHARE)).enumerate() {
                if states.len() > SHARE {
                    go_on()?;
                }
                sweep.states(states.start + index * SHARE, own, masks);
            }
        } else {
            let pieces = own.par_chunks_mut(SHARE).zip(masks.par_chunks_mut(SHARE)).enumerate();
            pieces.try_for_each(|(index, (own, masks))| {
                go_on()?;
                sweep.states(states.start + index * SHARE, own, masks);
                Ok(())
            })?;
        }
        for state in states.filter(|state| candidates.masks[*state] == MANY) {
            let list = sweep.near(id(state), head[state]).collect();
            candidates.many.insert(id(state), list);
        }
        progress(level.states.start)?;
    }
    Ok(Bounds::Rounded { values, roundings, most })
}

/// One level of [`sweep_rounded`].
struct Sweep<'a> {
    objective: &'a Objective<'a>,
    keep: f64,
    /// From here on a sum could be that of targets which all have the value `most`.
    nearly_most: f64,
    most: f64,
    done: &'a [f64],
    first_done: usize,
}

impl Sweep<'_> {
    fn states(&self, first: usize, values: &mut [f64], masks: &mut [u32]) {
        match (self.objective.sense, self.objective.allowed.is_some() || !self.objective.rewards.is_empty()) {
            (Sense::Max, false) => self.common_case::<true>(first, values, masks),
            (Sense::Min, false) => self.common_case::<false>(first, values, masks),
            (_, true) => {
                for ((state, value), mask) in (first..).zip(values).zip(masks) {
                    (*value, *mask) = self.any(id(state));
                }
            }
        }
    }

    /// The common case: every choice allowed, no rewards.
    fn common_case<const MAX: bool>(&self, first: usize, values: &mut [f64], masks: &mut [u32]) {
        let code = &self.objective.model.code;
        let mut found = [0.0; MOST_CHOICES as usize];
        let mut lanes = Lanes::default();
        let mut index = 0;
        while index < values.len() {
            let state = id(first + index);
            let block = code.block(state);
            if block.lanes > 1 {
                let count = ((block.first + block.lanes - state) as usize).min(values.len() - index);
                let own = index..index + count;
                if !self.block::<MAX>(&block, state, &mut values[own.clone()], &mut masks[own.clone()], &mut lanes) {
                    for index in own {
                        (values[index], masks[index]) = self.any(id(first + index));
                    }
                }
                index += count;
                continue;
            }
            let mut run = block.words;
            let mut best = if MAX { f64::NEG_INFINITY } else { f64::INFINITY };
            let mut count = 0;
            while let Some((&header, rest)) = run.split_first() {
                if header & KIND != CHANCE || count == found.len() {
                    count = found.len() + 1;
                    break;
                }
                let probabilities = code.weights.probabilities(header);
                let (targets, rest) = rest.split_at(probabilities.len());
                run = rest;
                let mut sum = 0.0;
                for (target, probability) in targets.iter().zip(probabilities) {
                    sum += probability * self.done[*target as usize - self.first_done];
                }
                if sum >= self.nearly_most {
                    sum = self.certain_or_not(sum, targets.iter().copied());
                }
                found[count] = sum;
                count += 1;
                best = if MAX { best.max(sum) } else { best.min(sum) };
            }
            if count > found.len() {
                (values[index], masks[index]) = self.any(state);
            } else {
                values[index] = best;
                let near = |sum: f64| if MAX { sum >= best * self.keep } else { sum <= best * self.keep };
                let bits = (0..).zip(&found[..count]);
                masks[index] = bits.fold(0, |mask, (choice, sum)| mask | u32::from(near(*sum)) << choice);
            }
            index += 1;
        }
    }

    /// States of a block from `state` on, in lockstep. Returns whether that was possible.
    fn block<const MAX: bool>(
        &self,
        block: &Block<'_>,
        state: StateId,
        values: &mut [f64],
        masks: &mut [u32],
        lanes: &mut Lanes,
    ) -> bool {
        let code = &self.objective.model.code;
        let (lane, count) = ((state - block.first) as usize, values.len());
        let Lanes { sums, bars } = lanes;
        sums.clear();
        let mut choices = 0;
        let mut run = block.words;
        values.fill(if MAX { f64::NEG_INFINITY } else { f64::INFINITY });
        while let Some((&header, rest)) = run.split_first() {
            if header & KIND != CHANCE || choices == MOST_CHOICES {
                return false;
            }
            let probabilities = code.weights.probabilities(header);
            let (targets, rest) = rest.split_at(probabilities.len());
            run = rest;
            let begin = sums.len();
            sums.resize(begin + count, 0.0);
            let own = &mut sums[begin..];
            for (word, probability) in targets.iter().zip(probabilities) {
                if word & MOVES == 0 {
                    let term = probability * self.done[*word as usize - self.first_done];
                    for sum in &mut *own {
                        *sum += term;
                    }
                } else {
                    let target = (word & !MOVES) as usize - self.first_done + lane;
                    let terms = &self.done[target..target + count];
                    own.iter_mut().zip(terms).for_each(|(sum, value)| *sum += probability * value);
                }
            }
            for (lane, sum) in (state - block.first..).zip(&mut *own) {
                if *sum >= self.nearly_most {
                    *sum = self.certain_or_not(*sum, targets.iter().map(|word| target(*word, lane)));
                }
            }
            let better = |best: f64, sum: f64| if MAX { best.max(sum) } else { best.min(sum) };
            values.iter_mut().zip(own).for_each(|(best, sum)| *best = better(*best, *sum));
            choices += 1;
        }
        bars.clear();
        bars.extend(values.iter().map(|best| best * self.keep));
        masks.fill(0);
        for (choice, sums) in (0..).zip(sums.chunks_exact(count)) {
            for ((mask, sum), bar) in masks.iter_mut().zip(sums).zip(&*bars) {
                let near = if MAX { sum >= bar } else { sum <= bar };
                *mask |= u32::from(near) << choice;
            }
        }
        true
    }

    /// A sum near `most`: that number where all targets have it, otherwise a number below it.
    #[cold]
    fn certain_or_not(&self, sum: f64, mut targets: impl Iterator<Item = StateId>) -> f64 {
        let certain = targets.all(|target| self.done[target as usize - self.first_done] == self.most);
        if certain { self.most } else { sum.min(self.most.next_down()) }
    }

    fn value(&self, choice: &Choice<'_>) -> f64 {
        let probabilities = self.objective.model.code.weights.probabilities(choice.weights);
        let terms = choice.targets.iter().zip(probabilities);
        let sum = terms.fold(0.0, |sum, (target, p)| sum + p * self.done[target as usize - self.first_done]);
        match self.objective.reward(choice) {
            Some(reward) => sum + reward.nearest,
            None if sum >= self.nearly_most => self.certain_or_not(sum, choice.targets.iter()),
            None => sum,
        }
    }

    /// Any state: its value, and the choices that could be best.
    fn any(&self, state: StateId) -> (f64, u32) {
        let Objective { model, sense, .. } = self.objective;
        if let Some(payoff) = self.objective.payoff(state) {
            return (payoff.nearest, 0);
        }
        let choices = (0..).zip(model.choices(state)).filter(|(number, _)| self.objective.allows(state, *number));
        let best = choices.map(|(_, choice)| self.value(&choice)).fold(sense.worst(), |a, b| sense.better(a, b));
        (best, mask(self.near(state, best)).unwrap_or(MANY))
    }

    /// The choices that could be best where the best computed value is this.
    fn near(&self, state: StateId, best: f64) -> impl Iterator<Item = u32> + '_ {
        let bar = best * self.keep;
        (0..)
            .zip(self.objective.model.choices(state))
            .filter(move |(number, choice)| {
                self.objective.allows(state, *number)
                    && match self.objective.sense {
                        Sense::Max => self.value(choice) >= bar,
                        Sense::Min => self.value(choice) <= bar,
                    }
            })
            .map(|(number, _)| number)
    }
}
