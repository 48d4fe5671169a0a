//! What a fight or a position is worth, with bounds.

use mdp::Rational;

use crate::act1::search::payoff::Objective;

/// A number between two bounds that are proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// It is no less.
    pub lower: f64,
    /// It is no more.
    pub upper: f64,
}

impl Interval {
    /// Nothing.
    pub const ZERO: Self = Self { lower: 0.0, upper: 0.0 };

    /// A number in the middle; one of the bounds where they are whole and equal.
    pub fn middle(self) -> f64 {
        if self.lower == self.upper { self.lower } else { self.lower + (self.upper - self.lower) / 2.0 }
    }

    /// The bounds' distance.
    pub fn width(self) -> f64 {
        self.upper - self.lower
    }

    /// This and a share of another one; a share may be negative.
    #[must_use]
    pub fn plus(self, share: f64, other: Self) -> Self {
        if other == Self::ZERO {
            return self;
        }
        let (one, two) = (share * other.lower, share * other.upper);
        // The share is rounded, the product too, and the sum.
        let error = |bound: f64, part: f64| (bound.abs() + part.abs()) * 4.0 * f64::EPSILON;
        let (low, high) = (one.min(two), one.max(two));
        Self { lower: self.lower + low - error(self.lower, low), upper: self.upper + high + error(self.upper, high) }
    }

    /// The same number with the other sign.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }

    /// The part of it that a bound from elsewhere leaves.
    pub(crate) fn within(self, lower: f64, upper: f64) -> Self {
        Self { lower: self.lower.max(lower), upper: self.upper.min(upper) }
    }
}

/// What a fight is worth to who begins it with so much health.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The health at the start.
    pub health: i16,
    /// What is played for.
    pub objective: Objective,
    /// What it is worth by that.
    pub value: Interval,
    /// The same exactly, where that was wanted and could be found.
    pub exact: Option<Rational>,
    /// The expected health after the fight, when played so; 0 for death. Nothing where health has no limit.
    pub expected_health: Option<Interval>,
    /// The chance to survive, when played so.
    pub survival: Interval,
    /// How the fight can end, from the least health: 0 for death. When the search stopped early, it can end otherwise,
    /// too, as far as these have not the whole chance.
    pub final_health: Vec<(i16, Interval)>,
    /// How many turns begin after it on average, nearly, as far as they were followed.
    pub turns: f64,
}
