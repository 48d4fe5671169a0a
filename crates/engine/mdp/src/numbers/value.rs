//! What a state is worth, as it is told.

use std::fmt;

use super::rational::{Rational, decimal_text, enclose, nearest};

/// What a state is worth: bounds that hold, and the exact value if it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Not above the value.
    pub lower: f64,
    /// Not below the value.
    pub upper: f64,
    /// The value itself.
    pub exact: Option<Rational>,
}

impl Value {
    /// An exact value, with the tightest bounds.
    pub fn exactly(value: Rational) -> Self {
        let (lower, upper) = enclose(&value);
        Self { lower, upper, exact: Some(value) }
    }

    /// The number to print: nearest to the exact value, or the middle of the bounds.
    pub fn decimal(&self) -> f64 {
        self.exact.as_ref().map_or_else(|| f64::midpoint(self.lower, self.upper), nearest)
    }

    /// Whether the bounds are no further apart than this share of the value.
    ///
    /// ```
    /// let value = mdp::Value { lower: 0.5, upper: 0.5 + 1e-9, exact: None };
    /// assert!(value.is_within(1e-8) && !value.is_within(1e-9));
    /// ```
    pub fn is_within(&self, share: f64) -> bool {
        let size = self.lower.abs().min(self.upper.abs());
        self.lower == self.upper || (self.lower.signum() == self.upper.signum() && self.width() <= share * size)
    }

    /// How far the bounds are apart.
    pub fn width(&self) -> f64 {
        (self.upper - self.lower).next_up()
    }
}

impl fmt::Display for Value {
    /// The decimal, and how sure it is: `0.8731436491536937`, or `0.87314364915369 +- 2e-15`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal_text(self.decimal()))?;
        if self.exact.is_none() && self.width() > 0.0 {
            write!(f, " ± {:.0e}", self.width() / 2.0)?;
        }
        Ok(())
    }
}
