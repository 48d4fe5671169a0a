//! Why there is no solution.

use std::fmt;

use budget::Stopped;

use super::Solution;
use super::exact_values::TooLarge;

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
    /// A total is infinite in a game with several ordered payoffs: what comes next cannot decide between plays that are worth
    /// infinitely much.
    InfiniteTotal,
    /// The equations of a cyclic part that play leaves have no solution.
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
    /// The precision that is asked for is negative or no number.
    Precision {
        /// What was asked for.
        asked: f64,
    },
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

impl From<TooLarge> for SolveError {
    fn from(_: TooLarge) -> Self {
        Self::TooLarge
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stopped) | Self::StoppedWithBounds { stopped, .. } => stopped.fmt(f),
            Self::PartTooLarge { states } => {
                write!(f, "a cyclic part of {states} states needs more memory than allowed to be solved exactly")
            }
            Self::InfiniteTotal => {
                f.write_str("an expected total is infinite, and with several ordered payoffs it must not be")
            }
            Self::NeverLeaves { states } => write!(f, "play cannot leave a cyclic part of {states} states"),
            Self::NegativeReward => f.write_str("a reward is negative"),
            Self::ValueTooLarge => f.write_str("a value is too large: payoffs and totals must stay below 10^307"),
            Self::TooLarge => f.write_str("more different denominators, or more digits, than can be numbered"),
            Self::Precision { asked } => {
                write!(f, "a precision of {asked}: bounds can be apart by a share of at least 0, such as 1e-9")
            }
        }
    }
}

impl std::error::Error for SolveError {}
