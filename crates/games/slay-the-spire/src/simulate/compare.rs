//! Decks compared in common worlds.
//!
//! The values of two decks vary with luck, and mostly with the same luck: in a world both meet the same enemies, who
//! roll the same, and draw their common cards in the same order. So their difference in each world varies much less
//! than either, and few worlds show which is better (common random numbers).

use std::time::Duration;

use budget::{Budget, Stopped};

use super::confidence::{mean_at_least, mean_at_most};
use super::sampled::{Sampled, Side, mean};
use crate::answers::worth::Interval;

/// With more decks each is compared with the first one only.
const MANY: usize = 12;
/// So many fights are simulated from below before any is from above: they alone show which option is better, and take
/// less time.
const EARLY: u64 = 200;
/// The share of the time for training.
const LEARNING: f64 = 0.3;

/// One group of enemies, met by every deck.
pub(crate) struct Encounter<'a> {
    /// The probability of meeting it.
    pub share: f64,
    /// The samples of each deck; empty where all of them are solved.
    pub sampled: Vec<Sampled<'a>>,
    /// The proved bounds of each deck.
    pub proved: Vec<Interval>,
}

/// Decks and the encounters that they may meet.
pub(crate) struct Comparison<'a> {
    encounters: Vec<Encounter<'a>>,
    decks: usize,
    /// The probability with which each single bound may be wrong.
    error: f64,
}

/// The value of a deck, and its difference from the first one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Compared {
    /// Under best play.
    pub value: Interval,
    /// The difference under best play.
    pub gain: Interval,
    /// The difference under the simulated policy.
    pub played: Interval,
    /// The mean of that difference so far.
    pub mean: f64,
    /// One more than the number of decks that were better in simulated play, or are proved to be better; those with the
    /// same rank count as equal.
    pub rank: usize,
}

impl<'a> Comparison<'a> {
    pub(crate) fn new(encounters: Vec<Encounter<'a>>, decks: usize, error: f64) -> Self {
        // Two bounds of each value, two of each gain under best play, and each pair in simulated play.
        let pairs = if decks > MANY { 2 * decks } else { decks * decks.saturating_sub(1) };
        let bounds = encounters.len().max(1) * (4 * decks + pairs);
        Self { encounters, decks, error: error / f64::from(u32::try_from(bounds.max(1)).unwrap_or(u32::MAX)) }
    }

    /// Trains the policies, then samples where the differences are widest, until it is stopped, there are enough
    /// samples, or all gains are narrow enough.
    pub(crate) fn run(&mut self, enough: Option<f64>, budget: &Budget<'_>) -> Result<(), Stopped> {
        let mut left = self.encounters.iter().map(|own| own.sampled.len()).sum::<usize>();
        for sampled in self.encounters.iter_mut().flat_map(|own| own.sampled.iter_mut()) {
            // What was learned by then is sufficient.
            let _ = sampled.train(&budget.part(LEARNING / f64::from(u32::try_from(left).unwrap_or(u32::MAX))));
            left = left.saturating_sub(1).max(1);
        }
        self.sample(enough, budget)
    }

    /// The same after training.
    pub(crate) fn sample(&mut self, enough: Option<f64>, budget: &Budget<'_>) -> Result<(), Stopped> {
        while let Some((encounter, side)) = self.next() {
            for sampled in &mut self.encounters[encounter].sampled {
                sampled.sample(side, budget)?;
            }
            if enough.is_some_and(|enough| (0..self.decks).all(|deck| self.gain(deck).width() <= enough)) {
                break;
            }
        }
        Ok(())
    }

    /// The encounter and side with the fewest samples for the distance of the bounds from the means.
    fn next(&self) -> Option<(usize, Side)> {
        let all = self
            .encounters
            .iter()
            .enumerate()
            .flat_map(|(place, own)| [Side::Above, Side::Below].into_iter().map(move |side| (place, side, own)));
        let open = all.filter(|(_, side, own)| own.sampled.iter().any(|sampled| !sampled.is_full(*side)));
        let gain = |(_, side, own): &(usize, Side, &Encounter<'_>)| {
            let took: Duration = own.sampled.iter().map(|sampled| sampled.took[*side as usize]).sum();
            let least = own.sampled.iter().map(|sampled| sampled.count(*side)).min().unwrap_or(0);
            let is_early = least < if *side == Side::Below { EARLY } else { 1 };
            let open = if is_early { f64::INFINITY } else { own.share * own.sampled[0].open(*side, self.error) };
            open / took.as_secs_f64().max(1e-6)
        };
        // Of several that are equally open, the last one.
        open.max_by(|one, other| gain(one).total_cmp(&gain(other))).map(|(place, side, _)| (place, side))
    }

