//! The workspace of each thread of the exact sweep: cached factors, and buffers.

use dashu_int::UBig;
use rustc_hash::FxHashMap;

use super::classes::Latest;
use crate::solution::ClassId;

/// The factor that brings a group of terms to the denominator of their state.
#[derive(Clone, Debug)]
pub(super) enum Factor {
    One,
    Small(u64),
    Large(UBig),
}

/// The class of a state, the total of a choice (by its number), and the class of a group of targets.
type Key = (ClassId, u32, ClassId);

/// The workspace of a thread: cached factors, and buffers.
pub(super) struct Workspace {
    pub(super) factors: Vec<(Key, Factor)>,
    known: FxHashMap<Key, u32>,
    /// Bytes of the factors, approximately.
    factor_bytes: usize,
    /// The indices in `factors` of the latest ones.
    latest: [u32; Self::LATEST],
    /// Classes that were looked up before: joined, and multiplied.
    pub(super) looked_up: [Latest; 2],
    pub(super) group: Vec<u64>,
    pub(super) other: Vec<u64>,
}

impl Default for Workspace {
    fn default() -> Self {
        let factors = vec![((ClassId::WHOLE, u32::MAX, ClassId::WHOLE), Factor::One)];
        Self {
            factors,
            known: FxHashMap::default(),
            factor_bytes: 0,
            latest: [0; Self::LATEST],
            looked_up: Default::default(),
            group: Vec::new(),
            other: Vec::new(),
        }
    }
}

impl Workspace {
    const LATEST: usize = 256;
    /// Factors are dropped, and computed again when needed, when they take more than this.
    const MOST_BYTES: usize = 64 << 20;

    /// Limits the memory of the factors.
    pub(super) fn tidy(&mut self) {
        if self.factor_bytes > Self::MOST_BYTES {
            let looked_up = std::mem::take(&mut self.looked_up);
            *self = Self { looked_up, ..Self::default() };
        }
    }

    /// The index of a factor in `factors`.
    #[inline]
    pub(super) fn factor(&mut self, key: Key, make: impl FnOnce() -> Factor) -> usize {
        let slot = (key.0.number().wrapping_mul(37) ^ key.1.wrapping_mul(5) ^ key.2.number()) as usize % Self::LATEST;
        let latest = self.latest[slot] as usize;
        if self.factors[latest].0 == key {
            return latest;
        }
        let index = *self.known.entry(key).or_insert_with(|| {
            let factor = make();
            let long = if let Factor::Large(factor) = &factor { factor.as_words().len() * 8 } else { 0 };
            // The entry here and the one in the table.
            self.factor_bytes += 2 * size_of::<(Key, Factor)>() + long;
            self.factors.push((key, factor));
            u32::try_from(self.factors.len() - 1).unwrap_or(0)
        });
        self.latest[slot] = index;
        index as usize
    }
}
