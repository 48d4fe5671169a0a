//! What the Ironclad plays for.

use clap::ValueEnum;
use slay_the_spire::{Goal as GoalSaid, Objective};

/// What the Ironclad plays for.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Goal {
    /// Expected health after the fight; if equal, the chance to survive
    #[default]
    Health,
    /// The chance to survive; if equal, expected health
    Survival,
    /// The least loss of health by who cannot die
    Loss,
}

impl Goal {
    /// The same as a field of a fight.
    pub(super) fn said(self) -> GoalSaid {
        match self {
            Self::Health => GoalSaid::Health,
            Self::Survival => GoalSaid::Survival,
            Self::Loss => GoalSaid::Loss,
        }
    }

    /// The same for the search.
    pub(super) fn objective(self) -> Objective {
        match self {
            Self::Health => Objective::Health,
            Self::Survival => Objective::Survival,
            Self::Loss => Objective::Loss,
        }
    }
}
