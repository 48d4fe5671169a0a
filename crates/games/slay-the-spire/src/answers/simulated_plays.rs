//! Simulated values of plays, or of decks, compared with each other.

use mdp::Number;
use serde::Serialize;

use super::named::Named;

/// Simulated values of one of several options, separate from proved ones.
#[derive(Clone, Debug, Serialize)]
pub struct SimulatedGain {
    /// Its value under best play.
    pub value: Number,
    /// The difference under best play from the option with which all are compared (ending the turn, or the unchanged
    /// deck).
    pub gain: Number,
    /// The same under the simulated policy.
    pub played_gain: Number,
    /// The mean of that difference so far: it orders options of the same rank.
    #[serde(skip)]
    pub mean: f64,
    /// One more than the number of other options that were better in simulated play, or are proved to be better; those
    /// with the same rank count as equal.
    pub rank: usize,
    /// The largest probability with which an interval of the answer is wrong.
    pub wrong_in_less_than: f64,
}

impl SimulatedGain {
    /// A sort key, best first: the rank, then the mean gain in simulated play.
    pub(crate) fn order(&self) -> (usize, f64) {
        (self.rank, -self.mean)
    }
}

/// Simulated values of a first play, compared with ending the turn.
#[derive(Clone, Debug, Serialize)]
pub struct SimulatedPlay {
    /// The play.
    #[serde(flatten)]
    pub play: Named,
    /// Its simulated values.
    #[serde(flatten)]
    pub simulated: SimulatedGain,
}
