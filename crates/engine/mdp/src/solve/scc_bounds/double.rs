//! Numbers of twice the precision: the unevaluated sum of two floating-point numbers.
//!
//! With `u = 2^-53`, each sum and product below is within a relative error of `8 u^2` of the exact one, as
//! long as nothing overflows; near the subnormal numbers it loses a few times `2^-1074` at most (Joldes, Muller
//! and Popescu, *Tight and rigorous error bounds for basic building blocks of double-word arithmetic*, 2017:
//! `3 u^2` for the sum, `5 u^2` for the product).

/// The relative error of one operation, rounded up: `2^-103`.
pub(super) const UNIT: f64 = f64::from_bits((1023 - 103) << 52);

/// `high + low`, where `high` is the sum rounded to nearest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Double {
    pub(super) high: f64,
    pub(super) low: f64,
}

/// The sum, and its exact rounding error.
#[inline]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let rest = sum - a;
    (sum, (a - (sum - rest)) + (b - rest))
}

/// The same where `a` is not smaller than `b` (without signs).
#[inline]
fn fast_two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    Double { high, low: b - (high - a) }
}

impl Double {
    pub(super) const ZERO: Self = Self { high: 0.0, low: 0.0 };

    /// `weight / total` of a fraction that is rounded to `high`, for numbers up to 2^53.
    #[inline]
    pub(super) fn quotient(weight: f64, total: f64, high: f64) -> Self {
        // The remainder of a division is a floating-point number.
        Self { high, low: f64::mul_add(-high, total, weight) / total }
    }

    #[inline]
    pub(super) fn add(self, other: Self) -> Self {
        let (high, low) = two_sum(self.high, other.high);
        let (middle, lowest) = two_sum(self.low, other.low);
        let sum = fast_two_sum(high, low + middle);
        fast_two_sum(sum.high, sum.low + lowest)
    }

    #[inline]
    pub(super) fn sub(self, other: Self) -> Self {
        self.add(Self { high: -other.high, low: -other.low })
    }

    #[inline]
    pub(super) fn mul(self, other: Self) -> Self {
        let high = self.high * other.high;
        let low = f64::mul_add(self.high, other.high, -high);
        let cross = f64::mul_add(self.low, other.high, self.high * other.low);
        fast_two_sum(high, low + cross)
    }

    /// The largest floating-point number that is not above.
    pub(super) fn below(self) -> f64 {
        if self.low < 0.0 { self.high.next_down() } else { self.high }
    }

    /// The smallest floating-point number that is not below.
    pub(super) fn above(self) -> f64 {
        if self.low > 0.0 { self.high.next_up() } else { self.high }
    }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

#[cfg(test)]
mod tests;
