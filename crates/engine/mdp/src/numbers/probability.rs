//! Probabilities of results: never above 1.

use std::iter::Sum;
use std::ops::AddAssign;

use super::rational::{Rational, nearest};

/// A probability, in floating point (not bounded) or exactly; from 0 to 1 in either case.
///
/// ```
/// use mdp::Probability;
///
/// assert_eq!(Probability::default().decimal(), 0.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Probability {
    decimal: f64,
    exact: Option<Rational>,
}

impl Default for Probability {
    /// Impossible.
    fn default() -> Self {
        Self::exactly(Rational::ZERO)
    }
}

impl Probability {
    /// A result of floating point: rounding errors beyond 0 and 1 are cut off.
    pub(crate) fn roughly(decimal: f64) -> Self {
        Self { decimal: decimal.clamp(0.0, 1.0), exact: None }
    }

    pub(crate) fn exactly(value: Rational) -> Self {
        debug_assert!(Rational::ZERO <= value && value <= Rational::ONE);
        Self { decimal: nearest(&value), exact: Some(value) }
    }

    /// The number to print: the floating-point number nearest to the exact one, if that is known.
    pub fn decimal(&self) -> f64 {
        self.decimal
    }

    /// The exact probability, if it was requested.
    pub fn exact(&self) -> Option<&Rational> {
        self.exact.as_ref()
    }

    /// The exact probability, if it was requested.
    pub fn into_exact(self) -> Option<Rational> {
        self.exact
    }
}

impl AddAssign<Probability> for Probability {
    /// The probability of one of two events that exclude each other.
    fn add_assign(&mut self, other: Self) {
        *self = match (self.exact.take(), other.exact) {
            (Some(own), Some(other)) => Self::exactly(own + other),
            _ => Self::roughly(self.decimal + other.decimal),
        };
    }
}

impl Sum for Probability {
    /// The probability of one of several events that exclude each other.
    fn sum<I: Iterator<Item = Self>>(probabilities: I) -> Self {
        let mut sum = Self::default();
        for probability in probabilities {
            sum += probability;
        }
        sum
    }
}

#[cfg(test)]
mod tests;
