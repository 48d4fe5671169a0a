//! What is known of fights and positions at which nobody has looked: wide bounds that hold.

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

/// What [`solve_several`](crate::solve_several) tells at least, where it was stopped before it could tell more.
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

/// What [`advise`](crate::advise()) tells at least, where it was stopped before it could tell more: what can be played first.
///
/// # Errors
/// When this cannot be asked about such a fight.
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
    Ok(Advice { first, turns, stopped: Some(stopped) })
}

#[cfg(test)]
mod tests {
    use budget::{Budget, Progress, Reason};
    use mdp::ratio;

    use super::super::solve::{Asked, Exactness};
    use super::super::worth::Interval;
    use super::*;
    use crate::{PositionFile, advise, solve_several};

    const STOPPED: Stopped = Stopped { reason: Reason::States { limit: 1 }, progress: Progress::NONE };

    fn holds(wide: Interval, true_one: Interval) {
        assert!(wide.lower <= true_one.lower && true_one.upper <= wide.upper, "{wide:?} {true_one:?}");
    }

    #[test]
    fn what_is_known_of_nothing_holds() {
        let hero = Hero::new(0);
        let encounters = ["cultist", "looter"].map(|kind| (ratio(1, 2), vec![Foe::of(kind.parse().unwrap(), 0)]));
        let weighted = Objective::Weighted { health: 2.0, survival: 7.0, potion: 1.0, max_health: 0.5 };
        for objective in [Objective::Health, Objective::Survival, Objective::Loss, weighted] {
            let asked = (&hero, &encounters[..], &[60, 20][..]);
            let known = unknown_fights(asked.0, asked.1, asked.2, objective, STOPPED).unwrap();
            let solved =
                solve_several(asked.0, asked.1, asked.2, objective, Asked::default(), &Budget::unlimited()).unwrap();
            assert_eq!(known.stopped, Some(STOPPED));
            for (wide, worth) in known.worths.iter().zip(&solved.worths) {
                assert_eq!(wide.health, worth.health);
                holds(wide.value, worth.value);
                holds(wide.survival, worth.survival);
            }
        }
    }

    #[test]
    fn every_first_play_is_told() {
        let text = r#"{"hp": 20, "hand": {"strike": 2, "defend": 1, "bash": 1}, "draw": {"strike": 2, "defend": 1},
            "enemies": [{"kind": "blue_slaver", "hp": 34, "intent": "stab", "run": 1}]}"#;
        let file: PositionFile = serde_json::from_str(text).unwrap();
        let position = file.position().unwrap();
        let known = unknown_plays(&position, Objective::Health, STOPPED).unwrap();
        let solved = advise(&position, Objective::Health, Exactness::Bounds, &Budget::unlimited()).unwrap();
        assert_eq!(known.first.len(), solved.first.len());
        for (play, worth) in &solved.first {
            let (_, wide) = known.first.iter().find(|(own, _)| own == play).unwrap();
            holds(wide.value, worth.value);
        }
    }
}
