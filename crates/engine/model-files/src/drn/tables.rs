//! Tables of texts of numbers and of sequences of numbers, each parsed once.
//!
//! A file of ten million transitions has few different probabilities. A table maps the text of a number to the number
//! of the number, and the sequence of numbers of a choice to its weights. While a block of the file is parsed by
//! several threads, the table of all earlier blocks is only read; new entries go into an overlay for each chunk, and
//! overlays are merged into the table in the order of the file. So the result does not depend on the speed of threads.

use budget::Stopped;
use hashbrown::HashMap;

use crate::distributions::{Distributions, WeightsId};
use crate::memory::{Memory, number_bytes};
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
    /// Bytes that were requested for all of this.
    fn bytes(&self) -> u64 {
        let numbers: u64 = self.numbers.iter().map(|number| number_bytes(&number.value)).sum();
        let texts: u64 = self.long.keys().map(|text| text.len() as u64 + 16).sum();
        let tables = self.short.allocation_size() + self.long.allocation_size();
        let places = self.numbers.capacity() * size_of::<Number>();
        numbers + texts + (tables + places) as u64 + self.sequences.bytes() + self.distributions.bytes()
    }

    fn find(&self, text: &[u8], packed: u64) -> Option<u32> {
        if text.len() <= 8 { self.short.get(&packed).copied() } else { self.long.get(text).copied() }
    }

    /// Adds a number that is not in the table yet, and returns its number.
    fn insert(&mut self, text: &[u8], packed: u64, number: Number, memory: &Memory<'_>) -> Result<u32, Stopped> {
        memory.step()?;
        memory.grow(&mut self.numbers, 1, usize::MAX)?;
        memory.take(number_bytes(&number.value))?;
        // A text takes more than four bytes.
        let id = u32::try_from(self.numbers.len()).expect("fewer numbers than transitions and rewards");
        if text.len() <= 8 {
            let table = &self.short;
            memory.grow_table(table.len(), table.capacity(), table.allocation_size())?;
            self.short.insert(packed, id);
        } else {
            let table = &self.long;
            memory.grow_table(table.len(), table.capacity(), table.allocation_size())?;
            memory.take(text.len() as u64 + 16)?;
            self.long.insert(text.to_vec(), id);
        }
        self.numbers.push(number);
        Ok(id)
    }
}

/// Why a text has no number.
pub(super) enum NoNumber {
    /// What is wrong with the text.
    Text(String),
    /// The budget stopped the run.
    Stopped(Stopped),
}

impl From<Stopped> for NoNumber {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// A text of up to 8 bytes as one word, which identifies it; longer texts have none.
#[inline]
pub(super) fn pack(text: &[u8]) -> u64 {
    text.iter().fold(0, |packed, byte| packed << 8 | u64::from(*byte))
}

/// The table as one chunk sees it: the entries known before, and those that the chunk adds.
#[derive(Debug)]
pub(super) struct Overlay<'a> {
    base: &'a Tables,
    added: Added,
    placeholders: &'a HashMap<Vec<u8>, Vec<u8>>,
    memory: &'a Memory<'a>,
}

/// The entries that a chunk adds to the table.
#[derive(Debug, Default)]
pub(super) struct Added {
    tables: Tables,
    /// The texts of the added numbers.
    texts: Vec<Vec<u8>>,
    base_numbers: u32,
    base_distributions: u32,
    /// Bytes that were requested for memory not counted elsewhere.
    pub(super) taken: u64,
}

impl Added {
    fn find(&self, text: &[u8], packed: u64) -> Option<u32> {
        self.tables.find(text, packed).map(|id| self.base_numbers + id)
    }
}

impl<'a> Overlay<'a> {
    pub(super) fn new(base: &'a Tables, placeholders: &'a HashMap<Vec<u8>, Vec<u8>>, memory: &'a Memory<'a>) -> Self {
        let count = |count: usize| u32::try_from(count).expect("what has a number has one of 32 bits");
        let added = Added {
            base_numbers: count(base.numbers.len()),
            base_distributions: count(base.distributions.len()),
            ..Added::default()
        };
        Self { base, added, placeholders, memory }
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
    pub(super) fn number_of(&mut self, text: &[u8], packed: u64) -> Result<u32, NoNumber> {
        match self.base.find(text, packed).or_else(|| self.added.find(text, packed)) {
            Some(id) => Ok(id),
            None => self.new_number(text, packed),
        }
    }

    #[cold]
    fn new_number(&mut self, text: &[u8], packed: u64) -> Result<u32, NoNumber> {
        let number = match text.strip_prefix(b"$") {
            Some(name) => {
                let value = self.placeholders.get(name);
                let unknown = || format!("`{}` is not among the placeholders", String::from_utf8_lossy(text));
                numbers::parse(value.ok_or_else(unknown).map_err(NoNumber::Text)?)
            }
            None => numbers::parse(text),
        };
        let number = number.map_err(NoNumber::Text)?;
        let bytes = text.len() as u64 + 2 * size_of::<Vec<u8>>() as u64;
        self.memory.take(bytes)?;
        self.added.taken += bytes;
        let id = self.added.tables.insert(text, packed, number, self.memory)?;
        self.added.texts.push(text.to_vec());
        Ok(self.added.base_numbers + id)
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
        self.memory.room(size_of_val(numbers) as u64 * 2)?;
        let probabilities: Vec<&Number> = numbers.iter().map(|id| self.number(*id)).collect();
        let weighed = weigh(&probabilities, self.memory)?;
        let outcome = self.intern(weighed)?;
        self.added.tables.sequences.insert(numbers, outcome, self.memory)?;
        Ok(outcome)
    }

    /// The weights of a choice with these probabilities, without the table.
    pub(super) fn weights_of_values(&mut self, probabilities: &[&Number]) -> Result<Outcome, Unweighable> {
        let weighed = weigh(probabilities, self.memory)?;
        Ok(self.intern(weighed)?)
    }

    fn intern(&mut self, weighed: Weighed) -> Result<Outcome, Stopped> {
        let normalised = weighed.normalised;
        let added = weighed.intern(&mut self.added.tables.distributions, self.memory)?;
        Ok(Outcome { weights: self.added.base_distributions + added, normalised })
    }
}

/// The indices in the merged table of the numbers that a chunk used.
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
    /// Adds the entries of a chunk.
    pub(super) fn merge(&mut self, added: Added, memory: &Memory<'_>) -> Result<Renumbering, Stopped> {
        let bytes = added.tables.bytes();
        let mut numbers = Vec::with_capacity(added.texts.len());
        for (text, number) in added.texts.into_iter().zip(added.tables.numbers) {
            let packed = pack(&text);
            numbers.push(match self.find(&text, packed) {
                Some(id) => id,
                None => self.insert(&text, packed, number, memory)?,
            });
        }
        let distributions = added.tables.distributions.iter();
        let distributions = distributions.map(|weights| self.distributions.adopt(weights, memory));
        let distributions = distributions.collect::<Result<_, _>>()?;
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
            self.sequences.insert(&sequence, Outcome { weights, ..outcome }, memory)?;
        }
        memory.give_back(bytes);
        Ok(renumbering)
    }
}
