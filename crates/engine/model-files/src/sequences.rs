//! Sequences of probabilities, each converted once.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use budget::Stopped;

use crate::distributions::WeightsId;
use crate::memory::Memory;

/// The weights of a choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) weights: WeightsId,
    pub(crate) normalised: bool,
}

/// Sequences of numbers and their weights.
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

    pub(crate) fn insert(&mut self, numbers: &[u32], outcome: Outcome, memory: &Memory<'_>) -> Result<(), Stopped> {
        if self.find(numbers).is_some() {
            return Ok(());
        }
        memory.grow_table(self.known.len(), self.known.capacity(), self.known.allocation_size())?;
        memory.grow(&mut self.pool, numbers.len(), usize::MAX)?;
        memory.grow(&mut self.ends, 1, usize::MAX)?;
        memory.grow(&mut self.outcomes, 1, usize::MAX)?;
        let id = self.count();
        self.pool.extend_from_slice(numbers);
        self.ends.push(self.pool.len());
        self.outcomes.push(outcome);
        let hash = self.hasher.hash_one(numbers);
        let Self { pool, ends, hasher, known, .. } = self;
        known.insert_unique(hash, id, |id| {
            let start = if *id == 0 { 0 } else { ends[*id as usize - 1] };
            hasher.hash_one(&pool[start..ends[*id as usize]])
        });
        Ok(())
    }

    /// Bytes that the sequences take.
    pub(crate) fn bytes(&self) -> u64 {
        let arrays = 4 * self.pool.capacity()
            + size_of::<usize>() * self.ends.capacity()
            + size_of::<Outcome>() * self.outcomes.capacity();
        (arrays + self.known.allocation_size()) as u64
    }

    /// How many there are: at most as many as choices.
    fn count(&self) -> u32 {
        u32::try_from(self.ends.len()).expect("fewer sequences than choices")
    }

    /// All sequences in the order of insertion.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u32], Outcome)> {
        (0..self.count()).map(|id| (self.get(id), self.outcomes[id as usize]))
    }
}
