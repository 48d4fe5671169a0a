//! The rows that have been found, and which of their states.

use std::hash::Hash;

use crate::explore::discovered::Found;
use crate::order::emitted::Slots;

/// The rows that have been found, and which of their states.
#[derive(Debug)]
pub(super) struct FoundRows<S> {
    rows: Found<S>,
    /// Their states.
    pub(super) slots: Slots,
}

impl<S: Clone + Eq + Hash> FoundRows<S> {
    /// None yet; they have so many states at most.
    pub(super) fn new(length: u32) -> Self {
        Self { rows: Found::default(), slots: Slots::new(length) }
    }

    /// All rows, by number.
    pub(super) fn rows(&self) -> &[S] {
        self.rows.all()
    }

    /// The number of a row that has been found.
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

    /// Bytes that the largest of its arrays takes: as many more when it grows.
    pub(super) fn largest(&self) -> usize {
        self.rows.largest().max(self.slots.bytes())
    }

    /// Forgets what only finds rows.
    pub(super) fn forget_numbers(&mut self) {
        self.rows.forget_numbers();
    }
}
