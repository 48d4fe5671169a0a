//! Where what is asked about begins.

use super::induced_chain::Ending;
use crate::numbers::chance::Chance;

/// Where something leads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Root {
    /// To a decision of the player.
    Point(u32),
    /// To the roll of the enemies' next moves.
    After(u32),
    /// To an end of the fight.
    End(Ending),
}

/// Where something leads, with chances, and the health there at the start of the turn.
pub(crate) type Mix = Vec<(Chance, Root, i16)>;
