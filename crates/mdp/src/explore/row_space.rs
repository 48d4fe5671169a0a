//! The explored states of a game by their rows: a [`Model`] with little beside it.

use std::hash::Hash;
use std::sync::Arc;

use super::found_rows::{FoundRows, Numbers};
use crate::model::{Model, StateId};
use crate::row::InRow;
use crate::space::hash_of;

/// The states that can be reached from some starts, kept by rows, and the model that they form: like a
/// [`StateSpace`](crate::StateSpace), with a few bytes for a state.
#[derive(Debug)]
pub struct RowSpace<S> {
    found: FoundRows<S>,
    numbers: Numbers,
    /// The number in the model of every number there, unless all are the same.
    new: Option<Vec<StateId>>,
    model: Arc<Model>,
}

impl<S: Clone + Eq + Hash> RowSpace<S> {
    pub(super) fn new(found: FoundRows<S>, numbers: Numbers, new: Option<Vec<StateId>>, model: Arc<Model>) -> Self {
        Self { found, numbers, new, model }
    }

    /// The states as numbers.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    pub(super) fn number_of_slot(&self, slot: u32) -> StateId {
        self.number(self.found.place(slot))
    }

    pub(super) fn row(&self, number: u32) -> &S {
        &self.found.rows()[number as usize]
    }

    fn number(&self, place: InRow) -> StateId {
        self.renumbered(self.numbers.of(&self.found, place))
    }

    fn renumbered(&self, number: StateId) -> StateId {
        self.new.as_ref().map_or(number, |new| new[number as usize])
    }

    pub(super) fn places(&self) -> impl Iterator<Item = (InRow, StateId)> {
        // Those of a row follow each other.
        let (mut row, mut next) = (u32::MAX, 0);
        self.found.places().map(move |place| {
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
        (position < self.found.length() && self.found.reaches(place)).then(|| self.number(place))
    }

    /// All states: row, position, and number.
    pub fn states(&self) -> impl Iterator<Item = (&S, u32, StateId)> {
        self.places().map(|(place, number)| (self.row(place.row), place.position, number))
    }
}
