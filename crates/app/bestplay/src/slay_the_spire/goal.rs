//! What the Ironclad plays for, and how it is told.

use clap::ValueEnum;
use mdp::{Rational, nearest};
use slay_the_spire::{FightError, Objective, Worth, act1};

use crate::numbers::percent;
use crate::output::Failure;

/// What the Ironclad plays for.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Goal {
    /// Expected health after the fight; if equal, the chance to survive
    #[default]
    Health,
    /// The chance to survive; if equal, expected health
    Survival,
    /// The least loss of health by who cannot die; in fights of Act 1
    Loss,
}

impl Goal {
    /// The same as a field of a fight of Act 1.
    pub(super) fn said(self) -> act1::Goal {
        match self {
            Self::Health => act1::Goal::Health,
            Self::Survival => act1::Goal::Survival,
            Self::Loss => act1::Goal::Loss,
        }
    }

    /// The same for the Cultist's fight of the talk.
    pub(super) fn of_the_talk(self) -> Result<Objective, Failure> {
        match self {
            Self::Health => Ok(Objective::Health),
            Self::Survival => Ok(Objective::Survival),
            Self::Loss => {
                Err(Failure::bad_input("--objective loss is for fights of Act 1", "name the enemies: --enemy cultist"))
            }
        }
    }
}

/// A change of health, or of the chance to survive, with its sign.
pub(super) fn change(difference: &Rational, objective: Objective) -> String {
    let (differs, difference) = (*difference != Rational::ZERO, nearest(difference));
    match objective {
        Objective::Health if differs && difference.abs() < 0.0005 => format!("{difference:+.1e}"),
        Objective::Survival if differs && difference.abs() < 0.000_005 => format!("{:+.1e} %", 100.0 * difference),
        Objective::Health if difference.abs() < 0.0005 => "0.000".into(),
        Objective::Health => format!("{difference:+.3}"),
        Objective::Survival if difference.abs() < 0.000_005 => "0.000 %".into(),
        Objective::Survival => format!("{:+.3} %", 100.0 * difference),
    }
}

/// What the player plays for, in words for a table.
pub(super) fn value_in_words(worth: &Worth, objective: Objective) -> String {
    match objective {
        Objective::Health => format!("{:.3}", nearest(&worth.health)),
        Objective::Survival => percent(&worth.survival),
    }
}

/// The failure of fights that could not be solved.
pub(super) fn unsolved(error: &FightError) -> Failure {
    match error.stopped() {
        Some(stopped) => Failure::from(*stopped),
        None => Failure::failed(error, "ask about a smaller deck"),
    }
}
