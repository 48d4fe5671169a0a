//! What was simulated of plays, or of decks, beside each other.

use mdp::Number;
use serde::Serialize;

use super::named::Named;

/// What was simulated of one of several things to do: apart from what is proved.
#[derive(Clone, Debug, Serialize)]
pub struct SimulatedGain {
    /// What it is worth, by best play.
    pub value: Number,
    /// How much better it is than what all are compared with (to end the turn, the deck as it is), by best play.
    pub gain: Number,
    /// The same by the simulated way to play.
    pub played_gain: Number,
    /// One more than there are others that were better as they were played; those with the same rank count as equal.
    pub rank: usize,
    /// How likely it is at most that an interval of the answer is wrong.
    pub wrong_in_less_than: f64,
}

impl SimulatedGain {
    /// The best first: by rank, and by what was gained as it was played.
    pub(crate) fn order(&self) -> (usize, f64) {
        (self.rank, -self.played_gain.decimal)
    }
}

/// What was simulated of a first play, beside ending the turn.
#[derive(Clone, Debug, Serialize)]
pub struct SimulatedPlay {
    /// The play.
    #[serde(flatten)]
    pub play: Named,
    /// What was simulated of it.
    #[serde(flatten)]
    pub simulated: SimulatedGain,
}
