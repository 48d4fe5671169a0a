//! The weights of choices, each vector stored once.

use std::borrow::Cow;
use std::hash::BuildHasher;

use budget::Stopped;
use dashu_base::{BitTest, Gcd};
use dashu_int::UBig;
use dashu_ratio::RBig;
use hashbrown::{DefaultHashBuilder, HashTable};

use crate::memory::Memory;

/// The number of a weight vector.
pub type WeightsId = u32;

/// The weights of the outcomes of a choice: integers in lowest terms, each probability being a weight over the total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights<'a> {
    /// Weights whose total fits 64 bits.
    Small {
        /// One for each outcome, positive.
        weights: &'a [u64],
        /// Their sum.
        total: u64,
    },
    /// Weights whose total does not.
    Large {
        /// One for each outcome, positive.
        weights: &'a [UBig],
        /// Their sum.
        total: &'a UBig,
    },
}

impl Weights<'_> {
    /// How many outcomes there are.
    pub fn outcomes(&self) -> usize {
        match self {
            Self::Small { weights, .. } => weights.len(),
            Self::Large { weights, .. } => weights.len(),
        }
    }

    /// The exact probability of an outcome.
    ///
    /// # Panics
    /// When there is no such outcome.
    pub fn probability(&self, outcome: usize) -> RBig {
        match self {
            Self::Small { weights, total } => RBig::from_parts(weights[outcome].into(), (*total).into()),
            Self::Large { weights, total } => RBig::from_parts(weights[outcome].clone().into(), (*total).clone()),
        }
    }
}

/// All weight vectors of a model, numbered in the order of their first use.
#[derive(Clone, Debug, Default)]
pub struct Distributions {
    /// Where each vector begins in `pool`, or for a large one its index in `large`.
    starts: Vec<usize>,
    lens: Vec<u32>,
    /// The total of each vector; zero for a large one.
    totals: Vec<u64>,
    pool: Vec<u64>,
    large: Vec<(Vec<UBig>, UBig)>,
    known: HashTable<WeightsId>,
    known_large: HashTable<WeightsId>,
    hasher: DefaultHashBuilder,
}

impl PartialEq for Distributions {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && (0..self.next_id()).all(|id| self.get(id) == other.get(id))
    }
}

impl Eq for Distributions {}

