//! Every state's value and best choices.

use std::fmt;
use std::ops::Range;

use budget::{Budget, Progress, Stage, Stopped};
use serde::{Deserialize, Serialize};

use crate::best::ChoiceSets;
use crate::bounds::{Bounds, sweep_intervals, sweep_rounded};
use crate::distribution::Distribution;
use crate::exact::{self, ExactValues};
use crate::explore::{ExploreOptions, in_pool};
use crate::linear::Effort;
use crate::method::Method;
use crate::model::{Level, Model, StateId};
use crate::objective::{ExactObjective, Objective};
use crate::policy::Policy;
use crate::rational::{Rational, decimal_text, enclose, exactly, nearest};
use crate::sense::Sense;

/// How to [`solve`].
///
/// ```
/// use mdp::{ExploreOptions, Sense, SolveOptions};
///
/// let threads = ExploreOptions::default().with_threads(2);
/// let options = SolveOptions::from(threads).with_sense(Sense::Min).with_exact(true);
/// assert!(options.exact && options.threads == Some(2));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SolveOptions<'a> {
    /// Whether every value is wanted exactly, and every set of best choices proved. Otherwise
    /// values are bounded in floating point, and choices that the bounds cannot tell apart all
    /// count as best. A game with several ordered payoffs is always solved exactly.
    pub exact: bool,
    /// Whether more is better.
    pub sense: Sense,
    /// What it may use, the model counted too, and who watches; `None` for a budget of its own with the
    /// default limits.
    pub budget: Option<&'a Budget<'a>>,
    /// How many threads; `None` for one on each core. The result is the same.
    pub threads: Option<usize>,
    /// How strongly connected components are solved.
    pub method: Method,
}

impl<'a> SolveOptions<'a> {
    /// Exact values, otherwise the default.
    pub fn exact() -> Self {
        Self::default().with_exact(true)
    }

    /// The same, exactly or in floating point.
    #[must_use]
    pub fn with_exact(self, exact: bool) -> Self {
        Self { exact, ..self }
    }

    /// The same where more is better, or less.
    #[must_use]
    pub fn with_sense(self, sense: Sense) -> Self {
        Self { sense, ..self }
    }

    /// The same within this budget.
    #[must_use]
    pub fn with_budget(self, budget: &'a Budget<'a>) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// The same where strongly connected components are solved in this way.
    #[must_use]
    pub fn with_method(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// The same with so many threads, at least 1.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads: Some(threads), ..self }
    }
}

impl<'a> From<ExploreOptions<'a>> for SolveOptions<'a> {
    /// The default with the same budget and threads.
    fn from(options: ExploreOptions<'a>) -> Self {
        Self { budget: options.budget, threads: options.threads, ..Self::default() }
    }
}

/// Why a model could not be solved.
#[derive(Clone, Debug)]
pub enum SolveError {
    /// The budget said stop.
    Stopped(Stopped),
    /// The budget said stop before values were exact, when bounds of all values were known.
    StoppedWithBounds {
        /// Why, and how far the run came.
        stopped: Stopped,
        /// What was known: bounds of the first objective, and the choices that could be best.
        bounds: Box<Solution>,
    },
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

impl SolveError {
    /// Why the run stopped, if the budget said so.
    pub fn stopped(&self) -> Option<&Stopped> {
        match self {
            Self::Stopped(stopped) | Self::StoppedWithBounds { stopped, .. } => Some(stopped),
            _ => None,
        }
    }
}

impl PartialEq for SolveError {
    /// Whether both say the same; bounds that were known are not compared.
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for SolveError {}

impl From<Stopped> for SolveError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stopped) | Self::StoppedWithBounds { stopped, .. } => stopped.fmt(f),
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
/// When the budget says stop, or a cyclic part is too large.
pub fn solve(model: &Model, options: &SolveOptions<'_>) -> Result<Solution, SolveError> {
    let exact = options.exact || model.objectives() > 1;
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |_| Solver { model, options, budget, exact, fixed: None }.solve())
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
/// let model = builder.build(None)?.model;
///
/// let timid = Policy::new(&model, |_| 1).expect("two choices");
/// assert_eq!(evaluate(&model, &timid, &SolveOptions::exact())?.value(0).exact, Some(Rational::ZERO));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(model: &Model, policy: &Policy, options: &SolveOptions<'_>) -> Result<Solution, SolveError> {
    let fixed = policy.as_sets(model);
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |_| Solver { model, options, budget, exact: options.exact, fixed: Some(&fixed) }.solve())
}

struct Solver<'a> {
    model: &'a Model,
    options: &'a SolveOptions<'a>,
    budget: &'a Budget<'a>,
    exact: bool,
    /// The choices of a policy that is only to be evaluated.
    fixed: Option<&'a ChoiceSets>,
}

