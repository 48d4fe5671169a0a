//! The numbers with which elimination computes.

use dashu_base::Sign;
use dashu_int::IBig;

use crate::support::halves;

/// The numbers with which elimination computes.
pub(crate) trait Field: Copy + PartialEq {
    const ZERO: Self;
    fn sub_mul(self, a: Self, b: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// `None` where division is impossible.
    fn inverse(self) -> Option<Self>;
}

impl Field for f64 {
    const ZERO: Self = 0.0;

    #[inline]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        self - a * b
    }

    #[inline]
    fn mul(self, other: Self) -> Self {
        self * other
    }

    fn inverse(self) -> Option<Self> {
        (self.is_normal()).then(|| 1.0 / self)
    }
}

/// A residue modulo the prime 2^61 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Residue(u64);

pub(crate) const PRIME: u64 = (1 << 61) - 1;

impl Residue {
    pub(crate) fn of(value: &IBig) -> Self {
        let rest = value % IBig::from(PRIME);
        let (sign, magnitude) = rest.into_parts();
        let magnitude = u64::try_from(magnitude).unwrap_or(0);
        Self(if sign == Sign::Negative && magnitude > 0 { PRIME - magnitude } else { magnitude })
    }

    /// The residue of a number of at most 128 bits.
    #[inline]
    pub(crate) fn of_small(value: i128) -> Self {
        const P: i128 = (1 << 61) - 1;
        // 2^61 is congruent to 1: the bits above count like those below.
        let folded = (value & P) + (value >> 61);
        let folded = (folded & P) + (folded >> 61);
        let least = if folded < 0 { folded + P } else { folded };
        Self(u64::try_from(if least >= P { least - P } else { least }).unwrap_or(0))
    }

    /// Between 0 and the prime.
    pub(crate) fn number(self) -> u64 {
        self.0
    }

    /// The residue of a product of two.
    fn reduce(product: u128) -> u64 {
        // 61 bits each: a product of two has 122.
        let (low, high) = halves(product);
        let folded = (low & PRIME) + (high << 3 | low >> 61);
        let folded = (folded & PRIME) + (folded >> 61);
        if folded >= PRIME { folded - PRIME } else { folded }
    }
}

impl Field for Residue {
    const ZERO: Self = Self(0);

    #[inline]
    fn sub_mul(self, a: Self, b: Self) -> Self {
        let product = Self::reduce(u128::from(a.0) * u128::from(b.0));
        Self(if self.0 >= product { self.0 - product } else { self.0 + PRIME - product })
    }

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self(Self::reduce(u128::from(self.0) * u128::from(other.0)))
    }

    fn inverse(self) -> Option<Self> {
        if self.0 == 0 {
            return None;
        }
        // Fermat: the power to p - 2.
        let (mut base, mut exponent, mut result) = (self, PRIME - 2, Self(1));
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.mul(base);
            }
            base = base.mul(base);
            exponent >>= 1;
        }
        Some(result)
    }
}
