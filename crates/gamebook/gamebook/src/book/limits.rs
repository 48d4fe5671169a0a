//! The largest numbers of a book that is compiled.

/// The numbers that a name bound in a section can stand for.
pub(crate) const LOCAL_NUMBERS: std::ops::RangeInclusive<i32> = -128..=383;

/// Rounds of a fight are counted up to this many: `rounds` is never more.
pub(crate) const MOST_ROUNDS: u16 = 100;

/// `at-most` is at most this, in books of which less can be taken or bought than there is.
pub(crate) const MOST_AT_ONCE: i32 = 15;

/// So many numbers can be forgotten at once.
pub(crate) const MOST_FORGOTTEN: usize = 64;
