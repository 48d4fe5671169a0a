//! The odds of a fight before it starts.

use std::path::Path;

use mdp::{Counts, Distribution, ExploreOptions, Rational};

use crate::fight::{Objective, Plays};
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
    let solved = solve_from(setup, objective, Plays::Promising, options)?;
    odds_of(setup, &solved)
}

/// Solves a fight with all plays, also those that cannot be best, and saves the solution: a
/// [`SavedFight`](crate::SavedFight) then gives advice on every position that can come up.
///
/// # Errors
/// When the states are too many for the limits of `options`, or the file cannot be written.
pub fn save_odds(
    setup: &Setup,
    objective: Objective,
    path: &Path,
    options: &ExploreOptions<'_>,
) -> Result<Odds, FightError> {
    let solved = solve_from(setup, objective, Plays::All, options)?;
    let odds = odds_of(setup, &solved)?;
    solved.save(setup, path).map_err(FightError::Save)?;
    Ok(odds)
}

fn solve_from(
    setup: &Setup,
    objective: Objective,
    plays: Plays,
    options: &ExploreOptions<'_>,
) -> Result<SolvedFights, FightError> {
    let each = setup.cultist_hp.iter().map(|health| Distribution::certain(setup.against(health)));
    let starts: Vec<_> = [setup.start()].into_iter().chain(each).collect();
    SolvedFights::new(objective, plays, &starts, options)
}

fn odds_of(setup: &Setup, solved: &SolvedFights) -> Result<Odds, FightError> {
    Ok(Odds {
        worth: solved.worth(0),
        by_cultist_hp: setup.cultist_hp.iter().zip(1..).map(|(health, start)| (health, solved.worth(start))).collect(),
        final_health: solved.final_health(0)?,
        counts: solved.counts(),
    })
}
