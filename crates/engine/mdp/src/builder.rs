//! Models from numbers: state by state, for those that come from a file or a generator.

use std::fmt;
use std::sync::Arc;

use budget::{Budget, Progress, Stage, Stopped};
use dashu_int::UBig;

use crate::model::{CHANCE, Code, FINAL, LOW, MOST_STATES, Meaning, Model, REWARD, StateId, TooManyWeights, WeightsId};
use crate::numbers::Rational;
use crate::order::order;

/// Builds a [`Model`] state by state, in the caller's numbering.
///
/// ```
/// use mdp::{ModelBuilder, Rational, SolveOptions, ratio, solve};
///
/// // State 0 throws a coin until heads: then state 1, which pays 1.
/// let mut builder = ModelBuilder::new();
/// let coin = builder.weights(&[1, 1])?;
/// builder.choice(coin, &[1, 0])?;
/// builder.finish_state()?;
/// builder.finished(&[Rational::ONE])?;
/// let built = builder.build(None)?;
///
/// let solution = solve(&built.model, &SolveOptions::exact())?;
/// assert_eq!(solution.value(built.number_of(0)).exact, Some(ratio(1, 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    code: Code,
    targets_end: u32,
    /// Whether a reward has been added whose choice is still missing.
    rewarded: bool,
}

/// A model and where the caller's states are in it.
#[derive(Clone, Debug)]
pub struct Built {
    /// The model, in solving order.
    pub model: Arc<Model>,
    /// The number in the model of each of the caller's states; `None` when they are the same.
    pub numbers: Option<Vec<StateId>>,
}

impl Built {
    /// The number in the model of one of the caller's states.
    pub fn number_of(&self, state: StateId) -> StateId {
        self.numbers.as_ref().map_or(state, |numbers| numbers[state as usize])
    }
}

/// Why a model cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// The budget stopped the run.
    Stopped(Stopped),
    /// A state was finished that has neither choices nor a payoff.
    NoChoice {
        /// The caller's number of the state.
        state: StateId,
    },
    /// A choice leads to a state that does not exist.
    NoSuchState {
        /// The target of the choice.
        target: StateId,
        /// How many states there are.
        states: StateId,
    },
    /// A choice has a different number of targets than of weights.
    UnequalLengths {
        /// The number of weights.
        weights: usize,
        /// The number of targets.
        targets: usize,
    },
    /// A payoff was added in the middle of a state's choices.
    OverAndNotOver {
        /// The caller's number of the state.
        state: StateId,
    },
    /// A finished state has a different number of payoffs than the others, or none.
    UnequalPayoffs {
        /// How many payoffs the others have; at least 1.
        expected: usize,
        /// How many this one has.
        found: usize,
    },
    /// The last state was begun but not finished.
    Unfinished {
        /// The caller's number of the state.
        state: StateId,
    },
    /// There are no states at all.
    Empty,
    /// A weight is zero.
    ZeroWeight,
    /// More states, or more different weight vectors, payoffs or rewards, than fit their numbers.
    TooLarge,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stopped) => stopped.fmt(f),
            Self::NoChoice { state } => write!(f, "state {state} has neither a choice nor a payoff"),
            Self::NoSuchState { target, states } => {
                write!(f, "a choice leads to state {target}, but there are only {states} (numbered from 0)")
            }
            Self::UnequalLengths { weights, targets } => {
                write!(f, "a choice has {targets} targets for {weights} weights")
            }
            Self::OverAndNotOver { state } => write!(f, "state {state} has both choices and a payoff"),
            Self::UnequalPayoffs { expected, found } => {
                write!(f, "a finished state pays {found} payoffs where {expected} are expected")
            }
            Self::Unfinished { state } => write!(f, "state {state} was begun and not finished"),
            Self::Empty => f.write_str("there are no states"),
            Self::ZeroWeight => f.write_str("a weight is zero"),
            Self::TooLarge => f.write_str("more states, weight vectors, payoffs or rewards than have numbers"),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<Stopped> for BuildError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<TooManyWeights> for BuildError {
    fn from(_: TooManyWeights) -> Self {
        Self::TooLarge
    }
}

impl Default for ModelBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ModelBuilder {
    /// A builder without states.
    pub fn new() -> Self {
        Self { code: Code { offsets: vec![0], ..Code::default() }, targets_end: 0, rewarded: false }
    }

    /// Reserves room for this many states and words (a choice takes one word, and one for each target).
    #[must_use]
    pub fn with_capacity(states: usize, words: usize) -> Self {
        let mut builder = Self::new();
        builder.code.offsets.reserve_exact(states);
        builder.code.words.reserve_exact(words);
        builder
    }

    /// How many states are finished.
    pub fn states(&self) -> StateId {
        self.code.states()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.code.bytes()
    }

