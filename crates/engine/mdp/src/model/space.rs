//! The explored states of a game, with the [`Model`] of their numbers.

use std::hash::{BuildHasher, Hash};
use std::sync::{Arc, OnceLock};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::Model;
use super::distribution::Distribution;
use super::words::StateId;

/// All states of a game that can be reached, and the model that they form.
#[derive(Clone, Debug)]
pub struct StateSpace<S> {
    pub(crate) states: Vec<S>,
    /// Built when a state's number is first requested, unless it was needed before.
    pub(crate) index: OnceLock<HashTable<StateId>>,
    pub(crate) model: Arc<Model>,
    pub(crate) starts: Vec<Distribution<StateId>>,
}

#[inline]
pub(crate) fn hash_of<S: Hash>(state: &S) -> u64 {
    FxBuildHasher.hash_one(state)
}

impl<S: Eq + Hash> StateSpace<S> {
    /// The states as numbers.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The state with this number.
    ///
    /// # Panics
    /// When there is no such number.
    #[inline]
    pub fn state(&self, number: StateId) -> &S {
        &self.states[number as usize]
    }

    /// All states, by number.
    pub fn states(&self) -> &[S] {
        &self.states
    }

    /// The number of a state; `None` when it cannot be reached from any start.
    pub fn number_of(&self, state: &S) -> Option<StateId> {
        let index = self.index.get_or_init(|| index_of(&self.states).0);
        index.find(hash_of(state), |number| self.states[*number as usize] == *state).copied()
    }

    /// The starts, in the order of the game.
    pub fn starts(&self) -> &[Distribution<StateId>] {
        &self.starts
    }

    /// The same space with its states renamed. `rename` must keep different states different.
    ///
    /// # Panics
    /// When two states get the same name.
    pub fn map<T: Eq + Hash>(self, rename: impl FnMut(&S) -> T) -> StateSpace<T> {
        let renamed = StateSpace::new(self.states.iter().map(rename).collect(), self.model, self.starts);
        renamed.expect("no two states get the same name")
    }

    /// Bytes in use, as far as the engine knows: memory behind the pointers of a state is not counted.
    pub fn bytes(&self) -> u64 {
        let index = self.index.get().map_or(0, HashTable::allocation_size);
        (self.states.capacity() * size_of::<S>() + index) as u64 + self.model.bytes()
    }

    /// A space with a new index; the states are in order of their numbers.
    pub(crate) fn new(
        states: Vec<S>,
        model: Arc<Model>,
        starts: Vec<Distribution<StateId>>,
    ) -> Result<Self, &'static str> {
        let (index, different) = index_of(&states);
        if !different {
            return Err("the same state twice");
        }
        Ok(Self { states, index: index.into(), model, starts })
    }
}

/// The numbers of states, and whether no two are equal.
fn index_of<S: Eq + Hash>(states: &[S]) -> (HashTable<StateId>, bool) {
    let mut index = HashTable::with_capacity(states.len());
    let mut different = true;
    for (number, state) in (0..).zip(states) {
        let hash = hash_of(state);
        different &= index.find(hash, |other: &StateId| states[*other as usize] == *state).is_none();
        index.insert_unique(hash, number, |other| hash_of(&states[*other as usize]));
    }
    (index, different)
}
