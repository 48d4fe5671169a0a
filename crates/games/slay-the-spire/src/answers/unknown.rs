//! Bounds of fights before any search: wide, but they hold.

use budget::Stopped;
use mdp::Rational;

use super::several::mixed;
use super::solve::{Counts, Solved, unsolved};
use crate::rules::RulesError;
use crate::rules::setup::{Foe, Hero};
use crate::search::payoff::{Objective, Payoff};

/// The least informative answer of [`solve_several`](crate::solve_several), for a run that was stopped before any
/// result.
///
/// # Errors
/// When a fight is not modelled.
pub fn unknown_fights(
    hero: &Hero,
    encounters: &[(Rational, Vec<Foe>)],
    healths: &[i16],
    objective: Objective,
    stopped: Stopped,
) -> Result<Solved, RulesError> {
    let part = |(share, foes): &(Rational, Vec<Foe>)| {
        let rules = hero.rules(foes)?.beginning_with(healths.first().copied().unwrap_or(hero.max_health));
        let payoff = Payoff::new(objective, &rules)?;
        Ok((share.clone(), unsolved(&rules, &payoff, objective, healths, Counts::default(), stopped)))
    };
    Ok(mixed(&encounters.iter().map(part).collect::<Result<Vec<_>, RulesError>>()?))
}

#[cfg(test)]
mod tests;
