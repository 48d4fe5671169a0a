//! Why a model could not be solved.

use std::fmt;

use budget::Stopped;

use super::Solution;
use super::exact_values::TooLarge;

/// Why a model could not be solved.
#[derive(Clone, Debug)]
pub enum SolveError {
    /// The budget stopped the run.
    Stopped(Stopped),
    /// The budget stopped the run before values were exact, when bounds of all values were known.
    StoppedWithBounds {
        /// Why, and the progress so far.
        stopped: Stopped,
        /// The bounds of the first objective, and the choices that could be best.
        bounds: Box<Solution>,
    },
    /// The exact equations of a component need more memory than allowed.
    SccTooLarge {
        /// How many states the component has.
        states: u32,
    },
    /// A total is infinite in a game with several ordered payoffs: the next payoff cannot decide between plays of
    /// infinite value.
    InfiniteTotal,
    /// The equations of a component have no solution, because play never leaves it.
    NeverLeaves {
        /// How many states the component has.
        states: u32,
    },
    /// A reward is negative: total rewards are defined here for rewards of at least 0.
    NegativeReward,
    /// A value is beyond the range of floating point (about 10^308).
    ValueTooLarge,
    /// More different denominators or more digits than fit their numbers.
    TooLarge,
    /// The requested precision is negative or not a number.
    Precision {
        /// The requested precision.
        asked: f64,
    },
}

impl SolveError {
    /// Why the run stopped, if the budget stopped it.
    pub fn stopped(&self) -> Option<&Stopped> {
        match self {
            Self::Stopped(stopped) | Self::StoppedWithBounds { stopped, .. } => Some(stopped),
            _ => None,
        }
    }
}

impl PartialEq for SolveError {
    /// Whether both are the same error; the bounds known so far are not compared.
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
            Self::SccTooLarge { states } => {
                write!(
                    f,
                    "a strongly connected component of {states} states needs more memory than allowed to be solved exactly"
                )
            }
            Self::InfiniteTotal => {
                f.write_str("an expected total is infinite, and with several ordered payoffs it must not be")
            }
            Self::NeverLeaves { states } => {
                write!(f, "play cannot leave a strongly connected component of {states} states")
            }
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
