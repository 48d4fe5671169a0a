//! Terms that books and programs share: section numbers, comparisons, operators, dice.
//!
//! They are plain data with arithmetic. They know neither books nor programs, and what only one of the two needs does not
//! belong here.

mod dice;

pub use dice::Dice;

/// The number of a section.
pub type SectionNumber = u32;

/// A binary operator on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// a + b
    Plus,
    /// a - b
    Minus,
    /// a * b
    Times,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// a / b, rounded down; 0 where b is 0
    Down,
    /// a / b, rounded up; 0 where b is 0
    Up,
}

impl Operator {
    /// The result; `None` on overflow.
    pub fn checked(self, a: i32, b: i32) -> Option<i32> {
        match self {
            Self::Plus => a.checked_add(b),
            Self::Minus => a.checked_sub(b),
            Self::Times => a.checked_mul(b),
            Self::Min => Some(a.min(b)),
            Self::Max => Some(a.max(b)),
            Self::Down | Self::Up => Some(self.apply(a, b)),
        }
    }

    /// The result, saturated. No expression of a book that was [`read`](crate::read) comes near the limits.
    pub fn apply(self, a: i32, b: i32) -> i32 {
        match self {
            Self::Plus => a.saturating_add(b),
            Self::Minus => a.saturating_sub(b),
            Self::Times => a.saturating_mul(b),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::Down => quotient(a, b, i64::div_euclid),
            Self::Up => quotient(a, b, |a, b| -(-a).div_euclid(b)),
        }
    }
}

/// A quotient by a number made positive; 0 if there is none.
fn quotient(a: i32, b: i32, divide: fn(i64, i64) -> i64) -> i32 {
    let (a, b) = (i64::from(a), i64::from(b));
    let quotient = match b {
        0 => 0,
        1.. => divide(a, b),
        _ => divide(-a, -b),
    };
    // Only the minimum divided by -1 overflows.
    i32::try_from(quotient).unwrap_or(i32::MAX)
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// =
    Equal,
    /// !=
    NotEqual,
    /// <
    Less,
    /// <=
    AtMost,
    /// >
    More,
    /// >=
    AtLeast,
}

impl Comparison {
    /// Its sign in the book language.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
        }
    }

    /// The comparison that holds where this one does not.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::AtLeast,
            Self::AtMost => Self::More,
            Self::More => Self::AtMost,
            Self::AtLeast => Self::Less,
        }
    }

    /// Whether it holds.
    pub fn holds<T: Copy + Ord>(self, a: T, b: T) -> bool {
        match self {
            Self::Equal => a == b,
            Self::NotEqual => a != b,
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::More => a > b,
            Self::AtLeast => a >= b,
        }
    }
}