    /// The number of a weight vector, for [`choice`](Self::choice).
    ///
    /// # Errors
    /// When a weight is zero, or the table is full.
    pub fn weights(&mut self, weights: &[u64]) -> Result<WeightsId, BuildError> {
        if weights.is_empty() || weights.contains(&0) {
            return Err(BuildError::ZeroWeight);
        }
        Ok(self.code.weights.intern(Meaning::Chance, weights)?)
    }

    /// [`weights`](Self::weights) of any size.
    ///
    /// # Errors
    /// When a weight is zero, or the table is full.
    pub fn large_weights(&mut self, weights: &[UBig]) -> Result<WeightsId, BuildError> {
        if weights.is_empty() || weights.contains(&UBig::ZERO) {
            return Err(BuildError::ZeroWeight);
        }
        Ok(self.code.weights.intern_large(Meaning::Chance, weights)?)
    }

    /// Adds a choice to the state that is being built: each target with its weight.
    ///
    /// # Errors
    /// When the numbers of targets and weights differ.
    #[inline]
    pub fn choice(&mut self, weights: WeightsId, targets: &[StateId]) -> Result<(), BuildError> {
        let expected = self.code.weights.count(weights);
        if expected != targets.len() {
            return Err(BuildError::UnequalLengths { weights: expected, targets: targets.len() });
        }
        self.rewarded = false;
        self.code.words.push(CHANCE | weights);
        self.code.words.extend_from_slice(targets);
        self.targets_end = targets.iter().fold(self.targets_end, |end, target| end.max(target.saturating_add(1)));
        Ok(())
    }

    /// Sets the reward of the next choice, whatever its outcome.
    ///
    /// # Errors
    /// When there are too many different rewards, or the last reward still has no choice.
    pub fn reward(&mut self, reward: &Rational) -> Result<(), BuildError> {
        if self.rewarded {
            return Err(BuildError::NoChoice { state: self.code.states() });
        }
        if *reward == Rational::ZERO {
            return Ok(());
        }
        let id = self.code.rewards.intern(reward);
        if id > LOW {
            return Err(BuildError::TooLarge);
        }
        self.rewarded = true;
        self.code.words.push(REWARD | id);
        Ok(())
    }

    /// Finishes the state that is being built; the next call begins the next one.
    ///
    /// # Errors
    /// When it has no choice, or a reward without a choice.
    #[inline]
    pub fn finish_state(&mut self) -> Result<(), BuildError> {
        let state = self.code.states();
        let end = self.code.words.len() as u64;
        if self.code.offsets[state as usize] == end || self.rewarded {
            return Err(BuildError::NoChoice { state });
        }
        if state >= MOST_STATES {
            return Err(BuildError::TooLarge);
        }
        self.code.offsets.push(end);
        Ok(())
    }

    /// Adds a finished state with its payoffs, in order.
    ///
    /// # Errors
    /// When a state with choices has not been finished, when the number of payoffs is 0 or differs from that of the
    /// others, or when there are too many different payoffs.
    pub fn finished(&mut self, payoffs: &[Rational]) -> Result<(), BuildError> {
        let state = self.code.states();
        if self.code.offsets[state as usize] != self.code.words.len() as u64 {
            return Err(BuildError::OverAndNotOver { state });
        }
        let expected = self.code.payoffs.lists().first().map_or(payoffs.len().max(1), Vec::len);
        if payoffs.len() != expected {
            return Err(BuildError::UnequalPayoffs { expected, found: payoffs.len() });
        }
        let id = self.code.payoffs.intern(payoffs);
        if id > LOW {
            return Err(BuildError::TooLarge);
        }
        self.code.words.push(FINAL | id);
        self.finish_state()
    }

    /// Puts the states into solving order.
    ///
    /// # Errors
    /// When there are no states, the last one is not finished, a choice leads to one that does not exist, or the budget
    /// stops the run.
    pub fn build(self, budget: Option<&Budget<'_>>) -> Result<Built, BuildError> {
        let states = self.code.states();
        if self.code.offsets[states as usize] != self.code.words.len() as u64 {
            return Err(BuildError::Unfinished { state: states });
        }
        if states == 0 {
            return Err(BuildError::Empty);
        }
        if self.targets_end > states {
            return Err(BuildError::NoSuchState { target: self.targets_end - 1, states });
        }
        let own = Budget::default();
        let budget = budget.unwrap_or(&own);
        let (done, memory) = (states.into(), self.bytes());
        budget.advance(Progress { stage: Stage::Ordering, done, waiting: 0, memory })?;
        let (model, numbers) = order(self.code, memory, budget)?;
        Ok(Built { model: Arc::new(model), numbers })
    }
}
