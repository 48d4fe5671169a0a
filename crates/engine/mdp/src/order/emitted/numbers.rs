//! The numbers of slots in a stream.

use super::slots::Slots;
use crate::game::InRow;
use crate::model::StateId;
use crate::support::id;

/// The number of each slot in a stream: rows follow each other in the order in which they were first expanded.
#[derive(Debug)]
pub(crate) struct Numbers {
    /// For each row the number of its first state.
    first: Vec<StateId>,
}

/// Rows in the order of their numbers.
#[derive(Debug)]
pub(crate) struct InOrder {
    /// The first states of the rows; at last, how many states there are.
    pub(crate) first: Vec<StateId>,
    /// For each row its position in that order.
    pub(crate) position: Vec<u32>,
}

impl Numbers {
    /// `emitted` are slots in the order of expansion: at least one for each group of a row's states that were expanded
    /// together.
    pub(crate) fn new(slots: &Slots, emitted: impl Iterator<Item = u32>) -> (Self, InOrder) {
        const NONE: StateId = StateId::MAX;
        let mut numbers = vec![NONE; slots.rows()];
        let mut first = Vec::with_capacity(numbers.len() + 1);
        let mut position = vec![0; numbers.len()];
        let mut next = 0;
        for row in emitted.map(|slot| slots.in_row(slot).row) {
            if numbers[row as usize] == NONE {
                numbers[row as usize] = next;
                position[row as usize] = id(first.len());
                first.push(next);
                next += slots.count(row);
            }
        }
        first.push(next);
        (Self { first: numbers }, InOrder { first, position })
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.first.capacity() * size_of::<StateId>()
    }

    /// The number of the first state of a row.
    pub(crate) fn first(&self, row: u32) -> StateId {
        self.first[row as usize]
    }

    #[inline]
    pub(crate) fn of(&self, slots: &Slots, at: InRow) -> StateId {
        self.first[at.row as usize] + slots.before(at)
    }
}
