//! Sets of small integers, each stored once and identified by a 32-bit number.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// The number of a set in its [`Sets`]. Equal numbers mean equal sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(u32);

/// The sets of numbers below a bound, as bits, interned.
#[derive(Debug)]
pub struct Sets {
    interned: IndexSet<Box<[u64]>, FxBuildHasher>,
    words: usize,
    scratch: Vec<u64>,
}

impl Sets {
    /// The number of the empty set.
    pub const EMPTY: SetId = SetId(0);

    /// Sets of numbers below `bound`; only the empty one is stored yet.
    pub fn new(bound: usize) -> Self {
        let words = bound.div_ceil(64);
        let mut interned = IndexSet::default();
        interned.insert(vec![0; words].into_boxed_slice());
        Self { interned, words, scratch: vec![0; words] }
    }

    /// How many sets are stored. Their numbers are 0, 1, 2, ... in the order of insertion.
    pub fn len(&self) -> usize {
        self.interned.len()
    }

    /// Upper bound of the memory that one stored set takes, in bytes.
    pub fn bytes_per_set(&self) -> usize {
        // The words, the box with its allocation's header, and twice (growth) the entry and its slot in the table.
        8 * self.words + 96
    }

    pub fn contains(&self, set: SetId, number: usize) -> bool {
        self.interned[set.index()][number / 64] >> (number % 64) & 1 == 1
    }

    /// The set with these numbers added.
    pub fn with(&mut self, set: SetId, numbers: &[usize]) -> SetId {
        self.scratch.copy_from_slice(&self.interned[set.index()]);
        for &number in numbers {
            self.scratch[number / 64] |= 1 << (number % 64);
        }
        let known = self.interned.get_index_of(self.scratch.as_slice());
        let index = known.unwrap_or_else(|| self.interned.insert_full(self.scratch.clone().into_boxed_slice()).0);
        SetId(u32::try_from(index).expect("memory ends before 2^32 sets"))
    }
}

impl SetId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[cfg(test)]
mod tests;
