//! A way to play, followed to the end: what it is worth at least, and how fights end with it.

use rustc_hash::FxHashMap;

use crate::graph::choice::Place;
use crate::numbers::index::index;
use crate::numbers::rounding::{down, up};
use crate::rules::spoils::Spoils;

/// An end of a fight: the health left after what heals then (0 for death), and what else is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Ending {
    pub health: i16,
    pub spoils: Spoils,
}

impl Ending {
    /// Death.
    pub(crate) const DEAD: Self = Self { health: 0, spoils: Spoils { potions: 0, gained: 0 } };
}

/// What follows a place: chances of ends, of other places, and the loss on the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    pub ends: Vec<(f64, Ending)>,
    pub to: Vec<(f64, u32)>,
    pub loss: f64,
}

impl Step {
    /// Adds up the chances of the same places. A fight can begin in tens of thousands of ways: that is too many to look
    /// for each among all others.
    pub(crate) fn merge(&mut self) {
        self.to.sort_by_key(|(_, number)| *number);
        self.to.dedup_by(|(chance, number), (sum, first)| {
            let same = number == first;
            *sum += if same { *chance } else { 0.0 };
            same
        });
    }
}

/// The places that a way to play comes to, later ones first.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    pub numbers: FxHashMap<Place, u32>,
    pub steps: Vec<Step>,
    /// The numbers in an order in which what follows comes first, but for ways that lead back.
    pub order: Vec<u32>,
    /// Places that have a number but no step yet.
    pub pending: FxHashMap<u32, Place>,
    /// Some place was not followed: what comes after it counts as nothing.
    pub cut: bool,
}

/// Sweeps at most.
const SWEEPS: usize = 100_000;

impl Chain {
    /// The number of a place.
    pub(crate) fn number(&mut self, place: Place) -> u32 {
        let next = index(self.steps.len());
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.steps.push(Step::default());
            self.pending.insert(number, place);
        }
        number
    }

    /// Whether it is not known yet what follows a place.
    pub(crate) fn is_pending(&mut self, place: Place) -> bool {
        let number = self.number(place);
        self.pending.contains_key(&number)
    }

    /// The expectation of what ends are worth (nothing less than 0), at least, for each place.
    pub(crate) fn at_least(&self, worth: impl Fn(Ending) -> f64) -> Vec<f64> {
        let mut values = vec![0.0; self.steps.len()];
        // They hold after any sweep. Where much is missing anyway, nobody waits for the last digits.
        let still = if self.cut { 1e-6 } else { 1e-15 };
        for _ in 0..SWEEPS {
            let mut change = 0.0f64;
            for number in &self.order {
                let step = &self.steps[*number as usize];
                let ends: f64 = step.ends.iter().map(|(chance, end)| chance * worth(*end)).sum();
                let sum: f64 = step.to.iter().map(|(chance, to)| chance * values[*to as usize]).sum();
                let value = down(ends + sum, step.ends.len() + step.to.len());
                let known: &mut f64 = &mut values[*number as usize];
                change = change.max(value - *known);
                *known = known.max(value);
            }
            if change <= still {
                break;
            }
        }
        values
    }

    /// How often each place is come to on average, nearly: from below but for rounding.
    pub(crate) fn masses(&self, first: &[(f64, u32)]) -> Vec<f64> {
        let still = if self.cut { 1e-9 } else { 1e-17 };
        let mut total = vec![0.0; self.steps.len()];
        let mut moving = vec![0.0; self.steps.len()];
        for (chance, number) in first {
            moving[*number as usize] += chance;
        }
        for _ in 0..SWEEPS {
            // What comes first is last in the order, so one sweep takes most of it to the ends.
            for number in self.order.iter().rev() {
                let mass = std::mem::take(&mut moving[*number as usize]);
                if mass > 0.0 {
                    total[*number as usize] += mass;
                    for (chance, to) in &self.steps[*number as usize].to {
                        moving[*to as usize] += chance * mass;
                    }
                }
            }
            // What comes to a place that is not followed goes no further.
            let rest: f64 = self.order.iter().map(|number| moving[*number as usize]).sum();
            if rest <= still {
                break;
            }
        }
        total
    }

    /// The expected loss at most, for each place; `None` where none can be proved.
    pub(crate) fn loss_at_most(&self) -> Option<Vec<f64>> {
        if self.cut || !self.ends_surely() {
            return None;
        }
        let mut values = vec![0.0; self.steps.len()];
        let backup = |values: &[f64], step: &Step| {
            let sum: f64 = step.to.iter().map(|(chance, to)| chance * values[*to as usize]).sum();
            up(step.loss + sum, step.to.len() + 2)
        };
        for _ in 0..SWEEPS {
            let mut change = 0.0f64;
            for number in &self.order {
                let value = backup(&values, &self.steps[*number as usize]);
                change = change.max((value - values[*number as usize]).abs());
                values[*number as usize] = value;
            }
            if change <= 1e-14 {
                break;
            }
        }
        // A guess from above is proved when one more step makes it no larger anywhere.
        let mut slack = 1e-13;
        while slack < 1e-3 {
            let mut guess: Vec<f64> = values.iter().map(|value| value + slack).collect();
            for _ in 0..50 {
                let next: Vec<f64> = self.steps.iter().map(|step| backup(&guess, step)).collect();
                if next.iter().zip(&guess).all(|(next, guess)| next <= guess) {
                    return Some(next);
                }
                guess = next;
            }
            slack *= 8.0;
        }
        None
    }

    /// Whether an end can be reached from every place.
    fn ends_surely(&self) -> bool {
        let mut reaches: Vec<bool> = self.steps.iter().map(|step| !step.ends.is_empty()).collect();
        loop {
            let mut grown = false;
            for number in &self.order {
                let index = *number as usize;
                if !reaches[index] && self.steps[index].to.iter().any(|(_, to)| reaches[*to as usize]) {
                    (reaches[index], grown) = (true, true);
                }
            }
            if !grown {
                return reaches.into_iter().all(|reaches| reaches);
            }
        }
    }
}
