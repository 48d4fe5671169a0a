//! Places in memory as numbers of 32 bits, and back.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::iter::repeat_n;
use rayon::prelude::*;

use super::pool::FEW_STATES;

/// The number of what stands at this place: a model has fewer than 2^32 states, weight vectors, and outcomes of a
/// choice, and a cyclic part as few nodes and options.
#[inline]
pub(crate) fn id(place: usize) -> u32 {
    debug_assert!(u32::try_from(place).is_ok());
    #[expect(clippy::cast_possible_truncation, reason = "fewer than 2^32, as said above")]
    let id = place as u32;
    id
}

/// The place that stands in 64 bits: whatever is stored there came from a place in memory.
#[inline]
pub(crate) fn place(stored: u64) -> usize {
    debug_assert!(usize::try_from(stored).is_ok());
    #[expect(clippy::cast_possible_truncation, reason = "it was a place in memory, or has been checked to be one")]
    let place = stored as usize;
    place
}

/// The low and the high half.
#[inline]
pub(crate) fn halves(wide: u128) -> (u64, u64) {
    const LOW: u128 = (1 << 64) - 1;
    ((wide & LOW) as u64, (wide >> 64) as u64)
}

/// So many times the same. All threads write it: who writes to memory first waits for the system to give it.
pub(crate) fn filled<T: Clone + Send + Sync>(value: T, count: usize) -> Vec<T> {
    if count < FEW_STATES || rayon::current_num_threads() == 1 {
        return vec![value; count];
    }
    repeat_n(value, count).with_min_len(FEW_STATES).collect()
}

/// From each of so many numbers below `count` back to the place at which it stands: `number` says which stands at a place.
pub(crate) fn inverse(count: usize, number: impl Fn(usize) -> u32 + Sync) -> Vec<u32> {
    let zeros = (0..count).into_par_iter().with_min_len(FEW_STATES).map(|_| AtomicU32::new(0));
    let places: Vec<AtomicU32> = zeros.collect();
    let write = |place| places[number(place) as usize].store(id(place), Ordering::Relaxed);
    (0..count).into_par_iter().with_min_len(FEW_STATES).for_each(write);
    places.into_iter().map(AtomicU32::into_inner).collect()
}

/// How many bits a word of a set has.
pub(crate) const BITS: usize = u64::BITS as usize;

/// The places of the bits that are set in a word, the lowest first.
#[inline]
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (word != 0).then(|| word.trailing_zeros());
        word &= word.wrapping_sub(1);
        lowest
    })
}

/// A count as a number to compute with, for estimates and means.
#[inline]
pub(crate) fn about(count: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "to nearest is near enough, and exact below 2^53")]
    let about = count as f64;
    about
}
