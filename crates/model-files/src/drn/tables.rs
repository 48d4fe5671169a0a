//! Texts of numbers and sequences of numbers, each understood once.
//!
//! A file of ten million transitions has few different probabilities. A table maps the text of a
//! number to the number of the number, and the sequence of numbers of a choice to its weights.
//! While a block of the file is parsed by several threads, the table of all earlier blocks is
//! only read; what is new goes into an overlay for each chunk, and overlays are added to the table
//! in the order of the file. So the result does not depend on who was faster.

use std::sync::atomic::{AtomicU64, Ordering};

use hashbrown::HashMap;

use crate::distributions::{Distributions, WeightsId};
use crate::numbers::{self, Number};
use crate::sequences::{Outcome, Sequences};
use crate::weighing::{Unweighable, Weighed, weigh};

#[derive(Debug, Default)]
pub(super) struct Tables {
    /// Texts of up to 8 bytes, packed.
    short: HashMap<u64, u32>,
    long: HashMap<Vec<u8>, u32>,
    pub(super) numbers: Vec<Number>,
    sequences: Sequences,
    pub(super) distributions: Distributions,
}

impl Tables {
    fn find(&self, text: &[u8], packed: u64) -> Option<u32> {
        if text.len() <= 8 { self.short.get(&packed).copied() } else { self.long.get(text).copied() }
    }

    fn insert(&mut self, text: &[u8], packed: u64, id: u32) {
        if text.len() <= 8 {
            self.short.insert(packed, id);
        } else {
            self.long.insert(text.to_vec(), id);
        }
    }
}

/// A text of up to 8 bytes as one word; longer texts are not told apart by it.
#[inline]
pub(super) fn pack(text: &[u8]) -> u64 {
    text.iter().fold(0, |packed, byte| packed << 8 | u64::from(*byte))
}

/// The table as one chunk sees it: what was known before, and what the chunk adds.
#[derive(Debug)]
pub(super) struct Overlay<'a> {
    base: &'a Tables,
    added: Added,
    placeholders: &'a HashMap<Vec<u8>, Vec<u8>>,
    /// Bytes that large weights may still take, shared by all chunks.
    budget: &'a AtomicU64,
}

/// What a chunk adds to the table.
#[derive(Debug, Default)]
pub(super) struct Added {
    tables: Tables,
    /// The texts of the added numbers.
    texts: Vec<Vec<u8>>,
    base_numbers: u32,
    base_distributions: u32,
}

impl<'a> Overlay<'a> {
    pub(super) fn new(base: &'a Tables, placeholders: &'a HashMap<Vec<u8>, Vec<u8>>, budget: &'a AtomicU64) -> Self {
        let added = Added {
            base_numbers: base.numbers.len() as u32,
            base_distributions: base.distributions.len() as u32,
            ..Added::default()
        };
        Self { base, added, placeholders, budget }
    }

    pub(super) fn into_added(self) -> Added {
        self.added
    }

    pub(super) fn number(&self, id: u32) -> &Number {
        match id.checked_sub(self.added.base_numbers) {
            None => &self.base.numbers[id as usize],
            Some(added) => &self.added.tables.numbers[added as usize],
        }
    }

    /// The number of the number with this text. `packed` is its [`pack`].
    #[inline]
    pub(super) fn number_of(&mut self, text: &[u8], packed: u64) -> Result<u32, String> {
        match self.base.find(text, packed).or_else(|| self.added.tables.find(text, packed)) {
            Some(id) => Ok(id),
            None => self.new_number(text, packed),
        }
    }

