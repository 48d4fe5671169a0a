//! Sets of choices: the best ones of every state.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::model::{Choice, Family, Model, Scc, StateId};
use crate::support::bits;

/// For every state a set of its choices.
///
/// One word for each state: a bit for each of the first 31 choices. The few states with more choices store their sets
/// separately.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChoiceSets {
    pub(crate) masks: Vec<u32>,
    pub(crate) many: FxHashMap<StateId, Vec<u32>>,
}

/// A flag: the set is in `many`.
pub(crate) const MANY: u32 = 1 << 31;
/// Choices of a state that have a bit in a mask.
pub(crate) const MOST_CHOICES: u32 = 31;

impl ChoiceSets {
    /// Whether a choice is in its state's set.
    #[inline]
    pub fn contains(&self, state: StateId, choice: u32) -> bool {
        let mask = self.masks[state as usize];
        if mask & MANY == 0 {
            choice < MOST_CHOICES && mask >> choice & 1 == 1
        } else {
            self.many[&state].binary_search(&choice).is_ok()
        }
    }

    /// A state's set, in increasing order; empty for a finished state.
    pub fn of(&self, state: StateId) -> impl Iterator<Item = u32> + '_ {
        let mask = self.masks[state as usize];
        let (mask, list) = if mask & MANY == 0 { (mask, &[][..]) } else { (0, &self.many[&state][..]) };
        bits(mask.into()).chain(list.iter().copied())
    }

    /// A state's choices that are in its set, with their numbers.
    pub(crate) fn choices<'a>(&'a self, model: &'a Model, state: StateId) -> impl Iterator<Item = (u32, Choice<'a>)> {
        let mut choices = (0..).zip(model.choices(state));
        self.of(state).filter_map(move |own| choices.find(|(number, _)| *number == own))
    }

    /// The lowest choice of a state's set.
    #[inline]
    pub fn first(&self, state: StateId) -> Option<u32> {
        let mask = self.masks[state as usize];
        if mask & MANY == 0 { (mask != 0).then(|| mask.trailing_zeros()) } else { self.many[&state].first().copied() }
    }

    /// How many choices are in a state's set.
    #[inline]
    pub fn count(&self, state: StateId) -> usize {
        let mask = self.masks[state as usize];
        if mask & MANY == 0 { mask.count_ones() as usize } else { self.many[&state].len() }
    }

    /// Some components of a family; with each the one before it, if the two are isomorphic and have the same sets, so
    /// that what holds for the choices of one holds for the other.
    pub(crate) fn sccs(
        &self,
        model: &Model,
        family: Family,
        lanes: Range<u32>,
    ) -> impl Iterator<Item = (Scc, Option<Scc>)> {
        let isomorphic = model.are_isomorphic(family);
        let same = |(left, right): (StateId, StateId)| {
            self.masks[left as usize] == self.masks[right as usize] && self.many.get(&left) == self.many.get(&right)
        };
        let first = lanes.start;
        lanes.map(move |lane| {
            let scc = family.scc(lane);
            let before = (isomorphic && lane > first).then(|| family.scc(lane - 1));
            (scc, before.filter(|before| before.iter().zip(scc.iter()).all(same)))
        })
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let lists: usize = self.many.values().map(|list| list.capacity() * 4 + 32).sum();
        (self.masks.capacity() * 4 + lists) as u64
    }

    pub(crate) fn set(&mut self, state: StateId, choices: &[u32]) {
        self.masks[state as usize] = match mask(choices.iter().copied()) {
            Some(mask) => {
                self.many.remove(&state);
                mask
            }
            None => {
                self.many.insert(state, choices.to_vec());
                MANY
            }
        };
    }
}

/// The set as bits, if it fits.
pub(crate) fn mask(choices: impl IntoIterator<Item = u32>) -> Option<u32> {
    choices.into_iter().try_fold(0, |mask, choice| (choice < MOST_CHOICES).then(|| mask | 1 << choice))
}

#[cfg(test)]
mod tests;
