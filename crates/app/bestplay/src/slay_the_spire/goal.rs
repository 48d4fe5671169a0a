//! The objective of the Ironclad.

use clap::ValueEnum;
use slay_the_spire::{Goal as GoalSaid, Objective};

/// The objective of the Ironclad.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Goal {
    /// Expected health after the fight; if equal, the chance to survive
    #[default]
    Health,
    /// The chance to survive; if equal, expected health
    Survival,
    /// The least loss of health, for a hero who cannot die
    Loss,
}

impl Goal {
    /// The objective as a field of a request.
    pub(super) fn field(self) -> GoalSaid {
        match self {
            Self::Health => GoalSaid::Health,
            Self::Survival => GoalSaid::Survival,
            Self::Loss => GoalSaid::Loss,
        }
    }

    /// The objective for the search.
    pub(super) fn objective(self) -> Objective {
        match self {
            Self::Health => Objective::Health,
            Self::Survival => Objective::Survival,
            Self::Loss => Objective::Loss,
        }
    }
}
