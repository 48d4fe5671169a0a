//! The explored states of a game: a [`Model`] whose numbers have faces.

use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::distribution::Distribution;
use crate::model::{Model, StateId};

/// All states of a game that can be reached, and the model that they form.
#[derive(Clone, Debug)]
pub struct StateSpace<S> {
    pub(crate) states: Vec<S>,
    pub(crate) index: HashTable<StateId>,
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
        self.index.find(hash_of(state), |number| self.states[*number as usize] == *state).copied()
    }

    /// The starts, in the order in which the game gave them.
    pub fn starts(&self) -> &[Distribution<StateId>] {
        &self.starts
    }

    /// The same space with other names for its states. `rename` must keep different states apart.
    ///
    /// # Panics
    /// When two states get the same name.
    pub fn map<T: Eq + Hash>(self, rename: impl FnMut(&S) -> T) -> StateSpace<T> {
        let renamed = StateSpace::new(self.states.iter().map(rename).collect(), self.model, self.starts);
        renamed.expect("no two states get the same name")
    }

    /// Bytes in use, as far as the engine knows: what a state keeps behind pointers is not counted.
    pub fn bytes(&self) -> u64 {
        (self.states.capacity() * size_of::<S>() + self.index.allocation_size()) as u64 + self.model.bytes()
    }

    /// A space with an index made anew; the states are in order of their numbers.
    pub(crate) fn new(
        states: Vec<S>,
        model: Arc<Model>,
        starts: Vec<Distribution<StateId>>,
    ) -> Result<Self, &'static str> {
        let mut index = HashTable::with_capacity(states.len());
        for (number, state) in (0..).zip(&states) {
            let hash = hash_of(state);
            if index.find(hash, |other: &StateId| states[*other as usize] == *state).is_some() {
                return Err("the same state twice");
            }
            index.insert_unique(hash, number, |other| hash_of(&states[*other as usize]));
        }
        Ok(Self { states, index, model, starts })
    }
}
