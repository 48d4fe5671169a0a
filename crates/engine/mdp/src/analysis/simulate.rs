//! Simulated plays: an independent check of the solver.

use std::sync::atomic::{AtomicU32, Ordering};

use budget::{Budget, Stage, Stopped};
use chacha20::ChaCha8Rng;
use dashu_int::UBig;
use rand::{Rng, RngExt, SeedableRng};
use rayon::prelude::*;

use crate::model::{CERTAIN, Choice, Distribution, Model, StateId, WeightSlice};
use crate::numbers::nearest;
use crate::solution::Policy;
use crate::support::about;

/// Draws from exact weights with a generator that a seed determines, the same on every machine.
#[derive(Debug)]
pub struct Dice(ChaCha8Rng);

impl Clone for Dice {
    /// Dice that roll from now on what these do.
    fn clone(&self) -> Self {
        let mut generator = ChaCha8Rng::from_seed(self.0.get_seed());
        generator.set_stream(self.0.get_stream());
        generator.set_word_pos(self.0.get_word_pos());
        Self(generator)
    }
}

impl Dice {
    /// Dice with a seed. Streams of the same seed are independent of each other.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Self(generator)
    }

    /// An index into `weights`, each with probability weight / total.
    fn index(&mut self, weights: WeightSlice<'_>) -> usize {
        match weights {
            WeightSlice::Small(weights, total) => {
                let mut left = self.0.random_range(0..total);
                let mut index = 0;
                while left >= weights[index] {
                    left -= weights[index];
                    index += 1;
                }
                index
            }
            WeightSlice::Large(weights, total) => {
                let mut left = self.below(total);
                let mut index = 0;
                while left >= weights[index] {
                    left -= &weights[index];
                    index += 1;
                }
                index
            }
        }
    }

    /// An integer from 0 to `bound - 1`.
    fn below(&mut self, bound: &UBig) -> UBig {
        use dashu_base::BitTest;
        let bits = bound.bit_len();
        loop {
            let mut words: Vec<u64> = (0..bits.div_ceil(64)).map(|_| self.0.next_u64()).collect();
            if let Some(last) = words.last_mut().filter(|_| !bits.is_multiple_of(64)) {
                *last &= (1 << (bits % 64)) - 1;
            }
            let drawn = UBig::from_words(&words);
            if drawn < *bound {
                return drawn;
            }
        }
    }

    /// A random successor of a choice.
    pub fn next(&mut self, model: &Model, choice: &Choice<'_>) -> StateId {
        let index = if choice.weights == CERTAIN { 0 } else { self.index(model.weights().weights(choice.weights)) };
        choice.targets.at(index)
    }

    /// An integer from 0 to `bound - 1`, uniformly at random; 0 if `bound` is 0.
    ///
    /// ```
    /// let mut dice = mdp::Dice::new(1, 0);
    /// assert!((0..100).all(|_| dice.number(6) < 6));
    /// ```
    pub fn number(&mut self, bound: u64) -> u64 {
        if bound > 1 { self.0.random_range(0..bound) } else { 0 }
    }

    /// One outcome of a distribution.
    pub fn draw<'a, T>(&mut self, distribution: &'a Distribution<T>) -> &'a T {
        let mut left = self.below(distribution.total());
        let mut outcomes = distribution.iter();
        loop {
            match outcomes.next() {
                Some((_, weight)) if left >= *weight => left -= weight,
                Some((outcome, _)) => return outcome,
                None => unreachable!("the weights sum to the total"),
            }
        }
    }
}

/// The results of many simulated plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simulation {
    /// Plays that ended.
    pub finished: u64,
    /// Plays that were given up after too many steps; they count as earning 0.
    pub unfinished: u64,
    /// The sum of the first payoffs.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
    /// For each state, how many plays visited it at least once.
    pub visited: Vec<u32>,
}

impl Simulation {
    /// All plays.
    pub fn plays(&self) -> u64 {
        self.finished + self.unfinished
    }

    /// The mean payoff.
    pub fn mean(&self) -> f64 {
        self.sum / about(self.plays())
    }

