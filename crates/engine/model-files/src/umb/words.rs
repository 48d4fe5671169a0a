//! Integers of an archive.

/// A count as the length of an array.
pub(super) fn most(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// A number that was checked against a count: at most [`MOST`](crate::explicit::MOST).
pub(super) fn number(value: u64) -> u32 {
    u32::try_from(value).expect("less than 2^32")
}

/// Up to eight bytes, least significant first.
#[inline]
pub(super) fn word(entry: &[u8]) -> u64 {
    match entry.try_into() {
        Ok(bytes) => u64::from_le_bytes(bytes),
        Err(_) => entry.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}
