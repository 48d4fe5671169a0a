//! The states that have been found, and their numbers.

use std::hash::Hash;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::model::StateId;
use crate::places::id;
use crate::row::InRow;
use crate::space::hash_of;

/// No state is at this position of a row.
const NONE: StateId = StateId::MAX;

/// The states that have been found: by rows, or, where rows have one state, state by state.
#[derive(Debug)]
pub(super) struct Found<S> {
    /// How many states a row has at most.
    length: u32,
    rows: Vec<S>,
    /// The number of each row.
    index: HashTable<u32>,
    /// For each row the number of the state at each position; empty where a row's number is that of its state.
    numbers: Vec<StateId>,
    /// The row and position of each state; empty likewise.
    places: Vec<InRow>,
}

impl<S: Clone + Eq + Hash> Found<S> {
    pub(super) fn new(length: u32) -> Self {
        let length = length.max(1);
        Self { length, rows: Vec::new(), index: HashTable::new(), numbers: Vec::new(), places: Vec::new() }
    }

    pub(super) fn has_rows(&self) -> bool {
        self.length > 1
    }

    /// How many states there are.
    pub(super) fn states(&self) -> usize {
        if self.has_rows() { self.places.len() } else { self.rows.len() }
    }

    /// All rows; all states where rows have one.
    pub(super) fn rows(&self) -> &[S] {
        &self.rows
    }

    /// A state, which `in_row` makes from its row.
    pub(super) fn state(&self, state: StateId, in_row: impl Fn(&S, u32) -> S) -> S {
        let InRow { row, position } = self.place(state);
        let row = &self.rows[row as usize];
        if self.has_rows() { in_row(row, position) } else { row.clone() }
    }

    /// The row of a state, and its position there.
    #[inline]
    pub(super) fn place(&self, state: StateId) -> InRow {
        if self.has_rows() { self.places[state as usize] } else { InRow { row: state, position: 0 } }
    }

    /// The number of a row that has been found.
    #[inline]
    pub(super) fn known_row(&self, row: &S, hash: u64) -> Option<u32> {
        self.index.find(hash, |known| self.rows[*known as usize] == *row).copied()
    }

    /// The number of the state at a position of a row, if it has been found.
    #[inline]
    pub(super) fn known(&self, InRow { row, position }: InRow) -> Option<StateId> {
        if !self.has_rows() {
            return Some(row);
        }
        let number = self.numbers[self.slot(row, position)];
        (number != NONE).then_some(number)
    }

    #[inline]
    fn slot(&self, row: u32, position: u32) -> usize {
        assert!(position < self.length, "a position beyond the end of its row");
        row as usize * self.length as usize + position as usize
    }

    /// The number of a row, the next free one if it is new.
    #[inline]
    pub(super) fn row(&mut self, row: S, hash: u64) -> u32 {
        let Self { rows, index, .. } = self;
        if index.len() == index.capacity() {
            // Filled anew in the order of the rows: faster than moving the entries of the old table, and never both
            // in memory.
            *index = HashTable::new();
            *index = HashTable::with_capacity(2 * rows.len().max(1 << 10));
            for (number, row) in (0..).zip(rows.iter()) {
                index.insert_unique(hash_of(row), number, |known| hash_of(&rows[*known as usize]));
            }
        }
        match index.entry(hash, |known| rows[*known as usize] == row, |known| hash_of(&rows[*known as usize])) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                // The limit on states is looked at long before the numbers run out.
                let new = id(rows.len());
                free.insert(new);
                rows.push(row);
                if self.length > 1 {
                    self.numbers.resize(self.numbers.len() + self.length as usize, NONE);
                }
                new
            }
        }
    }

    /// The number of the state at a position of a row, the next free one if it is new.
    #[inline]
    pub(super) fn number(&mut self, place: InRow) -> StateId {
        if !self.has_rows() {
            return place.row;
        }
        let slot = self.slot(place.row, place.position);
        if self.numbers[slot] == NONE {
            self.numbers[slot] = id(self.places.len());
            self.places.push(place);
        }
        self.numbers[slot]
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<S>()
            + self.index.allocation_size()
            + self.numbers.capacity() * size_of::<StateId>()
            + self.places.capacity() * size_of::<InRow>()
    }

    /// Bytes that the largest of its arrays takes: as many more when it grows.
    pub(super) fn largest(&self) -> usize {
        let rows = (self.rows.capacity() * size_of::<S>()).max(self.index.allocation_size());
        rows.max(self.numbers.capacity() * size_of::<StateId>()).max(self.places.capacity() * size_of::<InRow>())
    }

    /// Forgets what only finds states.
    pub(super) fn forget_numbers(&mut self) {
        if self.has_rows() {
            self.index = HashTable::new();
            self.numbers = Vec::new();
        }
    }

    /// Numbers the states of rows in the order in which they were told.
    pub(super) fn put_in_order(&mut self, told: &[StateId]) {
        self.places = told.iter().map(|state| self.places[*state as usize]).collect();
    }

    /// All states, each at the place that `old` says, and their index if it is known: `numbers` says the new number of
    /// each. `in_row` makes a state from its row.
    pub(super) fn in_order(
        self,
        numbers: Option<(&[StateId], Vec<StateId>)>,
        in_row: impl Fn(&S, u32) -> S,
    ) -> (Vec<S>, Option<HashTable<StateId>>) {
        let Self { length, rows, mut index, places, .. } = self;
        if length > 1 {
            let state = |InRow { row, position }: InRow| in_row(&rows[row as usize], position);
            let states = match numbers {
                Some((_, old)) => old.into_iter().map(|old| state(places[old as usize])).collect(),
                None => places.into_iter().map(state).collect(),
            };
            return (states, None);
        }
        let Some((numbers, old)) = numbers else { return (rows, Some(index)) };
        for number in &mut index {
            *number = numbers[*number as usize];
        }
        (old.into_iter().map(|old| rows[old as usize].clone()).collect(), Some(index))
    }
}
