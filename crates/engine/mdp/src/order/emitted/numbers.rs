//! The numbers of slots in a stream.

use super::slots::Slots;
use crate::game::InRow;
use crate::model::StateId;
use crate::support::id;

/// Which number each slot gets in a stream: rows follow each other as they were told first.
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
    /// For each row its place among them.
    pub(crate) place: Vec<u32>,
}

impl Numbers {
    /// `told` are the slots in the order in which they were told; some of them: at least one of those that were told of a row at
    /// a time.
    pub(crate) fn new(slots: &Slots, told: impl Iterator<Item = u32>) -> (Self, InOrder) {
        const NONE: StateId = StateId::MAX;
        let mut numbers = vec![NONE; slots.rows()];
        let mut first = Vec::with_capacity(numbers.len() + 1);
        let mut place = vec![0; numbers.len()];
        let mut next = 0;
        for row in told.map(|slot| slots.place(slot).row) {
            if numbers[row as usize] == NONE {
                numbers[row as usize] = next;
                place[row as usize] = id(first.len());
                first.push(next);
                next += slots.count(row);
            }
        }
        first.push(next);
        (Self { first: numbers }, InOrder { first, place })
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
    pub(crate) fn of(&self, slots: &Slots, place: InRow) -> StateId {
        self.first[place.row as usize] + slots.before(place)
    }
}
