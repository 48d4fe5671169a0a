//! Masses on their way through a model.

use rustc_hash::FxHashMap;

use super::mass::Mass;
use crate::model::StateId;
use crate::support::{BITS, bits, id};

/// Masses by the states at which they have arrived.
pub(super) struct PendingMasses<M> {
    masses: FxHashMap<StateId, M>,
    /// A bit for each state of the model: whether it has pending mass.
    occupied: Vec<u64>,
    /// All words before this one are zero.
    lowest: usize,
}

impl<M: Mass> PendingMasses<M> {
    /// No mass, in a model of this many states.
    pub(super) fn new(states: StateId) -> Self {
        Self { masses: FxHashMap::default(), occupied: vec![0; (states as usize).div_ceil(BITS)], lowest: 0 }
    }

    fn bit(state: StateId) -> (usize, u64) {
        (state as usize / BITS, 1 << (state as usize % BITS))
    }

    /// Adds to the mass of a state.
    pub(super) fn add(&mut self, state: StateId, mass: &M) {
        let (word, bit) = Self::bit(state);
        self.occupied[word] |= bit;
        self.lowest = self.lowest.min(word);
        self.masses.entry(state).or_insert_with(M::zero).add(mass);
    }

    /// Takes the mass of a state.
    pub(super) fn take(&mut self, state: StateId) -> Option<M> {
        let (word, bit) = Self::bit(state);
        if self.occupied[word] & bit == 0 {
            return None;
        }
        self.occupied[word] &= !bit;
        self.masses.remove(&state)
    }

    /// The lowest state with pending mass.
    pub(super) fn first(&mut self) -> Option<StateId> {
        let ahead = self.occupied[self.lowest..].iter().position(|word| *word != 0);
        self.lowest = ahead.map_or(self.occupied.len(), |ahead| self.lowest + ahead);
        let bit = bits(*self.occupied.get(self.lowest)?).next()?;
        Some(id(self.lowest * BITS) + bit)
    }

    /// How many states have pending mass.
    pub(super) fn len(&self) -> usize {
        self.masses.len()
    }

    /// Bytes in use, without those behind pointers.
    pub(super) fn bytes(&self) -> u64 {
        // The hash table has one byte of metadata for each slot.
        let masses = self.masses.capacity() * (size_of::<(StateId, M)>() + 1);
        (masses + self.occupied.len() * 8) as u64
    }
}

#[cfg(test)]
mod tests;
