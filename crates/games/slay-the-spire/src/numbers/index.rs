//! Places in memory as numbers of 32 bits.

/// The number of a place, or how many there are.
pub(crate) fn index(place: usize) -> u32 {
    u32::try_from(place).expect("fewer than 2^32 things fit into memory")
}
