//! The odds of a fight before it starts.

use mdp::{Counts, Distribution, ExploreOptions, Rational};

use crate::fight::Objective;
use crate::setup::Setup;
use crate::solved::{FightError, SolvedFights, Worth};

/// What a fight is worth before it starts, played best.
#[derive(Clone, Debug)]
pub struct Odds {
    /// What it is worth, whatever health the Cultist turns out to have.
    pub worth: Worth,
    /// For every health of the Cultist what it is worth against that one.
    pub by_cultist_hp: Vec<(u16, Worth)>,
    /// Every health with which the Ironclad can end the fight, 0 for death, and how likely it is.
    pub final_health: Vec<(u16, Rational)>,
    /// How large the solved model was.
    pub counts: Counts,
}

/// Solves a fight.
///
/// # Errors
/// When the states are too many for the limits of `options`.
pub fn odds(setup: &Setup, objective: Objective, options: &ExploreOptions<'_>) -> Result<Odds, FightError> {
    let healths = setup.cultist_hp.iter();
    let each = healths.clone().map(|health| Distribution::certain(setup.against(health)));
    let starts: Vec<_> = [setup.start()].into_iter().chain(each).collect();
    let solved = SolvedFights::new(objective, &starts, options)?;
    Ok(Odds {
        worth: solved.worth(0),
        by_cultist_hp: healths.zip(1..).map(|(health, start)| (health, solved.worth(start))).collect(),
        final_health: solved.final_health(0)?,
        counts: solved.counts(),
    })
}
