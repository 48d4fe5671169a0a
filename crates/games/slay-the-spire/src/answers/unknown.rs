//! Bounds of fights and positions before any search: wide, but they hold.

use budget::Stopped;
use mdp::Rational;

use super::advise::{Advice, named, outcomes};
use super::several::mixed;
use super::solve::{Counts, Solved, unsolved};
use crate::request::position::Position;
use crate::rules::RulesError;
use crate::rules::action::Action;
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

/// The least informative answer of [`advise`](crate::advise()), for a run that was stopped before any result: the
/// possible first plays.
///
/// # Errors
/// When the objective does not suit such a fight.
pub fn unknown_plays(position: &Position, objective: Objective, stopped: Stopped) -> Result<Advice, RulesError> {
    let payoff = Payoff::new(objective, &position.rules)?;
    let nothing = unsolved(&position.rules, &payoff, objective, &[position.health], Counts::default(), stopped);
    let (mut first, mut turns) = (Vec::new(), Vec::new());
    for (action, _) in outcomes(&position.rules, &position.state) {
        let (play, worth) = (named(&position.rules, action), nothing.worths[0].clone());
        let turn = if action == Action::EndTurn { Vec::new() } else { vec![play.clone()] };
        turns.push((turn, worth.clone()));
        first.push((play, worth));
    }
    Ok(Advice { first, turns, simulated: Vec::new(), stopped: Some(stopped) })
}

#[cfg(test)]
mod tests;
