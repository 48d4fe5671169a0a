//! The second forward pass through a series under optimal play: the probabilities with which heroes enter each layer, and
//! simulated plays.

use std::collections::BTreeMap;

use budget::Budget;
use mdp::rows::{RowGame, RowSpace};
use mdp::{Dice, Distribution, StateId, UBig, Weight, visit_probabilities};

use super::staged::{SolvedLayer, Staged, number_of};
use crate::machine::Machine;
use crate::program::State;
use crate::solve::solve_error::SolveBookError;

/// The results of a layer under optimal play.
pub(super) struct LayerResult {
    /// The states that later layers begin with, and their probabilities.
    pub begun: Vec<(State, f64)>,
    /// The probability that the series is won in this layer.
    pub won: f64,
}

impl Staged<'_> {
    /// Follows optimal play through a layer that begins with these states.
    pub fn follow(&mut self, place: usize, begun: &BTreeMap<State, f64>) -> Result<LayerResult, SolveBookError> {
        let (name, cut) = (format!("passed-{place}"), self.whole_cut());
        let machine = self.machine;
        if let Some((states, mut numbers)) = self.load(&name, cut)?
            && numbers.len() as u64 == states.len() + 1
        {
            let won = numbers.pop().unwrap_or(0.0);
            let begun = states.iter().map(|(row, position)| machine.in_row(row, position)).zip(numbers);
            return Ok(LayerResult { begun: begun.collect(), won });
        }
        let (budget, own) = (self.options.budget, self.layers[place]);
        let (handed_on, begun): (Vec<_>, Vec<_>) = begun.iter().partition(|(state, _)| own.ends(machine, state));
        let mut passed =
            LayerResult { begun: handed_on.into_iter().map(|(state, mass)| (*state, *mass)).collect(), won: 0.0 };
        if !begun.is_empty() {
            let starts = self.set(begun.iter().map(|(state, _)| *state));
            let SolvedLayer { space, solution, .. } = self.solved(place, starts, None, self.options)?;
            let mut weights = Vec::with_capacity(begun.len());
            for (state, mass) in &begun {
                weights.push((begun_with(machine, space, state)?, Weight(scaled(**mass))));
            }
            let all: f64 = begun.iter().map(|(_, mass)| **mass).sum();
            let start = Distribution::weighted(weights).map_err(|error| SolveBookError::Engine(error.to_string()))?;
            let ended = visit_probabilities(solution.policy(), &start, budget)?;
            let masses = ended.finished().map(|(number, probability)| (number, probability.decimal() * all)).collect();
            for (state, mass) in named(machine, space, &masses) {
                if Machine::is_won(&state) {
                    passed.won += mass;
                } else if own.ends(machine, &state) && mass > 0.0 {
                    passed.begun.push((state, mass));
                }
            }
        }
        let states = self.set(passed.begun.iter().map(|(state, _)| state));
        let mut numbers = vec![0.0; passed.begun.len() + 1];
        for (state, mass) in &passed.begun {
            let (row, position) = machine.row_of(state);
            if let Some(own) =
                states.index_of(&row, position).and_then(|own| numbers.get_mut(usize::try_from(own).ok()?))
            {
                *own += mass;
            }
        }
        let masses = states.iter().map(|(row, position)| machine.in_row(row, position)).zip(numbers.clone());
        passed.begun = masses.collect();
        numbers.truncate(passed.begun.len());
        numbers.push(passed.won);
        self.keep(&name, cut, &states, &numbers)?;
        Ok(passed)
    }

    /// Simulates plays through a layer under optimal play, a given number from each state; returns the states in which they
    /// leave the layer, and the number of wins.
    pub fn play(
        &mut self,
        place: usize,
        begun: &BTreeMap<State, u64>,
        seed: u64,
    ) -> Result<(BTreeMap<State, u64>, u64), SolveBookError> {
        let (machine, options, own) = (self.machine, self.options, self.layers[place]);
        let unlimited = Budget::default();
        let budget = options.budget.unwrap_or(&unlimited);
        let (mut ended, begun): (BTreeMap<State, u64>, BTreeMap<State, u64>) =
            begun.iter().partition(|(state, _)| own.ends(machine, state));
        if begun.is_empty() {
            return Ok((ended, 0));
        }
        let mut counts = BTreeMap::new();
        let starts = self.set(begun.keys());
        let SolvedLayer { space, solution, .. } = self.solved(place, starts, None, self.options)?;
        let mut dice = Dice::new(seed, place as u64);
        for (state, plays) in &begun {
            let start = begun_with(machine, space, state)?;
            for _ in 0..*plays {
                budget.look()?;
                let mut now = start;
                // Play ends, since a play that never ends is not optimal where the series can be won.
                while let Some(choice) = solution.policy().taken(now) {
                    now = dice.next(space.model(), &choice);
                }
                *counts.entry(now).or_insert(0) += 1;
            }
        }
        let mut won = 0;
        for (state, plays) in named(machine, space, &counts) {
            if Machine::is_won(&state) {
                won += plays;
            } else if own.ends(machine, &state) {
                *ended.entry(state).or_default() += plays;
            }
        }
        Ok((ended, won))
    }
}

/// The number of an initial state of a layer.
fn begun_with(machine: &Machine, space: &RowSpace<State>, state: &State) -> Result<StateId, SolveBookError> {
    let (row, position) = machine.row_of(state);
    number_of(space, &row, position)
}

/// Replaces state numbers by states, in the order of rows.
fn named<T: Copy>(machine: &Machine, space: &RowSpace<State>, by_number: &BTreeMap<StateId, T>) -> Vec<(State, T)> {
    let all = space
        .states()
        .filter_map(|(row, position, number)| Some((machine.in_row(row, position), *by_number.get(&number)?)));
    all.collect()
}

/// A probability as a multiple of the smallest positive float.
fn scaled(probability: f64) -> UBig {
    let bits = probability.to_bits();
    let (exponent, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    match exponent {
        0 => UBig::from(fraction),
        exponent => UBig::from(fraction | 1 << 52) << (usize::try_from(exponent).unwrap_or(1) - 1),
    }
}
