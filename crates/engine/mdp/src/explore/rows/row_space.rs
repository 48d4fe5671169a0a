//! The explored states of a game by their rows: a [`Model`] with little overhead.

use std::hash::Hash;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::discovered_rows::DiscoveredRows;
use crate::game::{InRow, RowGame};
use crate::model::{Distribution, Model, StateId, StateSpace, hash_of};
use crate::order::emitted::Numbers;
use crate::support::{FEW_STATES, filled};

/// The states that can be reached from some starts, stored by rows, and the model that they form: like a
/// [`StateSpace`](crate::StateSpace), with a few bytes for each state.
#[derive(Debug)]
pub struct RowSpace<S> {
    discovered: DiscoveredRows<S>,
    numbers: Numbers,
    /// The number in the model of every number in `numbers`, unless all are the same.
    new: Option<Vec<StateId>>,
    model: Arc<Model>,
    starts: Vec<Distribution<StateId>>,
}

impl<S: Clone + Eq + Hash> RowSpace<S> {
    /// `starts` are slots.
    pub(super) fn new(
        discovered: DiscoveredRows<S>,
        numbers: Numbers,
        new: Option<Vec<StateId>>,
        model: Arc<Model>,
        starts: Vec<Distribution<u32>>,
    ) -> Self {
        let mut space = Self { discovered, numbers, new, model, starts: Vec::new() };
        space.starts = starts
            .into_iter()
            .map(|start| start.map(|slot| space.number(space.discovered.slots.in_row(*slot))))
            .collect();
        space
    }

    /// The states as numbers.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The starts, in the order of the game; empty where it was explored from a set of states.
    pub fn starts(&self) -> &[Distribution<StateId>] {
        &self.starts
    }

    fn row(&self, number: u32) -> &S {
        &self.discovered.rows()[number as usize]
    }

    fn number(&self, at: InRow) -> StateId {
        self.renumbered(self.numbers.of(&self.discovered.slots, at))
    }

    fn renumbered(&self, number: StateId) -> StateId {
        self.new.as_ref().map_or(number, |new| new[number as usize])
    }

    fn numbered(&self) -> impl Iterator<Item = (InRow, StateId)> {
        // The states of a row have consecutive numbers.
        let (mut row, mut next) = (u32::MAX, 0);
        self.discovered.slots.iter().map(move |at| {
            if row != at.row {
                (row, next) = (at.row, self.numbers.first(at.row));
            }
            next += 1;
            (at, self.renumbered(next - 1))
        })
    }

    /// The number of the state at a position of a row; `None` when it cannot be reached.
    pub fn number_of(&self, row: &S, position: u32) -> Option<StateId> {
        let at = InRow { row: self.discovered.known_row(row, hash_of(row))?, position };
        (position < self.discovered.slots.length() && self.discovered.slots.reaches(at)).then(|| self.number(at))
    }

    /// The number of a state of this game; `None` when it cannot be reached.
    pub fn number_of_state<G: RowGame<State = S>>(&self, game: &G, state: &S) -> Option<StateId> {
        let (row, position) = game.row_of(state);
        self.number_of(&row, position)
    }

    /// All states: row, position, and number.
    pub fn states(&self) -> impl Iterator<Item = (&S, u32, StateId)> {
        self.numbered().map(|(at, number)| (self.row(at.row), at.position, number))
    }

    /// The same space of this game with its states stored one by one.
    pub fn one_by_one<G: RowGame<State = S>>(&self, game: &G) -> StateSpace<S>
    where
        S: Send + Sync,
    {
        let mut in_rows = filled(InRow::default(), self.model.states() as usize);
        for (at, number) in self.numbered() {
            in_rows[number as usize] = at;
        }
        let state = |InRow { row, position }: InRow| game.in_row(self.row(row), position);
        let states = in_rows.into_par_iter().with_min_len(FEW_STATES).map(state).collect();
        StateSpace { states, index: OnceLock::new(), model: Arc::clone(&self.model), starts: self.starts.clone() }
    }

    /// Bytes in use, as far as the engine knows: memory behind the pointers of a row is not counted.
    pub fn bytes(&self) -> u64 {
        let numbers = self.numbers.bytes() + self.new.as_ref().map_or(0, |new| new.capacity() * size_of::<StateId>());
        (self.discovered.bytes() + numbers) as u64 + self.model.bytes()
    }
}
