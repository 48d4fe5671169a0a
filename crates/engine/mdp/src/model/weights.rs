//! Weight vectors, each stored once.
//!
//! Many chance nodes of a game have the same weights: those of a die, or of a wheel. A node stores the number of its
//! weight vector only; the vectors (integers for exact work, probabilities for floating point) are few and stay in the
//! processor's cache.

use dashu_base::{Approximation, Gcd};
use dashu_int::UBig;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

use super::weight::Meaning;
use crate::numbers::{Rational, nearest};
use crate::support::id as id_of;
use crate::support::{about, to_index};

/// The number of a weight vector in its [`WeightTable`].
pub type WeightsId = u32;

/// The vector `[1]`: a certain outcome.
pub(crate) const CERTAIN: WeightsId = 0;

/// Weight numbers must fit a header word of [`Model`](crate::Model).
const MOST_VECTORS: usize = 1 << 29;

/// The table has no room for another vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooManyWeights;

/// All weight vectors of a model. Those that are chances are in lowest terms (their greatest common divisor is 1).
#[derive(Clone, Debug)]
pub struct WeightTable {
    /// Where each vector begins in the pools; one more entry than vectors.
    starts: Vec<u32>,
    /// Weights; for a vector in `large`, its index there.
    pool: Vec<u64>,
    /// Each weight over its total, rounded to nearest: relative error at most 2^-53 (except for subnormal ones).
    probabilities: Vec<f64>,
    /// Zero for the vectors in `large`.
    totals: Vec<u64>,
    /// The meaning of each vector.
    meanings: Vec<Meaning>,
    /// The vectors whose total does not fit 64 bits; the pool holds the index of each.
    large: Vec<LargeWeights>,
    known_large: FxHashMap<(Meaning, Vec<UBig>), WeightsId>,
    /// Looks up vectors as they were given, in lowest terms or not.
    known: HashTable<Alias>,
    aliases: Vec<u64>,
}

#[derive(Clone, Debug)]
struct LargeWeights {
    weights: Vec<UBig>,
    total: UBig,
    /// Whether a probability is below the normal range of `f64`: not within 2^-53.
    subnormal: bool,
}

/// A vector as it was given (in `aliases`) and its number.
#[derive(Clone, Copy, Debug)]
struct Alias {
    start: u32,
    len: u32,
    meaning: Meaning,
    id: WeightsId,
}

/// The weights of one vector.
#[derive(Clone, Copy, Debug)]
pub enum WeightSlice<'a> {
    /// Weights and their total.
    Small(&'a [u64], u64),
    /// The same for totals of more than 64 bits.
    Large(&'a [UBig], &'a UBig),
}

impl Default for WeightTable {
    fn default() -> Self {
        Self::new()
    }
}

fn hash_of(meaning: Meaning, weights: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    (meaning, weights).hash(&mut hasher);
    hasher.finish()
}

impl WeightTable {
    /// A table that holds [`CERTAIN`] only.
    pub(crate) fn new() -> Self {
        let mut table = Self {
            starts: vec![0],
            pool: Vec::new(),
            probabilities: Vec::new(),
            totals: Vec::new(),
            meanings: Vec::new(),
            large: Vec::new(),
            known_large: FxHashMap::default(),
            known: HashTable::new(),
            aliases: Vec::new(),
        };
        table.push(Meaning::Chance, &[1], 1);
        table
    }

    /// How many vectors there are.
    pub fn vectors(&self) -> usize {
        self.totals.len()
    }

    /// The numbers of all vectors.
    pub(crate) fn ids(&self) -> impl Iterator<Item = WeightsId> {
        (0..).take(self.vectors())
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let flat = self.starts.capacity() * 4
            + self.pool.capacity() * 8
            + self.probabilities.capacity() * 8
            + self.totals.capacity() * 8
            + self.meanings.capacity() * size_of::<Meaning>()
            + self.known.allocation_size()
            + self.aliases.capacity() * 8;
        let large: usize = self
            .large
            .iter()
            .map(|large| {
                2 * large.weights.iter().map(|weight| size_of::<UBig>() + weight.as_words().len() * 8).sum::<usize>()
            })
            .sum();
        (flat + large) as u64
    }

    /// The number of a vector that is already in the table. The weights are positive, at least two.
    #[inline]
    pub(crate) fn find(&self, meaning: Meaning, weights: &[u64]) -> Option<WeightsId> {
        let same = |alias: &Alias| alias.meaning == meaning && self.alias(*alias) == weights;
        self.known.find(hash_of(meaning, weights), same).map(|alias| alias.id)
    }

    #[inline]
    fn alias(&self, alias: Alias) -> &[u64] {
        &self.aliases[alias.start as usize..][..alias.len as usize]
    }

    /// The number of the vector with these weights (all positive) and this meaning, added if it is new.
    ///
    /// # Errors
    /// [`TooManyWeights`] when the table is full.
    pub(crate) fn intern(&mut self, meaning: Meaning, weights: &[u64]) -> Result<WeightsId, TooManyWeights> {
        if weights.len() == 1 {
            return Ok(CERTAIN);
        }
        if let Some(id) = self.find(meaning, weights) {
            return Ok(id);
        }
        let Some(total) = weights.iter().try_fold(0u64, |sum, weight| sum.checked_add(*weight)) else {
            return self.intern_large(meaning, &weights.iter().map(|weight| UBig::from(*weight)).collect::<Vec<_>>());
        };
        let common = match meaning {
            Meaning::Chance => weights.iter().fold(total, |common, weight| common.gcd(*weight)),
            Meaning::Own(_) => 1,
        };
        let id = if common == 1 {
            self.room_for(weights.len())?;
            self.push(meaning, weights, total)
        } else {
            let reduced: Vec<u64> = weights.iter().map(|weight| weight / common).collect();
            self.intern(meaning, &reduced)?
        };
        let start = u32::try_from(self.aliases.len()).map_err(|_| TooManyWeights)?;
        self.aliases.extend_from_slice(weights);
        let alias = Alias { start, len: id_of(weights.len()), meaning, id };
        let aliases = &self.aliases;
        self.known.insert_unique(hash_of(meaning, weights), alias, |alias| {
            hash_of(alias.meaning, &aliases[alias.start as usize..][..alias.len as usize])
        });
        Ok(id)
    }

