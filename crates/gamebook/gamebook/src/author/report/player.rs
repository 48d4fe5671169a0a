//! How somebody fares.

use mdp::Value;

use crate::solve::{Length, SectionVisit};
use crate::terms::SectionNumber;

/// How somebody fares.
#[derive(Clone, Debug)]
pub struct Player {
    /// The probability to win.
    pub win: Odds,
    /// How many sections he enters, that of the start included; `None` where that may go on for ever.
    pub sections: Option<Length>,
    /// How often he rolls; `None` where that may go on for ever, or is not known.
    pub rolls: Option<Length>,
    /// Where he dies, the deadliest section first.
    pub deaths: Vec<(SectionNumber, f64)>,
    /// The sections into which he comes.
    pub visits: Vec<SectionVisit>,
}

/// A probability: between proved bounds, or estimated where its computation would take too much.
#[derive(Clone, Debug)]
pub enum Odds {
    /// Computed.
    Known(Value),
    /// So many of so many simulated plays.
    Estimated {
        /// How many were won.
        won: u32,
        /// How many were played.
        plays: u32,
    },
}

impl Odds {
    /// The probability, or its estimate.
    pub fn decimal(&self) -> f64 {
        match self {
            Self::Known(value) => value.decimal(),
            Self::Estimated { won, plays } => f64::from(*won) / f64::from(*plays),
        }
    }
}
