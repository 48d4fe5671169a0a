//! Masses on their way through a model.

use rustc_hash::FxHashMap;

use super::mass::Mass;
use crate::model::StateId;
use crate::support::{BITS, bits, id};

/// Masses by the states that they have come to.
pub(super) struct Waiting<M> {
    masses: FxHashMap<StateId, M>,
    /// For each state of the model whether something waits there.
    waits: Vec<u64>,
    /// The words before this one say of no state that something waits.
    lowest: usize,
}

impl<M: Mass> Waiting<M> {
    /// Nothing, in a model of so many states.
    pub(super) fn new(states: StateId) -> Self {
        Self { masses: FxHashMap::default(), waits: vec![0; (states as usize).div_ceil(BITS)], lowest: 0 }
    }

    fn bit(state: StateId) -> (usize, u64) {
        (state as usize / BITS, 1 << (state as usize % BITS))
    }

    /// Adds to what waits in a state.
    pub(super) fn add(&mut self, state: StateId, mass: &M) {
        let (word, bit) = Self::bit(state);
        self.waits[word] |= bit;
        self.lowest = self.lowest.min(word);
        self.masses.entry(state).or_insert_with(M::zero).add(mass);
    }

    /// Takes what waits in a state.
    pub(super) fn take(&mut self, state: StateId) -> Option<M> {
        let (word, bit) = Self::bit(state);
        if self.waits[word] & bit == 0 {
            return None;
        }
        self.waits[word] &= !bit;
        self.masses.remove(&state)
    }

    /// The lowest state in which something waits.
    pub(super) fn first(&mut self) -> Option<StateId> {
        let ahead = self.waits[self.lowest..].iter().position(|word| *word != 0);
        self.lowest = ahead.map_or(self.waits.len(), |ahead| self.lowest + ahead);
        let bit = bits(*self.waits.get(self.lowest)?).next()?;
        Some(id(self.lowest * BITS) + bit)
    }

    /// In how many states something waits.
    pub(super) fn len(&self) -> usize {
        self.masses.len()
    }

    /// Bytes in use, without what lies behind pointers.
    pub(super) fn bytes(&self) -> u64 {
        // A byte for each place of the table, beside what stands there.
        let masses = self.masses.capacity() * (size_of::<(StateId, M)>() + 1);
        (masses + self.waits.len() * 8) as u64
    }
}

#[cfg(test)]
mod tests;