    #[cold]
    fn new_number(&mut self, text: &[u8], packed: u64) -> Result<u32, String> {
        let number = match text.strip_prefix(b"$") {
            Some(name) => {
                let value = self.placeholders.get(name);
                let unknown = || format!("`{}` is not among the placeholders", String::from_utf8_lossy(text));
                numbers::parse(value.ok_or_else(unknown)?)?
            }
            None => numbers::parse(text)?,
        };
        let id = self.added.base_numbers + self.added.tables.numbers.len() as u32;
        self.added.tables.numbers.push(number);
        self.added.tables.insert(text, packed, id);
        self.added.texts.push(text.to_vec());
        Ok(id)
    }

    /// The weights of a choice with these numbers as probabilities.
    #[inline]
    pub(super) fn weights_of(&mut self, numbers: &[u32]) -> Result<Outcome, Unweighable> {
        match self.base.sequences.find(numbers).or_else(|| self.added.tables.sequences.find(numbers)) {
            Some(outcome) => Ok(outcome),
            None => self.new_sequence(numbers),
        }
    }

    #[cold]
    fn new_sequence(&mut self, numbers: &[u32]) -> Result<Outcome, Unweighable> {
        let probabilities: Vec<&Number> = numbers.iter().map(|id| self.number(*id)).collect();
        let weighed = self.weigh(&probabilities)?;
        let outcome = self.intern(weighed);
        self.added.tables.sequences.insert(numbers, outcome);
        Ok(outcome)
    }

    /// The weights of a choice with these probabilities, without a look at the table.
    pub(super) fn weights_of_values(&mut self, probabilities: &[&Number]) -> Result<Outcome, Unweighable> {
        let weighed = self.weigh(probabilities)?;
        Ok(self.intern(weighed))
    }

    fn weigh(&self, probabilities: &[&Number]) -> Result<Weighed, Unweighable> {
        let weighed = weigh(probabilities, self.budget.load(Ordering::Relaxed))?;
        let bytes = weighed.bytes();
        self.budget
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes))
            .map_err(|_| Unweighable::TooLarge)?;
        Ok(weighed)
    }

    fn intern(&mut self, weighed: Weighed) -> Outcome {
        let normalised = weighed.normalised;
        let weights = self.added.base_distributions + weighed.intern(&mut self.added.tables.distributions);
        Outcome { weights, normalised }
    }
}

/// Where the numbers that a chunk used are in the table after its additions were merged.
#[derive(Debug)]
pub(super) struct Renumbering {
    base_numbers: u32,
    numbers: Vec<u32>,
    base_distributions: u32,
    distributions: Vec<WeightsId>,
}

impl Renumbering {
    pub(super) fn number(&self, id: u32) -> u32 {
        id.checked_sub(self.base_numbers).map_or(id, |added| self.numbers[added as usize])
    }

    #[inline]
    pub(super) fn weights(&self, id: WeightsId) -> WeightsId {
        id.checked_sub(self.base_distributions).map_or(id, |added| self.distributions[added as usize])
    }
}

impl Tables {
    /// Adds what a chunk found.
    pub(super) fn merge(&mut self, added: Added) -> Renumbering {
        let mut numbers = Vec::with_capacity(added.texts.len());
        for (text, number) in added.texts.into_iter().zip(added.tables.numbers) {
            let packed = pack(&text);
            let id = self.find(&text, packed).unwrap_or_else(|| {
                let id = self.numbers.len() as u32;
                self.insert(&text, packed, id);
                self.numbers.push(number);
                id
            });
            numbers.push(id);
        }
        let distributions =
            added.tables.distributions.iter().map(|weights| self.distributions.adopt(weights)).collect();
        let renumbering = Renumbering {
            base_numbers: added.base_numbers,
            numbers,
            base_distributions: added.base_distributions,
            distributions,
        };
        let mut sequence = Vec::new();
        for (numbers, outcome) in added.tables.sequences.iter() {
            sequence.clear();
            sequence.extend(numbers.iter().map(|number| renumbering.number(*number)));
            let weights = renumbering.weights(outcome.weights);
            self.sequences.insert(&sequence, Outcome { weights, ..outcome });
        }
        renumbering
    }
}
