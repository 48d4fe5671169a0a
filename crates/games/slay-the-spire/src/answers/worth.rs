//! The value of a fight or a position, with bounds.

use std::collections::BTreeMap;

use mdp::Rational;

use crate::search::payoff::Objective;

/// Bounds that are closer than this differ by rounding only.
pub(crate) const ROUNDING: f64 = 1e-9;

/// A number between two proven bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub lower: f64,
    /// The upper bound.
    pub upper: f64,
}

impl Interval {
    /// Zero.
    pub const ZERO: Self = Self { lower: 0.0, upper: 0.0 };

    /// The midpoint of the bounds; the bound itself where both are equal integers.
    pub fn middle(self) -> f64 {
        if self.lower == self.upper { self.lower } else { self.lower + (self.upper - self.lower) / 2.0 }
    }

    /// The difference of the bounds.
    pub fn width(self) -> f64 {
        self.upper - self.lower
    }

    /// This plus a multiple of another one; the factor may be negative.
    #[must_use]
    pub fn plus(self, share: f64, other: Self) -> Self {
        if other == Self::ZERO {
            return self;
        }
        let (one, two) = (share * other.lower, share * other.upper);
        // The factor, the product and the sum are rounded.
        let error = |bound: f64, part: f64| (bound.abs() + part.abs()) * 4.0 * f64::EPSILON;
        let (low, high) = (one.min(two), one.max(two));
        Self { lower: self.lower + low - error(self.lower, low), upper: self.upper + high + error(self.upper, high) }
    }

    /// The negated number; never a negative zero.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self { lower: 0.0 - self.upper, upper: 0.0 - self.lower }
    }

    /// The intersection with bounds from elsewhere.
    pub(crate) fn within(self, lower: f64, upper: f64) -> Self {
        Self { lower: self.lower.max(lower), upper: self.upper.min(upper) }
    }
}

/// Simulated values of a fight: an interval that is wrong in less than the share `error` of all runs. It proves
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulated {
    /// An interval for the value under best play.
    pub value: Interval,
    /// The mean value of the simulated policy, over `plays` fights.
    pub played: f64,
    /// The number of those fights.
    pub plays: u64,
    /// The mean value for a player who foresees all that chance decides, over `worlds` worlds.
    pub foreseen: f64,
    /// The number of those worlds.
    pub worlds: u64,
    /// The largest probability with which an interval of the answer is wrong.
    pub error: f64,
}

/// A number between its bounds, and exactly where that is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount {
    /// Its bounds.
    pub bounds: Interval,
    /// The number itself.
    pub exact: Option<Rational>,
}

impl Amount {
    /// Zero.
    pub const ZERO: Self = Self { bounds: Interval::ZERO, exact: Some(Rational::ZERO) };

    /// The sum with another one.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let exact = self.exact.as_ref().zip(other.exact.as_ref()).map(|(one, two)| one + two);
        Self { bounds: self.bounds.plus(1.0, other.bounds), exact }
    }

    /// The difference from another one.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let exact = self.exact.as_ref().zip(before.exact.as_ref()).map(|(after, before)| after - before);
        // Equal bounds of a number that is not known do not make equal numbers.
        let same = self.bounds == before.bounds && self.bounds.width() < ROUNDING;
        let bounds = if same { Interval::ZERO } else { self.bounds.plus(-1.0, before.bounds) };
        Self { bounds, exact }
    }

    /// The negated number.
    #[must_use]
    pub fn flipped(&self) -> Self {
        Self { bounds: self.bounds.flipped(), exact: self.exact.as_ref().map(|exact| Rational::ZERO - exact) }
    }
}

/// The exact ends of a fight under best play: of plays with equal value, those that survive most often are best, or, if
/// the objective is survival, those that keep most health.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactEnds {
    /// The expected health after the fight; 0 for death.
    pub expected_health: Rational,
    /// The chance to survive.
    pub survival: Rational,
    /// The probability of each final health, in increasing order: 0 for death. Of several such plays it is that of one
    /// of them.
    pub final_health: Vec<(i16, Rational)>,
}

impl ExactEnds {
    /// The expectations that follow from the probability of each final health.
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

/// The value of a fight for a player who begins it with this health.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The health at the start.
    pub health: i16,
    /// The objective.
    pub objective: Objective,
    /// The value by the objective.
    pub value: Interval,
    /// Simulated values, where the search was stopped: they prove nothing.
    pub simulated: Option<Simulated>,
    /// The exact value by the objective, where that was wanted and could be computed.
    pub exact: Option<Rational>,
    /// Everything else exactly, where that was wanted and could be computed.
    pub exact_ends: Option<ExactEnds>,
    /// The expected health after the fight under that play; 0 for death. `None` where health has no limit.
    pub expected_health: Option<Interval>,
    /// The chance of survival under that play.
    pub survival: Interval,
    /// The probability of each final health, in increasing order: 0 for death. If the search stopped early there can be
    /// other ends, as far as these do not sum to 1.
    pub final_health: Vec<(i16, Interval)>,
    /// The approximate mean number of turns afterwards, as far as they were followed.
    pub turns: f64,
}

impl Worth {
    /// The value by the objective.
    pub fn amount(&self) -> Amount {
        Amount { bounds: self.value, exact: self.exact.clone() }
    }

    /// The most health with which at least this share of fights surely ends, under that play; `None` where death is part of
    /// that share, or too little is known.
    pub fn health_in(&self, share: f64) -> Option<i16> {
        let mut sum = 0.0;
        let ends = self.final_health.iter().rev().filter(|(health, _)| *health > 0);
        for (health, chance) in ends {
            // Rounding must not make the share larger.
            sum = (sum + chance.lower) * (1.0 - f64::EPSILON);
            if sum >= share {
                return Some(*health);
            }
        }
        None
    }

    /// A value of which only these bounds are known.
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
