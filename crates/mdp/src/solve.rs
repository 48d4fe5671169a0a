//! Every state's value and best choices.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::best::ChoiceSets;
use crate::bounds::{self, Bounds, sweep_intervals, sweep_rounded};
use crate::distribution::Distribution;
use crate::exact::{self, ExactObjective, ExactValues};
use crate::explore::in_pool;
use crate::limits::{Interrupts, Limits, Progress, Stage, Stopped, UNWATCHED, Watch};
use crate::linear::Effort;
use crate::model::{Model, StateId};
use crate::policy::Policy;
use crate::rational::{Rational, decimal_text, enclose, nearest};

/// Whether more is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sense {
    /// More is better: what players want.
    #[default]
    Max,
    /// Less is better.
    Min,
}

impl Sense {
    pub(crate) fn worst(self) -> f64 {
        match self {
            Self::Max => f64::NEG_INFINITY,
            Self::Min => f64::INFINITY,
        }
    }

    pub(crate) fn better(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Max => a.max(b),
            Self::Min => a.min(b),
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

/// How to [`solve`].
#[derive(Clone, Copy)]
pub struct SolveOptions<'a> {
    /// Whether every value is wanted exactly, and every set of best choices proved. Otherwise
    /// values are bounded in floating point, and choices that the bounds cannot tell apart all
    /// count as best. A game with several ordered payoffs is always solved exactly.
    pub exact: bool,
    /// Whether more is better.
    pub sense: Sense,
    /// Where to stop; the limit on memory counts the model too.
    pub limits: Limits,
    /// How many threads; `None` for one on each core. The result is the same.
    pub threads: Option<usize>,
    /// Told how far it has come.
    pub watch: Watch<'a>,
}

impl Default for SolveOptions<'_> {
    fn default() -> Self {
        Self { exact: false, sense: Sense::Max, limits: Limits::default(), threads: None, watch: UNWATCHED }
    }
}

impl SolveOptions<'_> {
    /// Exact values, otherwise the default.
    pub fn exact() -> Self {
        Self { exact: true, ..Self::default() }
    }
}

impl fmt::Debug for SolveOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolveOptions").field("exact", &self.exact).field("sense", &self.sense).finish_non_exhaustive()
    }
}

/// Why a model could not be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// A limit was reached, or the watch interrupted.
    Stopped(Stopped),
    /// The exact equations of a cyclic part need more memory than allowed.
    PartTooLarge {
        /// How many states the part has.
        states: u32,
    },
    /// With rewards, no policy leaves a part, or the best total has no bound because play can go
    /// round in it for ever.
    NeverLeaves {
        /// How many states the part has.
        states: u32,
    },
    /// A reward is negative: total rewards are defined here for rewards of at least 0.
    NegativeReward,
    /// A value is beyond the range of floating point (about 10^308).
    ValueTooLarge,
    /// More different denominators or more digits than can be numbered.
    TooLarge,
}

/// Rounded to nearest; the smallest number where that would make nothing of something.
fn nearest_but_zero(value: &Rational) -> f64 {
    let rounded = nearest(value);
    if rounded == 0.0 && *value != Rational::ZERO { f64::from_bits(1) } else { rounded }
}

impl SolveError {
    /// The watch interrupted; [`solve`] fills in the rest.
    pub(crate) fn interrupted() -> Self {
        let progress = Progress { stage: Stage::Solving, done: 0, waiting: 0, memory: 0 };
        Self::Stopped(Stopped::Interrupted { progress })
    }

    /// More memory is needed than there may be; [`solve`] fills in the rest.
    pub(crate) fn memory(needed: u64) -> Self {
        let progress = Progress { stage: Stage::Solving, done: 0, waiting: 0, memory: 0 };
        Self::Stopped(Stopped::TooMuchMemory { limit: 0, needed, progress })
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stopped) => stopped.fmt(f),
            Self::PartTooLarge { states } => {
                write!(f, "a cyclic part of {states} states needs more memory than allowed to be solved exactly")
            }
            Self::NeverLeaves { states } => {
                write!(f, "play cannot leave a cyclic part of {states} states, or earns rewards in it without end")
            }
            Self::NegativeReward => f.write_str("a reward is negative"),
            Self::ValueTooLarge => f.write_str("a value is too large: payoffs and totals must stay below 10^307"),
            Self::TooLarge => f.write_str("more different denominators, or more digits, than can be numbered"),
        }
    }
}

impl std::error::Error for SolveError {}

/// What a state is worth: bounds that hold, and the exact value if it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Not above the value.
    pub lower: f64,
    /// Not below the value.
    pub upper: f64,
    /// The value itself.
    pub exact: Option<Rational>,
}

