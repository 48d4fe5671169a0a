//! Numbers in which positive quantities are added, multiplied and inverted.

/// Numbers in which positive quantities are added, multiplied and inverted.
pub(crate) trait Arithmetic {
    /// The numbers.
    type Number: Copy;
    /// Zero.
    const ZERO: Self::Number;
    /// `a + b * c`.
    fn add_product(&self, a: Self::Number, b: Self::Number, c: Self::Number) -> Self::Number;
    /// `1 / a`; `None` where that is not a number.
    fn inverse(&self, a: Self::Number) -> Option<Self::Number>;
    /// One.
    fn one(&self) -> Self::Number;

    /// `a * b`.
    fn product(&self, a: Self::Number, b: Self::Number) -> Self::Number {
        self.add_product(Self::ZERO, a, b)
    }

    /// `a + b`.
    fn sum(&self, a: Self::Number, b: Self::Number) -> Self::Number {
        self.add_product(a, b, self.one())
    }
}

/// Floating point.
pub(crate) struct Floats;

impl Arithmetic for Floats {
    type Number = f64;
    const ZERO: f64 = 0.0;

    fn add_product(&self, a: f64, b: f64, c: f64) -> f64 {
        a + b * c
    }

    fn inverse(&self, a: f64) -> Option<f64> {
        Some(1.0 / a).filter(|inverse| inverse.is_finite())
    }

    fn one(&self) -> f64 {
        1.0
    }
}
