//! Tables of the payoffs and rewards of a model, each stored once.

use dashu_base::UnsignedAbs;
use rustc_hash::FxHashMap;

use crate::numbers::Rational;
use crate::support::id;

/// The payoffs of finished states, each list stored once.
#[derive(Clone, Debug, Default)]
pub(crate) struct PayoffTable {
    lists: Vec<Vec<Rational>>,
    /// Bytes of the lists, which are stored twice.
    pub(crate) bytes: u64,
    known: FxHashMap<Vec<Rational>, u32>,
}

/// The rewards of choices, each stored once.
#[derive(Clone, Debug, Default)]
pub(crate) struct RewardTable {
    values: Vec<Rational>,
    /// Bytes of the values, which are stored twice.
    pub(crate) bytes: u64,
    known: FxHashMap<Rational, u32>,
}

/// Bytes of a fraction.
fn bytes_of(value: &Rational) -> u64 {
    let words = value.numerator().unsigned_abs().as_words().len() + value.denominator().as_words().len();
    (size_of::<Rational>() + words * 8) as u64
}

impl PayoffTable {
    /// The number of a list.
    pub(crate) fn intern(&mut self, list: &[Rational]) -> u32 {
        if let Some(id) = self.find(list) {
            return id;
        }
        let id = id(self.lists.len());
        let list_bytes = size_of::<Vec<Rational>>() as u64 + list.iter().map(bytes_of).sum::<u64>();
        self.bytes += 2 * list_bytes + 8;
        self.lists.push(list.to_vec());
        self.known.insert(list.to_vec(), id);
        id
    }

    /// The number of a list that is already in the table.
    pub(crate) fn find(&self, list: &[Rational]) -> Option<u32> {
        self.known.get(list).copied()
    }

    /// All lists, by number.
    pub(crate) fn lists(&self) -> &[Vec<Rational>] {
        &self.lists
    }
}

impl RewardTable {
    /// The number of a reward that is already in the table.
    pub(crate) fn find(&self, value: &Rational) -> Option<u32> {
        self.known.get(value).copied()
    }

    /// The number of a reward.
    pub(crate) fn intern(&mut self, value: &Rational) -> u32 {
        if let Some(id) = self.find(value) {
            return id;
        }
        let id = id(self.values.len());
        self.bytes += 2 * bytes_of(value) + 8;
        self.values.push(value.clone());
        self.known.insert(value.clone(), id);
        id
    }

    /// All rewards, by number.
    pub(crate) fn values(&self) -> &[Rational] {
        &self.values
    }
}
