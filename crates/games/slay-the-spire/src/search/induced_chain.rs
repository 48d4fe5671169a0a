//! A policy, followed to the end: a lower bound of its value, and how fights end with it.

use rustc_hash::FxHashMap;

use crate::graph::choice::SearchState;
use crate::numbers::index::index;
use crate::numbers::rounding::{down, up};
use crate::rules::spoils::Spoils;

/// An end of a fight: the final health including healing at the end (0 for death), and what else is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Ending {
    pub health: i16,
    pub spoils: Spoils,
}

impl Ending {
    /// Death.
    pub(crate) const DEAD: Self = Self { health: 0, spoils: Spoils { potions: 0, gained: 0 } };
}

/// The successors of a state: chances of ends, of other states, and the loss on the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    pub ends: Vec<(f64, Ending)>,
    pub to: Vec<(f64, u32)>,
    pub loss: f64,
}

impl Step {
    /// An upper bound of what is lost, given that of what follows. `cost` is that of an end.
    pub(crate) fn lost(&self, cost: impl Fn(Ending) -> f64, follows: f64) -> f64 {
        let ends: f64 = self.ends.iter().map(|(chance, end)| chance * cost(*end)).sum();
        let terms = if ends > 0.0 { self.to.len() + 2 * self.ends.len() } else { 0 };
        up(self.loss + ends + follows, self.to.len() + 2 + terms)
    }

    /// Adds up the chances of equal states. A fight can begin in tens of thousands of ways: too many to compare each
    /// with all others.
    pub(crate) fn merge(&mut self) {
        self.to.sort_by_key(|(_, number)| *number);
        self.to.dedup_by(|(chance, number), (sum, first)| {
            let same = number == first;
            *sum += if same { *chance } else { 0.0 };
            same
        });
    }
}

/// The states that a policy reaches, later ones first.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    pub numbers: FxHashMap<SearchState, u32>,
    pub steps: Vec<Step>,
    /// The numbers in an order in which successors come first, except for cycles.
    pub order: Vec<u32>,
    /// States that have a number but no step yet.
    pub pending: FxHashMap<u32, SearchState>,
    /// Whether some state was not followed: everything after it counts as nothing.
    pub cut: bool,
}

/// The most sweeps.
const SWEEPS: usize = 100_000;

impl Chain {
    /// The number of a state.
    pub(crate) fn number(&mut self, state: SearchState) -> u32 {
        let next = index(self.steps.len());
        let number = *self.numbers.entry(state).or_insert(next);
        if number == next {
            self.steps.push(Step::default());
            self.pending.insert(number, state);
        }
        number
    }

    /// Whether the successors of a state are not known yet.
    pub(crate) fn is_pending(&mut self, state: SearchState) -> bool {
        let number = self.number(state);
        self.pending.contains_key(&number)
    }

    /// A lower bound of the expected value of the ends (none negative), for each state.
    pub(crate) fn at_least(&self, worth: impl Fn(Ending) -> f64) -> Vec<f64> {
        let mut values = vec![0.0; self.steps.len()];
        // They are bounds after any sweep. Where much is missing anyway, the last digits are not worth the time.
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

    /// The approximate expected number of visits to each state: a lower bound up to rounding.
    pub(crate) fn masses(&self, first: &[(f64, u32)]) -> Vec<f64> {
        let still = if self.cut { 1e-9 } else { 1e-17 };
        let mut total = vec![0.0; self.steps.len()];
        let mut moving = vec![0.0; self.steps.len()];
        for (chance, number) in first {
            moving[*number as usize] += chance;
        }
        for _ in 0..SWEEPS {
            // The first states are last in the order, so one sweep carries most of the mass to the ends.
            for number in self.order.iter().rev() {
                let mass = std::mem::take(&mut moving[*number as usize]);
                if mass > 0.0 {
                    total[*number as usize] += mass;
                    for (chance, to) in &self.steps[*number as usize].to {
                        moving[*to as usize] += chance * mass;
                    }
                }
            }
            // The mass of a state that is not followed goes no further.
            let rest: f64 = self.order.iter().map(|number| moving[*number as usize]).sum();
            if rest <= still {
                break;
            }
        }
        total
    }

    /// From now on a fight is given up where it was not followed, so all of it is followed.
    pub(crate) fn give_up_the_rest(&mut self) {
        let open = (0..).zip(&mut self.steps).filter(|(_, step)| step.ends.is_empty() && step.to.is_empty());
        let mut order = Vec::new();
        for (number, step) in open {
            step.ends.push((1.0, Ending::DEAD));
            order.push(number);
        }
        self.order.retain(|number| !order.contains(number));
        order.append(&mut self.order);
        self.order = order;
        self.cut = false;
    }

    /// An upper bound of the expected loss, for each state; `None` if none can be proved. `cost` is that of an end.
    pub(crate) fn loss_at_most(&self, cost: impl Fn(Ending) -> f64) -> Option<Vec<f64>> {
        if self.cut || !self.ends_surely() {
            return None;
        }
        let mut values = vec![0.0; self.steps.len()];
        let backup = |values: &[f64], step: &Step| {
            let sum: f64 = step.to.iter().map(|(chance, to)| chance * values[*to as usize]).sum();
            step.lost(&cost, sum)
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
        // An upper guess is proved if one more step makes it no larger anywhere.
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

    /// Whether an end can be reached from every state.
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
