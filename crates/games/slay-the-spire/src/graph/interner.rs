//! Numbers for values.

use rustc_hash::FxHashMap;
use std::hash::Hash;

use crate::numbers::index::index;

/// Numbers for values: equal ones get the same.
#[derive(Debug)]
pub(crate) struct Interner<T> {
    numbers: FxHashMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { numbers: FxHashMap::default(), values: Vec::new() }
    }
}

impl<T: Copy + Eq + Hash> Interner<T> {
    /// The number of a value, and whether it is new.
    pub(crate) fn number(&mut self, value: T) -> (u32, bool) {
        let next = index(self.values.len());
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        (number, number == next)
    }

    /// The number of a value that has one.
    pub(crate) fn find(&self, value: &T) -> Option<u32> {
        self.numbers.get(value).copied()
    }

    /// The value that has a number.
    pub(crate) fn value(&self, number: u32) -> T {
        self.values[number as usize]
    }

    /// How many values have numbers.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }
}
