//! Sequences of probabilities, each understood once.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::distributions::WeightsId;

/// What the numbers of a choice amount to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) weights: WeightsId,
    pub(crate) normalised: bool,
}

/// Sequences of numbers and what they amount to.
#[derive(Debug, Default)]
pub(crate) struct Sequences {
    pool: Vec<u32>,
    ends: Vec<usize>,
    outcomes: Vec<Outcome>,
    known: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Sequences {
    fn get(&self, sequence: u32) -> &[u32] {
        let start = if sequence == 0 { 0 } else { self.ends[sequence as usize - 1] };
        &self.pool[start..self.ends[sequence as usize]]
    }

    #[inline]
    pub(crate) fn find(&self, numbers: &[u32]) -> Option<Outcome> {
        let hash = self.hasher.hash_one(numbers);
        self.known.find(hash, |id| self.get(*id) == numbers).map(|id| self.outcomes[*id as usize])
    }

    pub(crate) fn insert(&mut self, numbers: &[u32], outcome: Outcome) {
        if self.find(numbers).is_some() {
            return;
        }
        let id = self.ends.len() as u32;
        self.pool.extend_from_slice(numbers);
        self.ends.push(self.pool.len());
        self.outcomes.push(outcome);
        let hash = self.hasher.hash_one(numbers);
        let Self { pool, ends, hasher, known, .. } = self;
        known.insert_unique(hash, id, |id| {
            let start = if *id == 0 { 0 } else { ends[*id as usize - 1] };
            hasher.hash_one(&pool[start..ends[*id as usize]])
        });
    }

    /// All sequences in the order of insertion.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u32], Outcome)> {
        (0..self.ends.len() as u32).map(|id| (self.get(id), self.outcomes[id as usize]))
    }
}