    /// The sum over all encounters.
    fn sum(&self, of: impl Fn(&Encounter<'a>) -> Interval) -> Interval {
        self.encounters.iter().fold(Interval::ZERO, |sum, own| sum.plus(own.share, of(own)))
    }

    fn value_in(&self, own: &Encounter<'_>, deck: usize) -> Interval {
        own.sampled.get(deck).map_or(own.proved[deck], |sampled| sampled.bounds(self.error))
    }

    /// The value of a deck, no more than the most that it can be against any of the enemies.
    fn value(&self, deck: usize) -> Interval {
        let most = self.encounters.iter().map(|own| own.proved[deck].upper).fold(f64::NEG_INFINITY, f64::max);
        self.sum(|own| self.value_in(own, deck)).within(f64::NEG_INFINITY, most)
    }

    /// The difference of two decks under best play.
    fn gain(&self, deck: usize) -> Interval {
        self.sum(|own| {
            if deck == 0 {
                return Interval::ZERO;
            }
            let (with, without) = (self.value_in(own, deck), self.value_in(own, 0));
            let apart = Interval { lower: with.lower - without.upper, upper: with.upper - without.lower };
            let (Some(one), Some(none)) = (own.sampled.get(deck), own.sampled.first()) else { return apart };
            let lower = difference((one, Side::Below), (none, Side::Above), self.error).lower;
            let upper = difference((one, Side::Above), (none, Side::Below), self.error).upper;
            let lower = lower.max(apart.lower);
            // Rarely they contradict each other; then they are wrong, or nearly so.
            Interval { lower, upper: upper.min(apart.upper).max(lower) }
        })
    }

    /// The difference of two decks under the simulated policy; under best play where both are solved.
    fn played(&self, deck: usize, other: usize) -> Interval {
        self.sum(|own| match (own.sampled.get(deck), own.sampled.get(other)) {
            _ if deck == other => Interval::ZERO,
            (Some(one), Some(other)) => {
                let Interval { lower, upper } = difference((one, Side::Below), (other, Side::Below), self.error);
                // Nothing that is played is worth more than best play.
                let (least, most) = (-other.proved.upper, one.proved.upper);
                Interval { lower: lower.clamp(least, most), upper: upper.clamp(least, most) }
            }
            _ => {
                let (one, other) = (own.proved[deck], own.proved[other]);
                Interval { lower: one.lower - other.upper, upper: one.upper - other.lower }
            }
        })
    }

    /// The mean difference in simulated play so far; where both are solved, under best play.
    fn mean(&self, deck: usize) -> f64 {
        let means = self.encounters.iter().map(|own| {
            let pairs = own.sampled.get(deck).zip(own.sampled.first());
            let sampled = pairs.map(|(one, none)| differences((one, Side::Below), (none, Side::Below)));
            match sampled.filter(|differences| !differences.is_empty()) {
                Some(differences) => own.share * mean(&differences),
                None => own.share * (own.proved[deck].middle() - own.proved[0].middle()),
            }
        });
        means.sum()
    }

    /// Whether a deck is proved to be worth more than another one.
    fn is_proved_better(&self, deck: usize, other: usize) -> bool {
        let apart = self.sum(|own| {
            let least = own.proved[deck].lower - own.proved[other].upper;
            Interval { lower: least, upper: least }
        });
        apart.lower > 0.0
    }

    /// The results for each deck.
    pub(crate) fn compared(&self) -> Vec<Compared> {
        let others =
            |deck: usize| (0..if self.decks > MANY { 1 } else { self.decks }).filter(move |other| *other != deck);
        let compared = |deck: usize| Compared {
            value: self.value(deck),
            gain: self.gain(deck),
            played: self.played(deck, 0),
            mean: self.mean(deck),
            rank: 1 + others(deck)
                .filter(|other| self.played(*other, deck).lower > 0.0 || self.is_proved_better(*other, deck))
                .count(),
        };
        (0..self.decks).map(compared).collect()
    }
}

/// The differences of samples of the same worlds.
fn differences((one, side): (&Sampled<'_>, Side), (other, opposite): (&Sampled<'_>, Side)) -> Vec<f64> {
    one.samples(side).iter().zip(other.samples(opposite)).map(|(one, other)| one - other).collect()
}

/// The mean difference of samples of the same worlds, with this error for each side.
fn difference((one, side): (&Sampled<'_>, Side), (other, opposite): (&Sampled<'_>, Side), error: f64) -> Interval {
    let differences = differences((one, side), (other, opposite));
    let ((least, most), (lowest, highest)) = (one.range(side), other.range(opposite));
    let range = (least - highest, most - lowest);
    Interval { lower: mean_at_least(&differences, range, error), upper: mean_at_most(&differences, range, error) }
}

#[cfg(test)]
mod tests;