impl Value {
    /// An exact value, with the tightest bounds.
    pub fn exactly(value: Rational) -> Self {
        let (lower, upper) = enclose(&value);
        Self { lower, upper, exact: Some(value) }
    }

    /// The number to print: nearest to the exact value, or the middle of the bounds.
    pub fn decimal(&self) -> f64 {
        self.exact.as_ref().map_or_else(|| f64::midpoint(self.lower, self.upper), nearest)
    }

    /// How far the bounds are apart.
    pub fn width(&self) -> f64 {
        (self.upper - self.lower).next_up()
    }
}

/// Values of all states in one objective.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Solved {
    bounds: Bounds,
    exact: Option<ExactValues>,
    /// What was added to every payoff to make all at least 0.
    shift: Rational,
}

/// A solved model: every state's value and best choices.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Solution {
    objectives: Vec<Solved>,
    best: ChoiceSets,
    policy: Policy,
    levels: Vec<u32>,
}

/// Finds the value of every state under best play, and all choices that are best.
///
/// # Errors
/// When a limit is reached or the watch interrupts, or a cyclic part is too large.
pub fn solve(model: &Model, options: &SolveOptions<'_>) -> Result<Solution, SolveError> {
    let exact = options.exact || model.objectives() > 1;
    in_pool(options.threads, |_| Solver::new(model, options, exact, None).solve())
}

/// The values of one fixed policy, for every state. [`Solution::best`] then holds its choices.
///
/// # Errors
/// As for [`solve`].
///
/// ```
/// use mdp::{ModelBuilder, Policy, Rational, SolveOptions, evaluate, ratio};
///
/// // Throw a coin for 1, or take nothing.
/// let mut builder = ModelBuilder::new();
/// let (coin, certain) = (builder.weights(&[1, 1])?, builder.weights(&[1])?);
/// builder.choice(coin, &[1, 2])?;
/// builder.choice(certain, &[2])?;
/// builder.finish_state()?;
/// builder.finished(&[Rational::ONE])?;
/// builder.finished(&[Rational::ZERO])?;
/// let model = builder.build()?.model;
///
/// let timid = Policy::new(&model, |_| 1).expect("two choices");
/// assert_eq!(evaluate(&model, &timid, &SolveOptions::exact())?.value(0).exact, Some(Rational::ZERO));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(model: &Model, policy: &Policy, options: &SolveOptions<'_>) -> Result<Solution, SolveError> {
    let fixed = policy.as_sets(model);
    in_pool(options.threads, |_| Solver::new(model, options, options.exact, Some(&fixed)).solve())
}

struct Solver<'a> {
    model: &'a Model,
    options: &'a SolveOptions<'a>,
    exact: bool,
    /// The choices of a policy that is only to be evaluated.
    fixed: Option<&'a ChoiceSets>,
    interrupts: Interrupts<'a>,
}

impl<'a> Solver<'a> {
    fn new(model: &'a Model, options: &'a SolveOptions<'a>, exact: bool, fixed: Option<&'a ChoiceSets>) -> Self {
        let waiting = u64::from(model.states());
        let progress = Progress { stage: Stage::Solving, done: 0, waiting, memory: 0 };
        Self { model, options, exact, fixed, interrupts: Interrupts::new(options.watch, progress) }
    }

    fn solve(&self) -> Result<Solution, SolveError> {
        let zero = Rational::ZERO;
        if self.model.rewards().iter().any(|reward| *reward < zero) {
            return Err(SolveError::NegativeReward);
        }
        let mut objectives: Vec<Solved> = Vec::new();
        let mut best: Option<ChoiceSets> = None;
        for number in 0..self.model.objectives().max(1) {
            let (solved, sets) = self.objective(number, self.fixed.or(best.as_ref()), &objectives)?;
            objectives.push(solved);
            best = Some(sets);
        }
        let best = best.unwrap_or_default();
        let policy = Policy::of(self.model, &best);
        let levels = self.model.levels().iter().map(|level| level.states.end).collect();
        Ok(Solution { objectives, best, policy, levels })
    }

    /// Bytes that solving may use beside the model.
    fn memory_left(&self, used: u64) -> Result<u64, SolveError> {
        let limit = self.options.limits.max_memory;
        let used = used + self.model.bytes();
        limit.checked_sub(used).ok_or_else(|| self.stopped_by_memory(used, 0, 0))
    }

    /// Bytes that the cyclic parts need which are solved side by side, before any equations: choices
    /// with their outcomes, collapsed and weighed, as numbers or as fractions.
    fn memory_of_parts(&self) -> u64 {
        const FLOAT: u64 = 64;
        const EXACT: u64 = 160;
        let words = |part: &Range<StateId>| -> u64 {
            part.clone().flat_map(|state| self.model.choices(state)).map(|choice| 1 + choice.targets.len() as u64).sum()
        };
        let parts = self.model.cyclic_parts();
        let largest = parts.iter().map(words).max().unwrap_or(0);
        let together = parts.len().min(rayon::current_num_threads()) as u64;
        largest * together * if self.exact { EXACT } else { FLOAT }
    }

