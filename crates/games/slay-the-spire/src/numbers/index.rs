//! Indices as numbers of 32 bits.

/// An index or a count as a number of 32 bits.
pub(crate) fn index(place: usize) -> u32 {
    u32::try_from(place).expect("fewer than 2^32 things fit into memory")
}
