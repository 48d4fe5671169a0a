//! What a fight or a position is worth, with bounds.

use std::collections::BTreeMap;

use mdp::Rational;

use crate::search::payoff::Objective;

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

/// What was simulated of a fight: an interval that is wrong in less than the share `error` of all runs. It proves nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulated {
    /// What best play is worth lies in it.
    pub value: Interval,
    /// What the simulated way to play was worth on average: in so many fights.
    pub played: f64,
    /// The number of those fights.
    pub plays: u64,
    /// What the fight was worth on average to who saw all that chance would decide: in so many worlds.
    pub foreseen: f64,
    /// The number of those worlds.
    pub worlds: u64,
    /// How likely it is at most that an interval of the answer is wrong.
    pub error: f64,
}

/// A number between its bounds, and exactly where it is known so.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount {
    /// Its bounds.
    pub bounds: Interval,
    /// The number itself.
    pub exact: Option<Rational>,
}

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self { bounds: Interval::ZERO, exact: Some(Rational::ZERO) };

    /// This and another one.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let exact = self.exact.as_ref().zip(other.exact.as_ref()).map(|(one, two)| one + two);
        Self { bounds: self.bounds.plus(1.0, other.bounds), exact }
    }

    /// What has changed since another one.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let exact = self.exact.as_ref().zip(before.exact.as_ref()).map(|(after, before)| after - before);
        let bounds = if self.bounds == before.bounds { Interval::ZERO } else { self.bounds.plus(-1.0, before.bounds) };
        Self { bounds, exact }
    }
}

/// How a fight ends, exactly, when played best: of plays that are worth the same those are best that survive most often, or,
/// where survival is played for, those that keep most health.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactEnds {
    /// The expected health after the fight; 0 for death.
    pub expected_health: Rational,
    /// The chance to survive.
    pub survival: Rational,
    /// How the fight can end, from the least health: 0 for death. Of several such plays it is that of one of them.
    pub final_health: Vec<(i16, Rational)>,
}

impl ExactEnds {
    /// What follows from how often a fight ends with each health.
    pub(crate) fn new(final_health: BTreeMap<i16, Rational>) -> Self {
        let sum = |worth: fn(i16) -> Rational| {
            final_health.iter().fold(Rational::ZERO, |sum, (health, chance)| sum + worth(*health) * chance)
        };
        Self {
            expected_health: sum(Rational::from),
            survival: sum(|health| Rational::from(u8::from(health > 0))),
            final_health: final_health.into_iter().collect(),
        }
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
    /// The same as it was simulated, where the search was stopped: that proves nothing.
    pub simulated: Option<Simulated>,
    /// What is played for exactly, where that was wanted and could be found.
    pub exact: Option<Rational>,
    /// All else exactly, where that was wanted and could be found.
    pub exact_ends: Option<ExactEnds>,
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

impl Worth {
    /// What it is worth.
    pub fn amount(&self) -> Amount {
        Amount { bounds: self.value, exact: self.exact.clone() }
    }

    /// What is between these bounds, and nothing else is known of.
    pub(crate) fn between(value: Interval, health: i16, objective: Objective) -> Self {
        Self {
            health,
            objective,
            value,
            simulated: None,
            exact: None,
            exact_ends: None,
            expected_health: None,
            survival: Interval { lower: 0.0, upper: 1.0 },
            final_health: Vec::new(),
            turns: 0.0,
        }
    }
}