impl Solver<'_> {
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
        Ok(self.solution(objectives, best.unwrap_or_default()))
    }

    fn solution(&self, objectives: Vec<Solved>, best: ChoiceSets) -> Solution {
        let policy = Policy::of(self.model, &best);
        let levels = self.model.levels().iter().map(|level| level.states.end).collect();
        Solution { objectives, best, policy, levels }
    }

    /// Bytes that solving may use beside the model.
    fn memory_left(&self, used: u64) -> Result<u64, SolveError> {
        let used = used + self.model.bytes();
        self.budget.memory(used)?;
        Ok(self.budget.limits().max_memory - used)
    }

    /// Bytes that the cyclic parts need which are solved side by side, before any equations: choices
    /// with their outcomes, collapsed and weighed, as numbers or as fractions.
    fn memory_of_parts(&self) -> u64 {
        const FLOAT: u64 = 96;
        const EXACT: u64 = 160;
        let words = |part: &Range<StateId>| -> u64 {
            part.clone().flat_map(|state| self.model.choices(state)).map(|choice| 1 + choice.targets.len() as u64).sum()
        };
        let parts = self.model.cyclic_parts();
        let largest = parts.iter().map(words).max().unwrap_or(0);
        let together = parts.len().min(rayon::current_num_threads()) as u64;
        largest * together * if self.exact { EXACT } else { FLOAT }
    }

    fn watch(&self, solved_from: StateId, memory: u64) -> Result<(), SolveError> {
        let done = u64::from(self.model.states() - solved_from);
        let progress = Progress { stage: Stage::Solving, done, waiting: u64::from(solved_from), memory };
        Ok(self.budget.advance(progress)?)
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
        let objective = Objective::new(&exact, allowed, self.options.method);
        let used: u64 = before
            .iter()
            .map(|solved| solved.bounds.bytes() + solved.exact.as_ref().map_or(0, ExactValues::bytes))
            .sum();
        let used = used + allowed.map_or(0, ChoiceSets::bytes);
        let states = u64::from(model.states());
        let numbers = states * (4 + if model.cyclic_parts().is_empty() { 8 } else { 16 });
        self.watch(model.states(), used)?;
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
        let go_on = || self.budget.check().map_err(SolveError::Stopped);
        let bounds = if Bounds::can_round(model, objective.smallest()) {
            sweep_rounded(&objective, &mut candidates, go_on, |solved_from| self.watch(solved_from, used))?
        } else {
            let most_entries = usize::try_from(self.memory_left(used)? / 64).unwrap_or(usize::MAX);
            let effort = Effort { most_entries, budget: self.budget };
            sweep_intervals(
                &objective,
                &mut candidates,
                effort,
                |part, stays, ends, start| exact::part_bounds(&exact, part, stays, ends, start, effort),
                may_stay,
                go_on,
                |level| self.watch(level.states.start, used),
            )?
        };
        if !bounds.largest().is_finite() {
            return Err(SolveError::ValueTooLarge);
        }
        let used = used + bounds.bytes() + candidates.bytes();
        let exact = if self.exact {
            let in_use = used + model.bytes();
            let progress = |level: &Level, memory| self.watch(level.states.start, used + memory);
            match exact::sweep(&exact, &bounds, &mut candidates, in_use, may_stay, self.budget, progress) {
                Err(SolveError::Stopped(stopped)) if number == 0 => {
                    let objectives = vec![Solved { bounds, exact: None, shift }];
                    let bounds = Box::new(self.solution(objectives, candidates));
                    return Err(SolveError::StoppedWithBounds { stopped, bounds });
                }
                exact => Some(exact?),
            }
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
        let shifted = |end: f64| exactly(end).map(|end| enclose(&(end - &solved.shift)));
        let lower = shifted(lower).map_or(f64::NEG_INFINITY, |lower| lower.0);
        let upper = shifted(upper).map_or(f64::INFINITY, |upper| upper.1);
        Value { lower, upper, exact: None }
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
        // In fractions, rounded outwards once. Nothing where an end is infinite.
        let mean = |end: fn(Value) -> f64| -> Option<(f64, f64)> {
            let ends = start.iter().map(|(state, _)| exactly(end(self.value_in(objective, *state))));
            let mut ends = ends.collect::<Option<Vec<_>>>()?.into_iter();
            Some(enclose(&start.expected_value(|_| ends.next().unwrap_or(Rational::ZERO))))
        };
        let lower = mean(|value| value.lower).map_or(f64::NEG_INFINITY, |ends| ends.0);
        let upper = mean(|value| value.upper).map_or(f64::INFINITY, |ends| ends.1);
        Value { lower, upper, exact: None }
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
