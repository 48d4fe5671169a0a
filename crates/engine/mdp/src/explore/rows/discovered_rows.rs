//! The rows of states that have been discovered, and which of their states.

use std::hash::Hash;

use crate::explore::discovered::Discovered;
use crate::order::emitted::Slots;

/// The rows of states that have been discovered, and which of their states.
#[derive(Debug)]
pub(super) struct DiscoveredRows<S> {
    rows: Discovered<S>,
    /// Which of their states have been discovered.
    pub(super) slots: Slots,
}

impl<S: Clone + Eq + Hash> DiscoveredRows<S> {
    /// None yet; each will have at most `length` states.
    pub(super) fn new(length: u32) -> Self {
        Self { rows: Discovered::default(), slots: Slots::new(length) }
    }

    /// All rows, by number.
    pub(super) fn rows(&self) -> &[S] {
        self.rows.all()
    }

    /// The number of a row, if it has been discovered.
    #[inline]
    pub(super) fn known_row(&self, row: &S, hash: u64) -> Option<u32> {
        self.rows.known(row, hash)
    }

    /// The number of a row, the next free one if it is new.
    pub(super) fn row(&mut self, row: S, hash: u64) -> u32 {
        let number = self.rows.number(row, hash);
        self.slots.grow(self.rows.len());
        number
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.rows.bytes() + self.slots.bytes()
    }

    /// Bytes of the largest of its arrays: growing takes as many more.
    pub(super) fn largest(&self) -> usize {
        self.rows.largest().max(self.slots.bytes())
    }

    /// Drops the index that is only needed to look up rows.
    pub(super) fn forget_numbers(&mut self) {
        self.rows.forget_numbers();
    }
}
