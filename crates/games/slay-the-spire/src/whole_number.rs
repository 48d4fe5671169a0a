//! Whole numbers within bounds, as files have them.

use std::fmt;
use std::ops::RangeInclusive;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, Unexpected, Visitor};

/// A whole number within bounds. Its errors name it and say what would be right.
pub(crate) struct Whole<T> {
    pub(crate) what: &'static str,
    pub(crate) range: RangeInclusive<T>,
}

impl<'de, T: TryFrom<u64> + PartialOrd + fmt::Display> DeserializeSeed<'de> for Whole<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<T: TryFrom<u64> + PartialOrd + fmt::Display> Visitor<'_> for Whole<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as a whole number from {} to {}", self.what, self.range.start(), self.range.end())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        Err(E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        T::try_from(number)
            .ok()
            .filter(|value| self.range.contains(value))
            .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }
}
