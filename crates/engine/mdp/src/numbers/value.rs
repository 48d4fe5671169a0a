//! The value of a state, as it is reported.

use std::fmt;

use super::rational::{Rational, decimal_text, enclose, nearest};

/// The value of a state: proven bounds, and the exact value if it was requested. Where it [is
/// infinite](Self::is_infinite) both bounds are, and there is no exact value.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Not above the value.
    pub lower: f64,
    /// Not below the value.
    pub upper: f64,
    /// The exact value, if it was requested.
    pub exact: Option<Rational>,
}

impl Value {
    /// An infinite total.
    pub const INFINITE: Self = Self { lower: f64::INFINITY, upper: f64::INFINITY, exact: None };

    /// Whether the value is infinite: rewards are earned again and again without end.
    pub fn is_infinite(&self) -> bool {
        self.lower == f64::INFINITY
    }

    /// The value, unless it is infinite.
    ///
    /// ```
    /// assert_eq!(mdp::Value::INFINITE.finite(), None);
    /// ```
    pub fn finite(self) -> Option<Self> {
        (!self.is_infinite()).then_some(self)
    }

    /// An exact value, with the tightest bounds.
    pub fn exactly(value: Rational) -> Self {
        let (lower, upper) = enclose(&value);
        Self { lower, upper, exact: Some(value) }
    }

    /// The number to print: nearest to the exact value, or the middle of the bounds.
    pub fn decimal(&self) -> f64 {
        self.exact.as_ref().map_or_else(|| f64::midpoint(self.lower, self.upper), nearest)
    }

    /// Whether the bounds differ by no more than this share of the value.
    ///
    /// ```
    /// let value = mdp::Value { lower: 0.5, upper: 0.5 + 1e-9, exact: None };
    /// assert!(value.is_within(1e-8) && !value.is_within(1e-9));
    /// ```
    pub fn is_within(&self, share: f64) -> bool {
        let size = self.lower.abs().min(self.upper.abs());
        self.lower == self.upper || (self.lower.signum() == self.upper.signum() && self.width() <= share * size)
    }

    /// The difference of the bounds; 0 for an infinite value.
    pub fn width(&self) -> f64 {
        if self.is_infinite() { 0.0 } else { (self.upper - self.lower).next_up() }
    }
}

impl fmt::Display for Value {
    /// The decimal, with its uncertainty: `0.8731436491536937`, or `0.87314364915369 ± 2e-15`; or `infinite`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_infinite() {
            return f.write_str("infinite");
        }
        f.write_str(&decimal_text(self.decimal()))?;
        if self.exact.is_none() && self.width() > 0.0 {
            write!(f, " ± {:.0e}", self.width() / 2.0)?;
        }
        Ok(())
    }
}