    fn stopped_by_memory(&self, needed: u64, done: u64, memory: u64) -> SolveError {
        let waiting = u64::from(self.model.states()) - done;
        let progress = Progress { stage: Stage::Solving, done, waiting, memory };
        SolveError::Stopped(Stopped::TooMuchMemory { limit: self.options.limits.max_memory, needed, progress })
    }

    fn watch(&self, solved_from: StateId, memory: u64) -> Result<(), SolveError> {
        let done = u64::from(self.model.states() - solved_from);
        let progress = Progress { stage: Stage::Solving, done, waiting: u64::from(solved_from), memory };
        self.interrupts.advance(progress).map_err(SolveError::Stopped)
    }

    /// An interruption from inside a part, with how far the run has come.
    fn explained(&self, error: SolveError) -> SolveError {
        match error {
            SolveError::Stopped(Stopped::Interrupted { .. }) => {
                self.interrupts.check().map_or_else(SolveError::Stopped, |()| error)
            }
            error => error,
        }
    }

    fn objective(
        &self,
        number: usize,
        allowed: Option<&ChoiceSets>,
        before: &[Solved],
    ) -> Result<(Solved, ChoiceSets), SolveError> {
        let model = self.model;
        let payoffs: Vec<&Rational> = model.code.payoffs.lists().iter().filter_map(|list| list.get(number)).collect();
        let least = payoffs.iter().copied().min().cloned().unwrap_or(Rational::ZERO);
        let shift = if least < Rational::ZERO { -least } else { Rational::ZERO };
        let exact = ExactObjective {
            model,
            sense: self.options.sense,
            payoffs: payoffs.into_iter().map(|payoff| payoff + &shift).collect(),
            // Rewards count for the first objective only.
            rewards: if number == 0 { model.rewards().to_vec() } else { Vec::new() },
            forever: shift.clone(),
        };
        let objective = bounds::Objective {
            model,
            sense: exact.sense,
            payoffs: exact.payoffs.iter().map(nearest_but_zero).collect(),
            rewards: exact.rewards.iter().map(nearest_but_zero).collect(),
            forever: nearest_but_zero(&exact.forever),
            allowed,
        };
        let used: u64 = before
            .iter()
            .map(|solved| solved.bounds.bytes() + solved.exact.as_ref().map_or(0, ExactValues::bytes))
            .sum();
        let used = used + allowed.map_or(0, ChoiceSets::bytes);
        let states = u64::from(model.states());
        let numbers = states * (4 + if model.cyclic_parts().is_empty() { 8 } else { 16 });
        self.memory_left(used + numbers + self.memory_of_parts())?;
        // A play that goes on for ever earns 0 in every objective: only where that is best so far
        // may it be chosen. With rewards it never reaches its goal.
        let may_stay = |state: StateId| {
            exact.rewards.is_empty()
                && (self.fixed.is_some()
                    || before
                        .iter()
                        .all(|solved| solved.exact.as_ref().is_none_or(|exact| exact.value(state) == solved.shift)))
        };
        let mut candidates = ChoiceSets::default();
        let smallest = objective
            .payoffs
            .iter()
            .chain(&objective.rewards)
            .copied()
            .filter(|payoff| *payoff > 0.0)
            .fold(f64::INFINITY, f64::min);
        let bounds = if Bounds::can_round(model, smallest) {
            self.watch(model.states(), 0)?;
            sweep_rounded(&objective, &mut candidates)
        } else {
            let most_entries = (self.memory_left(used)? / 64) as usize;
            let effort = Effort { most_entries, interrupted: &|| self.interrupts.interrupted() };
            sweep_intervals(
                &objective,
                &mut candidates,
                effort,
                |part, stays, ends, start| {
                    self.interrupts.check().map_err(SolveError::Stopped)?;
                    exact::part_bounds(&exact, part, stays, ends, start, effort)
                },
                may_stay,
                |level| self.watch(level.states.start, used),
            )
            .map_err(|error| self.explained(error))?
        };
        if !bounds.largest().is_finite() {
            return Err(SolveError::ValueTooLarge);
        }
        let used = used + bounds.bytes() + candidates.bytes();
        let exact = if self.exact {
            let left = self.memory_left(used)?;
            let mut done = 0;
            let values =
                exact::sweep(&exact, &bounds, &mut candidates, left, may_stay, &self.interrupts, |level, memory| {
                    done = u64::from(model.states() - level.states.start);
                    self.watch(level.states.start, used + memory)
                });
            Some(values.map_err(|error| match error {
                SolveError::Stopped(Stopped::TooMuchMemory { limit: 0, needed, .. }) => {
                    self.stopped_by_memory(used + self.model.bytes() + needed, done, used)
                }
                error => self.explained(error),
            })?)
        } else {
            None
        };
        Ok((Solved { bounds, exact, shift }, candidates))
    }
}

