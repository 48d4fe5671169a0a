//! Limits of compiled books.

/// The range of names bound in a section.
pub(crate) const LOCAL_NUMBERS: std::ops::RangeInclusive<i32> = -128..=383;

/// Rounds of a fight are counted up to this number.
pub(crate) const MOST_ROUNDS: u16 = 100;

/// The largest `at-most`, where less can be taken or bought than there is.
pub(crate) const MOST_AT_ONCE: i32 = 15;

/// The most numbers that can be forgotten at once.
pub(crate) const MOST_FORGOTTEN: usize = 64;
