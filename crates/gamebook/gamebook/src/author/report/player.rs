//! The results of a player.

use mdp::Value;

use crate::solve::{Length, SectionVisit};
use crate::terms::SectionNumber;

/// The results of a player.
#[derive(Clone, Debug)]
pub struct Player {
    /// The probability of winning.
    pub win: Odds,
    /// The number of sections that he enters, including the first; `None` if it may be infinite.
    pub sections: Option<Length>,
    /// The number of rolls; `None` if it may be infinite or is unknown.
    pub rolls: Option<Length>,
    /// The probability of winning in each section, the largest first.
    pub victories: Vec<(SectionNumber, f64)>,
    /// The probability of dying in each section, the largest first.
    pub deaths: Vec<(SectionNumber, f64)>,
    /// The sections that he visits.
    pub visits: Vec<SectionVisit>,
}

/// A probability: with proved bounds, or estimated if exact computation is too expensive.
#[derive(Clone, Debug)]
pub enum Odds {
    /// Computed.
    Known(Value),
    /// Estimated from simulated plays.
    Estimated {
        /// The number of wins.
        won: u32,
        /// The number of plays.
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
