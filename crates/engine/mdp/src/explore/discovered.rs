//! The states that have been discovered, and their numbers.

use std::hash::Hash;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::model::{StateId, hash_of};
use crate::support::id;

/// The states that have been discovered, numbered in that order; or rows of states.
#[derive(Debug)]
pub(super) struct Discovered<S> {
    states: Vec<S>,
    /// The number of each.
    index: HashTable<u32>,
}

impl<S> Default for Discovered<S> {
    fn default() -> Self {
        Self { states: Vec::new(), index: HashTable::new() }
    }
}

impl<S: Clone + Eq + Hash> Discovered<S> {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// All of them, by number.
    pub(super) fn all(&self) -> &[S] {
        &self.states
    }

    /// The number of a state, if it has been discovered.
    #[inline]
    pub(super) fn known(&self, state: &S, hash: u64) -> Option<u32> {
        self.index.find(hash, |known| self.states[*known as usize] == *state).copied()
    }

    /// The number of a state, the next free one if it is new.
    #[inline]
    pub(super) fn number(&mut self, state: S, hash: u64) -> u32 {
        let Self { states, index } = self;
        if index.len() == index.capacity() {
            // Rebuilt in the order of the states: faster than moving the entries of the old table, and the two are
            // never in memory at once.
            *index = HashTable::new();
            *index = HashTable::with_capacity(2 * states.len().max(1 << 10));
            for (number, state) in (0..).zip(states.iter()) {
                index.insert_unique(hash_of(state), number, |known| hash_of(&states[*known as usize]));
            }
        }
        match index.entry(hash, |known| states[*known as usize] == state, |known| hash_of(&states[*known as usize])) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                // The limit on states is checked long before the numbers run out.
                let new = id(states.len());
                free.insert(new);
                states.push(state);
                new
            }
        }
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<S>() + self.index.allocation_size()
    }

    /// Bytes of the largest of its arrays: growing takes as many more.
    pub(super) fn largest(&self) -> usize {
        (self.states.capacity() * size_of::<S>()).max(self.index.allocation_size())
    }

    /// Drops the index that is only needed to look up states.
    pub(super) fn forget_numbers(&mut self) {
        self.index = HashTable::new();
    }

    /// All states in the order `old`, and their index; `numbers` gives the new number of each.
    pub(super) fn in_order(self, numbers: Option<(&[StateId], Vec<StateId>)>) -> (Vec<S>, HashTable<StateId>) {
        let Self { states, mut index } = self;
        let Some((numbers, old)) = numbers else { return (states, index) };
        for number in &mut index {
            *number = numbers[*number as usize];
        }
        (old.into_iter().map(|old| states[old as usize].clone()).collect(), index)
    }
}
