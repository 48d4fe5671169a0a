//! What was simulated of the plays of a position.

use mdp::Number;
use serde::Serialize;

use super::named::Named;

/// What was simulated of a first play: apart from what is proved.
#[derive(Clone, Debug, Serialize)]
pub struct SimulatedPlay {
    /// The play.
    #[serde(flatten)]
    pub play: Named,
    /// What it is worth, by best play after it.
    pub value: Number,
    /// How much more that is than to end the turn.
    pub gain: Number,
    /// The same by the simulated way to play after it.
    pub played_gain: Number,
    /// One more than there are plays that were better as they were played; those with the same rank count as equal.
    pub rank: usize,
    /// How likely it is at most that an interval of the answer is wrong.
    pub wrong_in_less_than: f64,
}
