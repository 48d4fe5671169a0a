//! Values of expressions.

use std::cmp::Ordering;
use std::fmt;

use dashu_base::BitTest;
use dashu_ratio::RBig;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Int(i64),
    /// A fraction, exact.
    Real(RBig),
    /// True or false.
    Bool(bool),
}

/// The largest numerator or denominator of a value, in binary digits: a limit for powers of powers.
pub const MOST_BITS: usize = 1 << 16;

impl Value {
    /// As a number; `None` for true and false.
    pub fn number(&self) -> Option<RBig> {
        match self {
            Self::Int(value) => Some(RBig::from(*value)),
            Self::Real(value) => Some(value.clone()),
            Self::Bool(_) => None,
        }
    }

    /// The order of two numbers; `None` when one of them is not a number.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(one), Self::Int(other)) => Some(one.cmp(other)),
            _ => Some(self.number()?.cmp(&other.number()?)),
        }
    }

    /// The largest integer that is at most a fraction.
    pub fn floor(number: &RBig) -> Option<Self> {
        i64::try_from(number.floor()).ok().map(Self::Int)
    }

    /// The smallest integer that is at least a fraction.
    pub fn ceil(number: &RBig) -> Option<Self> {
        i64::try_from(number.ceil()).ok().map(Self::Int)
    }
}

/// A fraction as a value, unless it has too many digits.
pub fn real(number: RBig) -> Option<Value> {
    let bits = number.numerator().bit_len().max(number.denominator().bit_len());
    (bits <= MOST_BITS).then_some(Value::Real(number))
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Real(value) => value.fmt(f),
            Self::Bool(value) => value.fmt(f),
        }
    }
}
