//! Whether values are maximised or minimised.

use std::cmp::Ordering;

/// Whether values are maximised or minimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sense {
    /// Maximised: what players want.
    #[default]
    Max,
    /// Minimised.
    Min,
}

impl Sense {
    pub(crate) fn worst(self) -> f64 {
        match self {
            Self::Max => f64::NEG_INFINITY,
            Self::Min => f64::INFINITY,
        }
    }

    #[inline]
    pub(crate) fn better(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Max => a.max(b),
            Self::Min => a.min(b),
        }
    }

    /// Whether `a` is better than `b`.
    #[inline]
    pub(crate) fn prefers(self, a: f64, b: f64) -> bool {
        match self {
            Self::Max => a > b,
            Self::Min => a < b,
        }
    }

    /// `Greater` where the first of two compared numbers is better.
    pub(crate) fn order(self, ordering: Ordering) -> Ordering {
        match self {
            Self::Max => ordering,
            Self::Min => ordering.reverse(),
        }
    }
}
