//! Why a game could not be explored.

use std::fmt;

use budget::Stopped;

use crate::model::TooManyWeights;

/// The most characters of a state in an error message.
const LONGEST_STATE: usize = 500;

/// Why a game could not be explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExploreError {
    /// The budget stopped the run.
    Stopped(Stopped),
    /// The game has no start.
    NoStart,
    /// The rules of a state record neither a payoff nor a choice.
    NoRules {
        /// The state, as `Debug` writes it.
        state: String,
    },
    /// A choice has no possible outcome.
    NothingCanHappen {
        /// The state, as `Debug` writes it.
        state: String,
    },
    /// A choice has a different number of outcomes than of weights.
    UnequalOutcomes {
        /// The state, as `Debug` writes it.
        state: String,
    },
    /// The rules of a state record both a payoff and a choice.
    OverAndNotOver {
        /// The state, as `Debug` writes it.
        state: String,
    },
    /// A choice earns a negative reward, or several.
    BadReward {
        /// The state, as `Debug` writes it.
        state: String,
    },
    /// A finished state has a different number of payoffs than the others.
    UnequalPayoffs {
        /// How many payoffs the others have.
        expected: usize,
        /// How many this one has.
        found: usize,
    },
    /// More different weight vectors, payoffs or shared chance nodes than fit their numbers (2^30).
    TooLarge,
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stopped) => stopped.fmt(f),
            Self::NoStart => f.write_str("the game has no start"),
            Self::NoRules { state } => write!(f, "a state has neither a payoff nor a choice ({state})"),
            Self::NothingCanHappen { state } => write!(f, "a choice is left to a chance of no outcomes ({state})"),
            Self::UnequalOutcomes { state } => {
                write!(f, "a choice has not as many outcomes as there are weights ({state})")
            }
            Self::OverAndNotOver { state } => write!(f, "a state has both a payoff and choices ({state})"),
            Self::BadReward { state } => write!(f, "a choice has a negative reward, or several rewards ({state})"),
            Self::UnequalPayoffs { expected, found } => {
                write!(f, "a finished state pays {found} payoffs where others pay {expected}")
            }
            Self::TooLarge => f.write_str("more than 2^30 different weight vectors, payoffs or shared chance nodes"),
        }
    }
}

impl std::error::Error for ExploreError {}

impl From<Stopped> for ExploreError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<TooManyWeights> for ExploreError {
    fn from(_: TooManyWeights) -> Self {
        Self::TooLarge
    }
}

/// A state as text for an error message.
pub(crate) fn shown<S: fmt::Debug>(state: &S) -> String {
    format!("{state:?}").chars().take(LONGEST_STATE).collect()
}

/// Adds the state to an error that has none yet.
pub(super) fn with_state<S: fmt::Debug>(error: ExploreError, state: &S) -> ExploreError {
    let state = || shown(state);
    match error {
        ExploreError::NoRules { .. } => ExploreError::NoRules { state: state() },
        ExploreError::NothingCanHappen { .. } => ExploreError::NothingCanHappen { state: state() },
        ExploreError::UnequalOutcomes { .. } => ExploreError::UnequalOutcomes { state: state() },
        ExploreError::BadReward { .. } => ExploreError::BadReward { state: state() },
        ExploreError::OverAndNotOver { .. } => ExploreError::OverAndNotOver { state: state() },
        other => other,
    }
}
