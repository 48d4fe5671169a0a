//! Conversions between indices and numbers of 32 bits.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::iter::repeat_n;
use rayon::prelude::*;

use super::pool::FEW_STATES;

/// An index as a number of 32 bits: a model has fewer than 2^32 states, weight vectors, and outcomes of a choice, and a
/// component fewer nodes and options.
#[inline]
pub(crate) fn id(index: usize) -> u32 {
    debug_assert!(u32::try_from(index).is_ok());
    #[expect(clippy::cast_possible_truncation, reason = "fewer than 2^32, see above")]
    let id = index as u32;
    id
}

/// An index that was stored in 64 bits; it came from an index in memory.
#[inline]
pub(crate) fn to_index(stored: u64) -> usize {
    debug_assert!(usize::try_from(stored).is_ok());
    #[expect(clippy::cast_possible_truncation, reason = "it was a place in memory, or has been checked to be one")]
    let index = stored as usize;
    index
}

/// The low and the high half.
#[inline]
pub(crate) fn halves(wide: u128) -> (u64, u64) {
    const LOW: u128 = (1 << 64) - 1;
    ((wide & LOW) as u64, (wide >> 64) as u64)
}

/// `count` copies of a value. All threads write it: the first thread to write to memory waits for the system to provide
/// it.
pub(crate) fn filled<T: Clone + Send + Sync>(value: T, count: usize) -> Vec<T> {
    if count < FEW_STATES || rayon::current_num_threads() == 1 {
        return vec![value; count];
    }
    repeat_n(value, count).with_min_len(FEW_STATES).collect()
}

/// The inverse of a permutation-like map: for each number below `count` the index with that number; `number` gives the
/// number at an index.
pub(crate) fn inverse(count: usize, number: impl Fn(usize) -> u32 + Sync) -> Vec<u32> {
    let zeros = (0..count).into_par_iter().with_min_len(FEW_STATES).map(|_| AtomicU32::new(0));
    let indices: Vec<AtomicU32> = zeros.collect();
    let write = |index| indices[number(index) as usize].store(id(index), Ordering::Relaxed);
    (0..count).into_par_iter().with_min_len(FEW_STATES).for_each(write);
    indices.into_iter().map(AtomicU32::into_inner).collect()
}

/// How many bits a word of a set has.
pub(crate) const BITS: usize = u64::BITS as usize;

/// The positions of the bits that are set in a word, the lowest first.
#[inline]
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (word != 0).then(|| word.trailing_zeros());
        word &= word.wrapping_sub(1);
        lowest
    })
}

/// A count as a floating-point number, for estimates and means.
#[inline]
pub(crate) fn about(count: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "to nearest is near enough, and exact below 2^53")]
    let about = count as f64;
    about
}
