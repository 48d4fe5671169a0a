//! Intervals of values, and how they are widened: the steps to which the proof in `bounds.rs` refers.

use super::rounding::relative_error;
use crate::model::StateId;
use crate::support::about;

/// A lower and an upper end, which are read together.
pub(crate) type Pair = [f64; 2];

/// Lower and upper ends of all states.
pub(crate) struct Ends {
    pub(crate) all: Vec<Pair>,
}

impl Ends {
    #[inline]
    pub(crate) fn of(&self, state: StateId) -> (f64, f64) {
        self.all[state as usize].into()
    }

    /// Whether the value of a state is infinite.
    #[inline]
    pub(crate) fn is_infinite(&self, state: StateId) -> bool {
        self.all[state as usize] == INFINITE
    }
}

/// The ends of an infinite value. No other value has an infinite lower end.
pub(crate) const INFINITE: Pair = [f64::INFINITY; 2];

/// The interval of a sum of `terms` numbers, each a product, and of a reward, computed as `(lower, upper)`: widened by
/// the largest possible rounding error. Each factor is rounded within the unit roundoff: no probability below the
/// normal range is among them.
pub(crate) fn outwards(lower: f64, upper: f64, terms: usize) -> (f64, f64) {
    Outwards::new(terms).move_ends(lower, upper)
}

/// [`outwards`] for a fixed number of terms.
#[derive(Clone, Copy)]
pub(crate) struct Outwards {
    error: f64,
    lost: f64,
}

impl Outwards {
    pub(crate) fn new(terms: usize) -> Self {
        Self { error: relative_error(terms as u64 + 4), lost: about(terms as u64 + 2) * f64::from_bits(1) }
    }

    #[inline]
    pub(crate) fn move_ends(self, lower: f64, upper: f64) -> (f64, f64) {
        /// Below this a product may have lost digits to underflow: each loses at most the smallest number.
        const SMALL: f64 = 1e-280;
        let (mut lower, mut upper) = (lower * (1.0 - self.error), upper * (1.0 + self.error));
        if lower < SMALL || upper < SMALL {
            lower = (lower - self.lost).max(0.0);
            upper += self.lost;
        }
        (lower, upper)
    }

    /// The upper end alone.
    #[inline]
    pub(crate) fn up(self, upper: f64) -> f64 {
        self.move_ends(1.0, upper).1
    }

    /// The lower end alone.
    #[inline]
    pub(crate) fn down(self, lower: f64) -> f64 {
        self.move_ends(lower, 1.0).0
    }
}
