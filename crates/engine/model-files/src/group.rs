//! From branches with probabilities to choices with weights.

use dashu_ratio::RBig;

use crate::distributions::Distributions;
use crate::duplicates::has_duplicate;
use crate::error::{Location, ReadError};
use crate::memory::Memory;
use crate::numbers::Number;
use crate::sequences::{Outcome, Sequences};
use crate::weighing::{Unweighable, merge, weigh};

/// The choices of a model with their weights.
pub(crate) struct Grouped {
    pub(crate) first_target: Vec<u32>,
    pub(crate) weights: Vec<u32>,
    pub(crate) targets: Vec<u32>,
    pub(crate) distributions: Distributions,
    pub(crate) normalised: u64,
}

/// Computes the weights of every choice. Choices that list a target twice, or one of probability zero, become shorter,
/// and `targets` is compacted. `place` gives the position at which a choice was read.
pub(crate) fn group(
    mut first_branch: Vec<u32>,
    mut targets: Vec<u32>,
    probabilities: &[u32],
    numbers: &[Number],
    place: impl Fn(u64) -> Location,
    memory: &Memory<'_>,
) -> Result<Grouped, ReadError> {
    let choices = first_branch.len() - 1;
    let mut weights = Vec::new();
    memory.grow(&mut weights, choices, choices)?;
    let mut weighing = Weighing::new(numbers, memory);
    let mut normalised = 0;
    let mut kept = 0;
    for choice in 0..choices {
        memory.step()?;
        let (start, end) = (first_branch[choice] as usize, first_branch[choice + 1] as usize);
        let ids = &probabilities[start..end];
        if ids.is_empty() {
            return Err(ReadError::new(place(choice as u64), "a choice without branches", "at least one branch"));
        }
        let error = |reason: Unweighable| match reason {
            Unweighable::Stopped(stopped) => stopped.into(),
            _ => ReadError::new(place(choice as u64), format!("this choice: {}", reason.problem()), reason.remedy()),
        };
        first_branch[choice] = number(kept);
        let outcome = if let Some(outcome) = weighing.as_listed(ids, &targets[start..end]).map_err(error)? {
            if kept < start {
                targets.copy_within(start..end, kept);
            }
            kept += end - start;
            outcome
        } else {
            let (outcome, merged) = weighing.merged(ids, &targets[start..end]).map_err(error)?;
            targets[kept..kept + merged.len()].copy_from_slice(&merged);
            kept += merged.len();
            outcome
        };
        weights.push(outcome.weights);
        normalised += u64::from(outcome.normalised);
    }
    first_branch[choices] = number(kept);
    targets.truncate(kept);
    targets.shrink_to_fit();
    Ok(Grouped { first_target: first_branch, weights, targets, distributions: weighing.distributions, normalised })
}

/// Weighs choices one after the other, and caches the results.
struct Weighing<'a> {
    numbers: &'a [Number],
    memory: &'a Memory<'a>,
    distributions: Distributions,
    /// Choices as they are listed, by their numbers.
    sequences: Sequences,
    /// Choices that become shorter, by their [shape](shape_of).
    shapes: Sequences,
    shape: Vec<u32>,
}

impl<'a> Weighing<'a> {
    fn new(numbers: &'a [Number], memory: &'a Memory<'a>) -> Self {
        Self {
            numbers,
            memory,
            distributions: Distributions::default(),
            sequences: Sequences::default(),
            shapes: Sequences::default(),
            shape: Vec::new(),
        }
    }

    fn weigh(&mut self, probabilities: &[&Number]) -> Result<Outcome, Unweighable> {
        let weighed = weigh(probabilities, self.memory)?;
        let normalised = weighed.normalised;
        Ok(Outcome { weights: weighed.intern(&mut self.distributions, self.memory)?, normalised })
    }

    /// The weights of a choice as it is listed; `None` if it lists a target twice, or one of probability zero.
    fn as_listed(&mut self, ids: &[u32], targets: &[u32]) -> Result<Option<Outcome>, Unweighable> {
        let Self { numbers, memory, .. } = *self;
        memory.room(ids.len() as u64 * size_of::<&Number>() as u64)?;
        if has_duplicate(targets, memory)? {
            return Ok(None);
        }
        if let Some(outcome) = self.sequences.find(ids) {
            return Ok(Some(outcome));
        }
        let listed: Vec<&Number> = ids.iter().map(|id| &numbers[*id as usize]).collect();
        match self.weigh(&listed) {
            Ok(outcome) => {
                self.sequences.insert(ids, outcome, memory)?;
                Ok(Some(outcome))
            }
            Err(Unweighable::NotPositive(place)) if listed[place].value.is_zero() => Ok(None),
            Err(reason) => Err(reason),
        }
    }

    /// The weights of a choice with equal targets merged and those of probability zero removed; and its targets.
    fn merged(&mut self, ids: &[u32], targets: &[u32]) -> Result<(Outcome, Vec<u32>), Unweighable> {
        let Self { numbers, memory, .. } = *self;
        memory.room(ids.len() as u64 * 2 * size_of::<Number>() as u64)?;
        let mut targets = targets.to_vec();
        let known = shape_of(ids, &targets, &mut self.shape).then(|| self.shapes.find(&self.shape)).flatten();
        if let Some(outcome) = known {
            let is_zero = |place: usize| numbers[ids[place] as usize].value.is_zero();
            keep_first(&mut targets, &self.shape[ids.len()..], is_zero);
            return Ok((outcome, targets));
        }
        let values: Vec<Number> = ids.iter().map(|id| numbers[*id as usize].clone()).collect();
        if let Some(place) = values.iter().position(|number| number.value < RBig::ZERO) {
            return Err(Unweighable::NotPositive(place));
        }
        let merged = merge(&mut targets, values, memory)?;
        let outcome = self.weigh(&merged.iter().collect::<Vec<_>>())?;
        if !self.shape.is_empty() {
            self.shapes.insert(&self.shape, outcome, memory)?;
        }
        Ok((outcome, targets))
    }
}

/// The numbers of a choice, and for each of its targets the index of its first occurrence: choices that agree in both
/// have the same weights. Returns whether the choice is short enough for that; otherwise it has no shape.
fn shape_of(ids: &[u32], targets: &[u32], shape: &mut Vec<u32>) -> bool {
    const MOST: usize = 32;
    shape.clear();
    if ids.len() <= MOST {
        shape.extend(ids);
        shape.extend(targets.iter().filter_map(|target| targets.iter().position(|own| own == target)).map(number));
    }
    !shape.is_empty()
}

/// Keeps the first occurrence of each target, unless all its probabilities are zero.
fn keep_first(targets: &mut Vec<u32>, firsts: &[u32], is_zero: impl Fn(usize) -> bool) {
    let is_kept = |first: usize| {
        let mut own = firsts.iter().enumerate().filter(|(_, own)| **own as usize == first);
        firsts[first] as usize == first && own.any(|(place, _)| !is_zero(place))
    };
    let mut places = 0..firsts.len();
    targets.retain(|_| places.next().is_some_and(is_kept));
}

/// Choices and branches have numbers; compaction does not add any.
fn number(kept: usize) -> u32 {
    u32::try_from(kept).expect("fewer branches than there were")
}
