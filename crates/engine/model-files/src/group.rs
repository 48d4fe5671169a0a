//! From branches with probabilities to choices with weights.

use dashu_ratio::RBig;

use crate::distributions::Distributions;
use crate::duplicates::has_duplicate;
use crate::error::{Place, ReadError};
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

/// Gives every choice its weights. Choices that list a target twice, or one of probability zero,
/// become shorter: `targets` is moved together. `place` tells where a choice was read.
pub(crate) fn group(
    mut first_branch: Vec<u32>,
    mut targets: Vec<u32>,
    probabilities: &[u32],
    numbers: &[Number],
    place: impl Fn(u64) -> Place,
    memory: &Memory<'_>,
) -> Result<Grouped, ReadError> {
    let choices = first_branch.len() - 1;
    let mut weights = Vec::new();
    memory.grow(&mut weights, choices, choices)?;
    let mut distributions = Distributions::default();
    let mut sequences = Sequences::default();
    // The same for choices that become shorter.
    let (mut shapes, mut shape) = (Sequences::default(), Vec::new());
    let mut normalised = 0;
    let mut kept = 0;
    for choice in 0..choices {
        memory.step()?;
        let (start, end) = (first_branch[choice] as usize, first_branch[choice + 1] as usize);
        let ids = &probabilities[start..end];
        let error = |unweighable: Option<Unweighable>| {
            let place = place(choice as u64);
            match unweighable {
                Some(Unweighable::Stopped(stopped)) => stopped.into(),
                Some(reason) => ReadError::new(place, format!("this choice: {}", reason.problem()), reason.remedy()),
                None => ReadError::new(place, "a choice without branches", "at least one branch"),
            }
        };
        let mut intern = |probabilities: &[&Number]| {
            let weighed = weigh(probabilities, memory)?;
            let normalised = weighed.normalised;
            Ok(Outcome { weights: weighed.intern(&mut distributions, memory)?, normalised })
        };
        if ids.is_empty() {
            return Err(error(None));
        }
        let listed: Vec<&Number>;
        let listing = (end - start) as u64 * size_of::<&Number>() as u64;
        memory.room(listing)?;
        let regular = if has_duplicate(&targets[start..end], memory)? {
            None
        } else if let Some(outcome) = sequences.find(ids) {
            Some(outcome)
        } else {
            listed = ids.iter().map(|id| &numbers[*id as usize]).collect();
            match intern(&listed) {
                Ok(outcome) => {
                    sequences.insert(ids, outcome, memory)?;
                    Some(outcome)
                }
                Err(Unweighable::NotPositive(place)) if listed[place].value.is_zero() => None,
                Err(reason) => return Err(error(Some(reason))),
            }
        };
        first_branch[choice] = number(kept);
        let outcome = if let Some(outcome) = regular {
            if kept < start {
                targets.copy_within(start..end, kept);
            }
            kept += end - start;
            outcome
        } else {
            memory.room((end - start) as u64 * 2 * size_of::<Number>() as u64)?;
            let mut merged_targets = targets[start..end].to_vec();
            let known = shape_of(ids, &merged_targets, &mut shape).then(|| shapes.find(&shape)).flatten();
            let outcome = if let Some(outcome) = known {
                keep_first(&mut merged_targets, &shape[ids.len()..], |place| {
                    numbers[ids[place] as usize].value.is_zero()
                });
                outcome
            } else {
                let values: Vec<Number> = ids.iter().map(|id| numbers[*id as usize].clone()).collect();
                if let Some(place) = values.iter().position(|number| number.value < RBig::ZERO) {
                    return Err(error(Some(Unweighable::NotPositive(place))));
                }
                let merged = merge(&mut merged_targets, values, memory).map_err(|reason| error(Some(reason)))?;
                let outcome = intern(&merged.iter().collect::<Vec<_>>()).map_err(|reason| error(Some(reason)))?;
                if !shape.is_empty() {
                    shapes.insert(&shape, outcome, memory)?;
                }
                outcome
            };
            targets[kept..kept + merged_targets.len()].copy_from_slice(&merged_targets);
            kept += merged_targets.len();
            outcome
        };
        weights.push(outcome.weights);
        normalised += u64::from(outcome.normalised);
    }
    first_branch[choices] = number(kept);
    targets.truncate(kept);
    targets.shrink_to_fit();
    Ok(Grouped { first_target: first_branch, weights, targets, distributions, normalised })
}

/// The numbers of a choice, and for each of its targets where that is listed first: choices alike in both have the same
/// weights. Whether the choice is short enough for that; else it has no shape.
fn shape_of(ids: &[u32], targets: &[u32], shape: &mut Vec<u32>) -> bool {
    const MOST: usize = 32;
    shape.clear();
    if ids.len() <= MOST {
        shape.extend(ids);
        shape.extend(targets.iter().filter_map(|target| targets.iter().position(|own| own == target)).map(number));
    }
    !shape.is_empty()
}

/// Leaves each target where it is listed first, unless all its probabilities are zero.
fn keep_first(targets: &mut Vec<u32>, firsts: &[u32], is_zero: impl Fn(usize) -> bool) {
    let is_kept = |first: usize| {
        let mut own = firsts.iter().enumerate().filter(|(_, own)| **own as usize == first);
        firsts[first] as usize == first && own.any(|(place, _)| !is_zero(place))
    };
    let mut places = 0..firsts.len();
    targets.retain(|_| places.next().is_some_and(is_kept));
}

/// Choices and branches have numbers; there are not more after they are moved together.
fn number(kept: usize) -> u32 {
    u32::try_from(kept).expect("fewer branches than there were")
}
