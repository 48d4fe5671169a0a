//! The beginnings of requests.

use super::induced_chain::Ending;
use crate::numbers::chance::Chance;

/// The target of something.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Root {
    /// To a decision of the player.
    Point(u32),
    /// To the roll of the enemies' next moves.
    After(u32),
    /// To an end of the fight.
    End(Ending),
}

/// Targets with probabilities, and the health there at the start of the turn.
pub(crate) type Mix = Vec<(Chance, Root, i16)>;
