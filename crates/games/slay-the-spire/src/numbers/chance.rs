//! Chances as exact fractions.

use mdp::Rational;

/// A probability: `ways` of `of` equally likely ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    ways: u128,
    of: u128,
}

impl Chance {
    /// Certainty.
    pub const ONE: Self = Self { ways: 1, of: 1 };

    /// `ways` of `of`, which must not be 0.
    pub fn new(ways: u128, of: u128) -> Self {
        let common = greatest_common_divisor(ways, of).max(1);
        Self { ways: ways / common, of: of / common }
    }

    /// One of `of`.
    pub fn one_in(of: usize) -> Self {
        Self::new(1, of.max(1) as u128)
    }

    /// The probability of both, one after the other.
    #[must_use]
    pub fn and(self, then: Self) -> Self {
        if self == Self::ONE {
            return then;
        }
        // Reduced crosswise first, so that the products stay small. The outcomes of one play (a draw, a shuffle and
        // another draw, a target) stay far below 2^128: ten of a hundred cards are 2^44 ways.
        let (left, right) = (Self::new(self.ways, then.of), Self::new(then.ways, self.of));
        Self { ways: left.ways.saturating_mul(right.ways), of: left.of.saturating_mul(right.of) }
    }

    /// The probability of one of two events that exclude each other.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let common = greatest_common_divisor(self.of, other.of);
        let (left, right) = (other.of / common, self.of / common);
        let ways = self.ways.saturating_mul(left).saturating_add(other.ways.saturating_mul(right));
        Self::new(ways, self.of.saturating_mul(left))
    }

    /// Numerator and denominator, in lowest terms.
    pub fn fraction(self) -> (u128, u128) {
        (self.ways, self.of)
    }

    /// The chance as a fraction of any size.
    pub fn exactly(self) -> Rational {
        Rational::from_parts(self.ways.into(), self.of.into())
    }

    /// The chance in floating point, with a relative error of at most three half units in the last place.
    #[expect(clippy::cast_precision_loss, reason = "two roundings to nearest and one of the quotient")]
    pub fn as_f64(self) -> f64 {
        self.ways as f64 / self.of as f64
    }
}

pub(crate) fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The number of ways to take `taken` of `all`.
pub fn binomial(all: u32, taken: u32) -> u128 {
    let taken = taken.min(all.saturating_sub(taken));
    // After each step the product is itself a binomial coefficient, so the division leaves nothing.
    (0..u128::from(taken)).fold(1, |ways, step| ways * (u128::from(all) - step) / (step + 1))
}

#[cfg(test)]
mod tests;