impl Solution {
    /// How many payoffs were optimised, one after the other.
    pub fn objectives(&self) -> usize {
        self.objectives.len()
    }

    /// A state's value in the first objective.
    pub fn value(&self, state: StateId) -> Value {
        self.value_in(0, state)
    }

    /// A state's value in one of the objectives, counted from 0.
    ///
    /// # Panics
    /// When there is no such objective or state.
    pub fn value_in(&self, objective: usize, state: StateId) -> Value {
        let solved = &self.objectives[objective];
        if let Some(exact) = &solved.exact {
            return Value::exactly(exact.value(state) - &solved.shift);
        }
        let level = self.levels.partition_point(|end| *end <= state);
        let (lower, upper) = solved.bounds.of(level, state);
        if solved.shift == Rational::ZERO {
            return Value { lower, upper, exact: None };
        }
        let (below, above) = enclose(&solved.shift);
        Value { lower: (lower - above).next_down(), upper: (upper - below).next_up(), exact: None }
    }

    /// The value of a start: the mean over its states.
    pub fn value_of(&self, start: &Distribution<StateId>) -> Value {
        self.value_of_in(0, start)
    }

    /// The value of a start in one of the objectives, counted from 0.
    ///
    /// # Panics
    /// When there is no such objective.
    pub fn value_of_in(&self, objective: usize, start: &Distribution<StateId>) -> Value {
        if self.is_exact() {
            let exact = |state: &StateId| self.value_in(objective, *state).exact.unwrap_or(Rational::ZERO);
            return Value::exactly(start.expected_value(exact));
        }
        let (mut lower, mut upper, mut size) = (0.0, 0.0, 0.0);
        for (state, probability) in start.probabilities() {
            let value = self.value_in(objective, *state);
            let probability = nearest(&probability);
            lower += probability * value.lower;
            upper += probability * value.upper;
            size += probability * value.lower.abs().max(value.upper.abs());
        }
        if start.len() == 1 {
            return Value { lower, upper, exact: None };
        }
        // Here signs can differ, so the error is relative to the sum of the magnitudes.
        let error = size * bounds::relative_error(start.len() as u64 + 4);
        Value { lower: (lower - error).next_down(), upper: (upper + error).next_up(), exact: None }
    }

    /// Whether values are exact and every set of best choices is proved.
    pub fn is_exact(&self) -> bool {
        self.objectives.iter().all(|solved| solved.exact.is_some())
    }

    /// All best choices of every state. Unless [`is_exact`](Self::is_exact), those that the bounds
    /// cannot tell apart.
    pub fn best(&self) -> &ChoiceSets {
        &self.best
    }

    /// The one choice that the documented rule takes: see [`Policy`].
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The denominator that all values and probabilities from this state on have in common, before
    /// they are reduced; `None` unless solved exactly.
    pub(crate) fn denominator(&self, state: StateId) -> Option<&dashu_int::UBig> {
        self.objectives.last()?.exact.as_ref().map(|exact| exact.denominator(state))
    }

    /// Whether this can be a solution of the model: for solutions that were read from a file.
    pub(crate) fn check(&self, model: &Model) -> Result<(), &'static str> {
        let states = model.states() as usize;
        let fits = |solved: &Solved| {
            solved.bounds.check(states, self.levels.len())
                && *solved.shift.denominator() != dashu_int::UBig::ZERO
                && solved.exact.as_ref().is_none_or(|exact| exact.check(states))
        };
        let ends = model.levels().iter().map(|level| level.states.end);
        if self.objectives.len() != model.objectives().max(1)
            || !self.objectives.iter().all(fits)
            || !ends.eq(self.levels.iter().copied())
        {
            return Err("values that are not those of its states");
        }
        self.best.check(model)?;
        self.policy.check(model)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let values: u64 = self
            .objectives
            .iter()
            .map(|solved| solved.bounds.bytes() + solved.exact.as_ref().map_or(0, ExactValues::bytes))
            .sum();
        values + self.best.bytes()
    }
}

impl fmt::Display for Value {
    /// The decimal, and how sure it is: `0.8731436491536937`, or `0.87314364915369 +- 2e-15`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal_text(self.decimal()))?;
        if self.exact.is_none() && self.width() > 0.0 {
            write!(f, " ± {:.0e}", self.width() / 2.0)?;
        }
        Ok(())
    }
}
