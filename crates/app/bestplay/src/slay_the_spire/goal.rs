//! The objective of the Ironclad.

use clap::ValueEnum;
use slay_the_spire::{Goal as GoalField, Objective};

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
    pub(super) fn field(self) -> GoalField {
        match self {
            Self::Health => GoalField::Health,
            Self::Survival => GoalField::Survival,
            Self::Loss => GoalField::Loss,
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