    /// The standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        let plays = about(self.plays());
        let variance = (self.squares / plays - self.mean().powi(2)).max(0.0);
        (variance / plays).sqrt()
    }

    /// The share of plays that visited a state.
    pub fn share(&self, state: StateId) -> f64 {
        f64::from(self.visited[state as usize]) / about(self.plays())
    }
}

/// Options of [`simulate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulateOptions {
    /// How many plays; at most 4,294,967,295.
    pub plays: u32,
    /// The same seed gives the same plays, whatever the number of threads.
    pub seed: u64,
    /// Plays longer than this are given up.
    pub max_steps: u64,
}

impl Default for SimulateOptions {
    /// 100,000 plays of at most a million steps, seed 1.
    fn default() -> Self {
        Self { plays: 100_000, seed: 1, max_steps: 1_000_000 }
    }
}

/// Plays a policy many times.
///
/// # Errors
/// When the budget stops the run.
///
/// ```
/// use mdp::{Distribution, ModelBuilder, Rational, SimulateOptions, SolveOptions, simulate, solve};
///
/// // 3 in 4 to win.
/// let mut builder = ModelBuilder::new();
/// let chance = builder.weights(&[3, 1])?;
/// builder.choice(chance, &[1, 2])?;
/// builder.finish_state()?;
/// builder.finished(&[Rational::ONE])?;
/// builder.finished(&[Rational::ZERO])?;
/// let model = builder.build(None)?.model;
/// let solution = solve(&model, &SolveOptions::default())?;
///
/// let (start, options) = (Distribution::certain(0), SimulateOptions::default());
/// let simulation = simulate(solution.policy(), &start, &options, None)?;
/// assert!((simulation.mean() - 0.75).abs() < 5.0 * simulation.standard_error());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn simulate(
    policy: &Policy,
    start: &Distribution<StateId>,
    options: &SimulateOptions,
    budget: Option<&Budget<'_>>,
) -> Result<Simulation, Stopped> {
    /// Each block of plays has its own generator, so that blocks can be played in parallel.
    const BLOCKS: u32 = 64;
    let model: &Model = policy.model();
    let payoffs: Vec<f64> = model.code.payoffs.lists().iter().map(|list| list.first().map_or(0.0, nearest)).collect();
    let own = Budget::default();
    let budget = budget.unwrap_or(&own);
    budget.memory(model.bytes() + 4 * u64::from(model.states()))?;
    let played = AtomicU32::new(0);
    let visited: Vec<AtomicU32> = (0..model.states()).map(|_| AtomicU32::new(0)).collect();
    let play_block = |block: u32| {
        let plays = options.plays / BLOCKS + u32::from(block < options.plays % BLOCKS);
        let mut dice = Dice::new(options.seed, u64::from(block));
        let mut simulation = Simulation::default();
        let mut path = Vec::new();
        for _ in 0..plays {
            path.clear();
            let done = played.fetch_add(1, Ordering::Relaxed);
            let mut state = *dice.draw(start);
            path.push(state);
            let mut steps = 0;
            while let Some(choice) = policy.taken(state) {
                if steps == options.max_steps {
                    break;
                }
                budget.step(Stage::Simulating, done.into(), (options.plays - done).into())?;
                state = dice.next(model, &choice);
                path.push(state);
                steps += 1;
            }
            match model.code.payoff(state) {
                Some(payoff) => {
                    simulation.finished += 1;
                    simulation.sum += payoffs[payoff as usize];
                    simulation.squares += payoffs[payoff as usize].powi(2);
                }
                None => simulation.unfinished += 1,
            }
            path.sort_unstable();
            path.dedup();
            for state in &path {
                visited[*state as usize].fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(simulation)
    };
    let blocks = (0..BLOCKS).into_par_iter().map(play_block).collect::<Result<Vec<Simulation>, Stopped>>()?;
    let mut total = Simulation::default();
    for block in blocks {
        total.finished += block.finished;
        total.unfinished += block.unfinished;
        total.sum += block.sum;
        total.squares += block.squares;
    }
    total.visited = visited.into_iter().map(AtomicU32::into_inner).collect();
    Ok(total)
}
