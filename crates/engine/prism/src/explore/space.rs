//! The states that have been discovered.

use std::hash::BuildHasher;

use budget::{Budget, Stopped};
use hashbrown::{DefaultHashBuilder, HashTable};

use crate::program::Variable;

/// The position of a variable's bits.
#[derive(Clone, Copy, Debug)]
pub struct BitField {
    pub word: usize,
    pub shift: u32,
    pub bits: u32,
    pub low: i64,
}

impl BitField {
    /// The value of the variable in the words of a state.
    pub fn value(self, words: &[u64]) -> i64 {
        if self.bits == 0 {
            return self.low;
        }
        let mask = u64::MAX >> (u64::BITS - self.bits);
        self.low.wrapping_add_unsigned(words[self.word] >> self.shift & mask)
    }
}

/// The states discovered so far, packed into words of 64 bits.
pub struct Space {
    /// The position of each variable's bits.
    pub fields: Vec<BitField>,
    /// The number of words of a state, at least one.
    pub width: usize,
    /// The words of all states.
    pub words: Vec<u64>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    count: u32,
}

impl Space {
    /// No states yet.
    pub fn new(variables: &[Variable]) -> Self {
        let (mut word, mut used) = (0, 0);
        let mut fields = Vec::with_capacity(variables.len());
        for variable in variables {
            let most = variable.high.abs_diff(variable.low);
            let bits = u64::BITS - most.leading_zeros();
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            fields.push(BitField { word, shift: used, bits, low: variable.low });
            used += bits;
        }
        Self {
            fields,
            width: word + 1,
            words: Vec::new(),
            table: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            count: 0,
        }
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Packs the values of all variables.
    pub fn pack(&self, state: &[i64], packed: &mut Vec<u64>) {
        packed.clear();
        packed.resize(self.width, 0);
        for (value, field) in state.iter().zip(&self.fields) {
            if field.bits > 0 {
                packed[field.word] |= value.abs_diff(field.low) << field.shift;
            }
        }
    }

    /// A state, packed.
    pub fn words(&self, number: u32) -> &[u64] {
        let begin = number as usize * self.width;
        &self.words[begin..begin + self.width]
    }

    /// The values of all variables in a state.
    pub fn unpack(&self, number: u32, state: &mut Vec<i64>) {
        let words = self.words(number);
        state.clear();
        state.extend(self.fields.iter().map(|field| field.value(words)));
    }

    /// The number of a state, if it is known.
    pub fn find(&self, packed: &[u64]) -> Option<u32> {
        self.find_hashed(self.hasher.hash_one(packed), packed)
    }

    fn find_hashed(&self, hash: u64, packed: &[u64]) -> Option<u32> {
        self.table.find(hash, |number| self.words(*number) == packed).copied()
    }

    /// The number of a state, which is added if it is new.
    pub fn number(&mut self, packed: &[u64], budget: &Budget<'_>) -> Result<u32, Stopped> {
        let width = self.width;
        let hash = self.hasher.hash_one(packed);
        if let Some(number) = self.find_hashed(hash, packed) {
            return Ok(number);
        }
        let number = self.count;
        budget.states(u64::from(number) + 1)?;
        if self.table.len() == self.table.capacity() || self.words.len() + width > self.words.capacity() {
            let held = self.words.capacity() * 8 + self.table.allocation_size();
            budget.memory(held as u64 * 2)?;
            budget.more_memory(held as u64)?;
        }
        self.words.extend_from_slice(packed);
        let (words, hasher) = (&self.words, &self.hasher);
        self.table.insert_unique(hash, number, |number| {
            let begin = *number as usize * width;
            hasher.hash_one(&words[begin..begin + width])
        });
        self.count += 1;
        Ok(number)
    }
}
