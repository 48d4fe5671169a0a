//! The weights of choices, each vector stored once.

use std::hash::BuildHasher;

use dashu_base::Gcd;
use dashu_int::UBig;
use dashu_ratio::RBig;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

/// The number of a weight vector.
pub type WeightsId = u32;

/// How likely the outcomes of a choice are: integer weights over their total, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights<'a> {
    /// Weights whose total fits 64 bits.
    Small {
        /// One for each outcome, positive.
        weights: &'a [u64],
        /// Their sum.
        total: u64,
    },
    /// Weights that need more.
    Large {
        /// One for each outcome, positive.
        weights: &'a [UBig],
        /// Their sum.
        total: &'a UBig,
    },
}

impl Weights<'_> {
    /// How many outcomes there are.
    #[expect(clippy::len_without_is_empty, reason = "a choice has at least one outcome")]
    pub fn len(&self) -> usize {
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
    /// Where each vector begins in `pool`, or for a large one its place in `large`.
    starts: Vec<usize>,
    lens: Vec<u32>,
    /// Zero for a large one.
    totals: Vec<u64>,
    pool: Vec<u64>,
    large: Vec<(Vec<UBig>, UBig)>,
    known: HashTable<WeightsId>,
    known_large: HashMap<Vec<UBig>, WeightsId>,
    hasher: DefaultHashBuilder,
}

impl PartialEq for Distributions {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && (0..self.len() as u32).all(|id| self.get(id) == other.get(id))
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
    /// When `id` is not of this table.
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
        (0..self.len() as WeightsId).map(|id| self.get(id))
    }

    /// The number of the vector with these weights, added when it is new. The weights must be
    /// positive and at least one.
    pub(crate) fn intern(&mut self, weights: &[u64]) -> WeightsId {
        let Some(total) = weights.iter().try_fold(0u64, |sum, weight| sum.checked_add(*weight)) else {
            return self.intern_large(weights.iter().map(|weight| UBig::from(*weight)).collect());
        };
        let common = weights.iter().fold(total, |common, weight| common.gcd(*weight));
        if common == 1 {
            return self.intern_reduced(weights, total);
        }
        let reduced: Vec<u64> = weights.iter().map(|weight| weight / common).collect();
        self.intern_reduced(&reduced, total / common)
    }

    fn intern_reduced(&mut self, weights: &[u64], total: u64) -> WeightsId {
        let slice = |id: WeightsId| &self.pool[self.starts[id as usize]..][..self.lens[id as usize] as usize];
        let hash = self.hasher.hash_one(weights);
        if let Some(id) = self.known.find(hash, |id| slice(*id) == weights) {
            return *id;
        }
        let id = self.totals.len() as WeightsId;
        let (starts, lens, pool, hasher) = (&mut self.starts, &mut self.lens, &mut self.pool, &self.hasher);
        starts.push(pool.len());
        lens.push(weights.len() as u32);
        pool.extend_from_slice(weights);
        self.totals.push(total);
        self.known.insert_unique(hash, id, |id| {
            hasher.hash_one(&pool[starts[*id as usize]..][..lens[*id as usize] as usize])
        });
        id
    }

    /// [`intern`](Self::intern) for weights of any size.
    pub(crate) fn intern_large(&mut self, mut weights: Vec<UBig>) -> WeightsId {
        let common = weights.iter().skip(1).fold(weights[0].clone(), Gcd::gcd);
        if common != UBig::ONE {
            for weight in &mut weights {
                *weight /= &common;
            }
        }
        let total: UBig = weights.iter().sum();
        if let Ok(total) = u64::try_from(&total) {
            let small: Vec<u64> = weights.iter().filter_map(|weight| u64::try_from(weight).ok()).collect();
            return self.intern_reduced(&small, total);
        }
        if let Some(id) = self.known_large.get(&weights) {
            return *id;
        }
        let id = self.totals.len() as WeightsId;
        self.starts.push(self.large.len());
        self.lens.push(weights.len() as u32);
        self.totals.push(0);
        self.known_large.insert(weights.clone(), id);
        self.large.push((weights, total));
        id
    }

    /// The number that a vector of another table has, or gets, in this one.
    pub(crate) fn adopt(&mut self, weights: Weights<'_>) -> WeightsId {
        match weights {
            Weights::Small { weights, total } => self.intern_reduced(weights, total),
            Weights::Large { weights, .. } => self.intern_large(weights.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_chances_are_one_vector() {
        let mut table = Distributions::default();
        let coin = table.intern(&[1, 1]);
        assert_eq!(table.intern(&[5, 5]), coin);
        assert_eq!(table.intern_large(vec![UBig::ONE << 300, UBig::ONE << 300]), coin);
        assert_eq!(table.intern(&[u64::MAX, u64::MAX]), coin);
        let uneven = table.intern_large(vec![UBig::ONE << 300, UBig::ONE]);
        assert_eq!(table.intern_large(vec![UBig::ONE << 301, UBig::from(2u8)]), uneven);
        assert_eq!(table.len(), 2);
        assert_eq!(table.get(coin).probability(1), RBig::from_parts(1.into(), 2u8.into()));
    }
}