    /// [`intern`](Self::intern) for weights of any size.
    ///
    /// # Errors
    /// [`TooManyWeights`] when the table is full.
    pub(crate) fn intern_large(&mut self, meaning: Meaning, weights: &[UBig]) -> Result<WeightsId, TooManyWeights> {
        let common = match meaning {
            Meaning::Chance => weights.iter().skip(1).fold(weights[0].clone(), Gcd::gcd),
            Meaning::Own(_) => UBig::ONE,
        };
        let weights: Vec<UBig> = weights.iter().map(|weight| weight / &common).collect();
        let total: UBig = weights.iter().sum();
        if u64::try_from(&total).is_ok() {
            let small: Vec<u64> = weights.iter().filter_map(|weight| u64::try_from(weight).ok()).collect();
            return self.intern(meaning, &small);
        }
        let key = (meaning, weights);
        if let Some(id) = self.known_large.get(&key) {
            return Ok(*id);
        }
        let weights = key.1.clone();
        self.room_for(weights.len())?;
        let id = id_of(self.totals.len());
        self.pool.extend(weights.iter().map(|_| self.large.len() as u64));
        let first = self.probabilities.len();
        self.probabilities
            .extend(weights.iter().map(|weight| nearest(&Rational::from_parts(weight.clone().into(), total.clone()))));
        // The smallest normal number may be rounded from a smaller one.
        let subnormal = self.probabilities[first..].iter().any(|probability| *probability <= f64::MIN_POSITIVE);
        self.starts.push(id_of(self.pool.len()));
        self.totals.push(0);
        self.meanings.push(meaning);
        self.known_large.insert(key, id);
        self.large.push(LargeWeights { weights, total, subnormal });
        Ok(id)
    }

    fn room_for(&self, more: usize) -> Result<(), TooManyWeights> {
        let fits = self.totals.len() < MOST_VECTORS && u32::try_from(self.pool.len() + more).is_ok();
        if fits { Ok(()) } else { Err(TooManyWeights) }
    }

    fn push(&mut self, meaning: Meaning, weights: &[u64], total: u64) -> WeightsId {
        let id = id_of(self.totals.len());
        self.pool.extend_from_slice(weights);
        self.probabilities.extend(weights.iter().map(|weight| quotient(*weight, total)));
        self.starts.push(id_of(self.pool.len()));
        self.totals.push(total);
        self.meanings.push(meaning);
        id
    }

    /// How many outcomes a vector has.
    #[inline]
    pub fn count(&self, id: WeightsId) -> usize {
        (self.starts[id as usize + 1] - self.starts[id as usize]) as usize
    }

    /// The meaning of a vector.
    #[inline]
    pub fn meaning(&self, id: WeightsId) -> Meaning {
        self.meanings[id as usize]
    }

    /// Whether a probability of a vector is below the normal range of `f64` (about 2.2e-308), so that
    /// [`probabilities`](Self::probabilities) has it with an error beyond 2^-53, or as 0.
    #[inline]
    pub(crate) fn is_subnormal(&self, id: WeightsId) -> bool {
        self.totals[id as usize] == 0 && self.large[to_index(self.pool[self.starts[id as usize] as usize])].subnormal
    }

    /// The probabilities of a vector, each within a relative error of 2^-53 unless it is below the normal range.
    #[inline]
    pub fn probabilities(&self, id: WeightsId) -> &[f64] {
        &self.probabilities[self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize]
    }

    /// The integer weights of a vector.
    #[inline]
    pub fn weights(&self, id: WeightsId) -> WeightSlice<'_> {
        let total = self.totals[id as usize];
        if total == 0 {
            let large = &self.large[to_index(self.pool[self.starts[id as usize] as usize])];
            return WeightSlice::Large(&large.weights, &large.total);
        }
        WeightSlice::Small(&self.pool[self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize], total)
    }

    /// The sum of a vector's weights.
    pub fn total(&self, id: WeightsId) -> UBig {
        match self.weights(id) {
            WeightSlice::Small(_, total) => total.into(),
            WeightSlice::Large(_, total) => total.clone(),
        }
    }

    /// A vector's weights as big integers.
    pub fn weight_list(&self, id: WeightsId) -> Vec<UBig> {
        match self.weights(id) {
            WeightSlice::Small(weights, _) => weights.iter().map(|weight| UBig::from(*weight)).collect(),
            WeightSlice::Large(weights, _) => weights.to_vec(),
        }
    }
}

/// `weight / total`, rounded to nearest also where one of them has more than 53 bits.
fn quotient(weight: u64, total: u64) -> f64 {
    const EXACT: u64 = 1 << 53;
    if weight <= EXACT && total <= EXACT {
        return about(weight) / about(total);
    }
    match Rational::from_parts(weight.into(), total.into()).to_f64() {
        Approximation::Exact(value) | Approximation::Inexact(value, _) => value,
    }
}

#[cfg(test)]
mod tests;