impl Distributions {
    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.totals.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.totals.is_empty()
    }

    /// A vector.
    ///
    /// # Panics
    /// When `id` is not in this table.
    #[inline]
    pub fn get(&self, id: WeightsId) -> Weights<'_> {
        let (start, total) = (self.starts[id as usize], self.totals[id as usize]);
        if total == 0 {
            let (weights, total) = &self.large[start];
            return Weights::Large { weights, total };
        }
        Weights::Small { weights: &self.pool[start..start + self.lens[id as usize] as usize], total }
    }

    /// All vectors in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Weights<'_>> {
        (0..self.next_id()).map(|id| self.get(id))
    }

    /// Bytes that the vectors take.
    pub fn bytes(&self) -> u64 {
        let words = self.starts.capacity() + self.lens.capacity() / 2 + self.totals.capacity() + self.pool.capacity();
        let tables = self.known.allocation_size() + self.known_large.allocation_size();
        let large: u64 = self.large.iter().map(|(weights, total)| large_bytes(weights, total)).sum();
        8 * words as u64 + tables as u64 + large
    }

    /// The number of the vector with these weights, which is added if it is new. The weights must be positive and at
    /// least one. Memory is requested from `memory`.
    pub(crate) fn intern(&mut self, weights: &[u64], memory: &Memory<'_>) -> Result<WeightsId, Stopped> {
        let Some(total) = weights.iter().try_fold(0u64, |sum, weight| sum.checked_add(*weight)) else {
            return self.intern_large(weights.iter().map(|weight| UBig::from(*weight)).collect(), memory);
        };
        let mut common = total;
        for weight in weights {
            if common == 1 {
                return self.intern_reduced(weights, total, memory);
            }
            common = common.gcd(*weight);
        }
        let reduced: Vec<u64> = weights.iter().map(|weight| weight / common).collect();
        self.intern_reduced(&reduced, total / common, memory)
    }

    fn intern_reduced(&mut self, weights: &[u64], total: u64, memory: &Memory<'_>) -> Result<WeightsId, Stopped> {
        let slice = |id: WeightsId| &self.pool[self.starts[id as usize]..][..self.lens[id as usize] as usize];
        let hash = self.hasher.hash_one(weights);
        if let Some(id) = self.known.find(hash, |id| slice(*id) == weights) {
            return Ok(*id);
        }
        self.make_room(weights.len(), memory)?;
        memory.grow_table(self.known.len(), self.known.capacity(), self.known.allocation_size())?;
        let id = self.next_id();
        let (starts, lens, pool, hasher) = (&mut self.starts, &mut self.lens, &mut self.pool, &self.hasher);
        starts.push(pool.len());
        lens.push(u32::try_from(weights.len()).expect("a choice has fewer outcomes than there are states"));
        pool.extend_from_slice(weights);
        self.totals.push(total);
        self.known.insert_unique(hash, id, |id| {
            hasher.hash_one(&pool[starts[*id as usize]..][..lens[*id as usize] as usize])
        });
        Ok(id)
    }

    /// The number of the next vector. There are at most as many as choices.
    fn next_id(&self) -> WeightsId {
        u32::try_from(self.totals.len()).expect("fewer vectors than choices")
    }

    /// Makes room for one more vector, with this many weights in the pool.
    fn make_room(&mut self, pooled: usize, memory: &Memory<'_>) -> Result<(), Stopped> {
        memory.grow(&mut self.starts, 1, usize::MAX)?;
        memory.grow(&mut self.lens, 1, usize::MAX)?;
        memory.grow(&mut self.totals, 1, usize::MAX)?;
        memory.grow(&mut self.pool, pooled, usize::MAX)
    }

    /// [`intern`](Self::intern) for weights of any size.
    pub(crate) fn intern_large(&mut self, mut weights: Vec<UBig>, memory: &Memory<'_>) -> Result<WeightsId, Stopped> {
        // Starting with the smallest keeps the numbers small.
        let mut common = weights.iter().min().expect("at least one weight").clone();
        for weight in &weights {
            if common == UBig::ONE {
                break;
            }
            memory.step()?;
            common = common.gcd(weight);
        }
        let mut total = UBig::ZERO;
        for weight in &mut weights {
            memory.step()?;
            if common != UBig::ONE {
                *weight /= &common;
            }
            total += &*weight;
        }
        if let Ok(total) = u64::try_from(&total) {
            let small: Vec<u64> = weights.iter().filter_map(|weight| u64::try_from(weight).ok()).collect();
            return self.intern_reduced(&small, total, memory);
        }
        self.add_large(Cow::Owned(weights), Cow::Owned(total), memory)
    }

    fn add_large(
        &mut self,
        weights: Cow<'_, [UBig]>,
        total: Cow<'_, UBig>,
        memory: &Memory<'_>,
    ) -> Result<WeightsId, Stopped> {
        let hash = self.hasher.hash_one(&*weights);
        let of = |id: &WeightsId| &self.large[self.starts[*id as usize]].0;
        if let Some(id) = self.known_large.find(hash, |id| *of(id) == *weights) {
            return Ok(*id);
        }
        self.make_room(0, memory)?;
        let table = &self.known_large;
        memory.grow_table(table.len(), table.capacity(), table.allocation_size())?;
        memory.grow(&mut self.large, 1, usize::MAX)?;
        memory.take(large_bytes(&weights, &total))?;
        let id = self.next_id();
        self.starts.push(self.large.len());
        self.lens.push(u32::try_from(weights.len()).expect("a choice has fewer outcomes than there are states"));
        self.totals.push(0);
        self.large.push((weights.into_owned(), total.into_owned()));
        let (starts, large, hasher) = (&self.starts, &self.large, &self.hasher);
        self.known_large.insert_unique(hash, id, |id| hasher.hash_one(&*large[starts[*id as usize]].0));
        Ok(id)
    }

    /// The number in this table of a vector of another table, which is added if it is new.
    pub(crate) fn adopt(&mut self, weights: Weights<'_>, memory: &Memory<'_>) -> Result<WeightsId, Stopped> {
        match weights {
            Weights::Small { weights, total } => self.intern_reduced(weights, total, memory),
            Weights::Large { weights, total } => self.add_large(Cow::Borrowed(weights), Cow::Borrowed(total), memory),
        }
    }
}

/// Bytes that a vector of large weights takes.
fn large_bytes(weights: &[UBig], total: &UBig) -> u64 {
    let heap = |number: &UBig| if number.bit_len() > 128 { number.bit_len() as u64 / 8 + 16 } else { 0 };
    let each = size_of::<UBig>() as u64;
    weights.iter().map(|weight| each + heap(weight)).sum::<u64>() + heap(total)
}

#[cfg(test)]
mod tests;
