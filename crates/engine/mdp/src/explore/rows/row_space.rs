//! The explored states of a game by their rows: a [`Model`] with little beside it.

use std::hash::Hash;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::discovered_rows::FoundRows;
use crate::game::{InRow, RowGame};
use crate::model::{Distribution, Model, StateId, StateSpace, hash_of};
use crate::order::emitted::Numbers;
use crate::support::{FEW_STATES, filled};

/// The states that can be reached from some starts, kept by rows, and the model that they form: like a
/// [`StateSpace`](crate::StateSpace), with a few bytes for a state.
#[derive(Debug)]
pub struct RowSpace<S> {
    found: FoundRows<S>,
    numbers: Numbers,
    /// The number in the model of every number there, unless all are the same.
    new: Option<Vec<StateId>>,
    model: Arc<Model>,
    starts: Vec<Distribution<StateId>>,
}

impl<S: Clone + Eq + Hash> RowSpace<S> {
    /// `starts` are slots.
    pub(super) fn new(
        found: FoundRows<S>,
        numbers: Numbers,
        new: Option<Vec<StateId>>,
        model: Arc<Model>,
        starts: Vec<Distribution<u32>>,
    ) -> Self {
        let mut space = Self { found, numbers, new, model, starts: Vec::new() };
        space.starts =
            starts.into_iter().map(|start| start.map(|slot| space.number(space.found.slots.place(*slot)))).collect();
        space
    }

    /// The states as numbers.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The starts, in the order in which the game gave them; none where it was explored from a set of states.
    pub fn starts(&self) -> &[Distribution<StateId>] {
        &self.starts
    }

    fn row(&self, number: u32) -> &S {
        &self.found.rows()[number as usize]
    }

    fn number(&self, place: InRow) -> StateId {
        self.renumbered(self.numbers.of(&self.found.slots, place))
    }

    fn renumbered(&self, number: StateId) -> StateId {
        self.new.as_ref().map_or(number, |new| new[number as usize])
    }

    fn places(&self) -> impl Iterator<Item = (InRow, StateId)> {
        // Those of a row follow each other.
        let (mut row, mut next) = (u32::MAX, 0);
        self.found.slots.places().map(move |place| {
            if row != place.row {
                (row, next) = (place.row, self.numbers.first(place.row));
            }
            next += 1;
            (place, self.renumbered(next - 1))
        })
    }

    /// The number of the state at a position of a row; `None` when it cannot be reached.
    pub fn number_of(&self, row: &S, position: u32) -> Option<StateId> {
        let place = InRow { row: self.found.known_row(row, hash_of(row))?, position };
        (position < self.found.slots.length() && self.found.slots.reaches(place)).then(|| self.number(place))
    }

    /// The number of a state of this game; `None` when it cannot be reached.
    pub fn number_of_state<G: RowGame<State = S>>(&self, game: &G, state: &S) -> Option<StateId> {
        let (row, position) = game.row_of(state);
        self.number_of(&row, position)
    }

    /// All states: row, position, and number.
    pub fn states(&self) -> impl Iterator<Item = (&S, u32, StateId)> {
        self.places().map(|(place, number)| (self.row(place.row), place.position, number))
    }

    /// The same space of this game with its states one by one.
    pub fn one_by_one<G: RowGame<State = S>>(&self, game: &G) -> StateSpace<S>
    where
        S: Send + Sync,
    {
        let mut places = filled(InRow::default(), self.model.states() as usize);
        for (place, number) in self.places() {
            places[number as usize] = place;
        }
        let state = |InRow { row, position }: InRow| game.in_row(self.row(row), position);
        let states = places.into_par_iter().with_min_len(FEW_STATES).map(state).collect();
        StateSpace { states, index: OnceLock::new(), model: Arc::clone(&self.model), starts: self.starts.clone() }
    }

    /// Bytes in use, as far as the engine knows: what a row keeps behind pointers is not counted.
    pub fn bytes(&self) -> u64 {
        let numbers = self.numbers.bytes() + self.new.as_ref().map_or(0, |new| new.capacity() * size_of::<StateId>());
        (self.found.bytes() + numbers) as u64 + self.model.bytes()
    }
}
