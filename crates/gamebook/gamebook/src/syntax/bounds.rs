//! Ranges of numbers.

use crate::book::LOCAL_NUMBERS;

/// A minimum and a maximum.
pub(super) type Range = (i64, i64);

/// Whether a name can hold all numbers of a range.
pub(super) fn fits(range: Range) -> bool {
    range.0 >= i64::from(*LOCAL_NUMBERS.start()) && range.1 <= i64::from(*LOCAL_NUMBERS.end())
}
