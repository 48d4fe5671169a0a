//! What to play now, simulated where the search does not finish.

use std::cmp::Ordering;

use budget::Budget;

use super::advise::{Advice, advise, named};
use super::named::Named;
use super::simulate::{is_open, simulated_gain};
use super::simulated_plays::SimulatedPlay;
use super::solve::Exactness;
use super::worth::{Interval, Worth};
use crate::data::enemy::Kind;
use crate::request::position::Position;
use crate::rules::action::Action;
use crate::rules::state::State;
use crate::rules::{Rules, RulesError};
use crate::search::payoff::{Objective, Payoff};
use crate::simulate::compare::{Compared, Comparison, Encounter};
use crate::simulate::policy::Begin;
use crate::simulate::sampled::{Sampled, Simulating};

/// The time for the search where there is no such limit, but a sufficient precision.
const SEARCH_TIME: std::time::Duration = std::time::Duration::from_secs(5);
/// The share after which the results are reported.
const SAMPLING: f64 = 0.95;

/// The answer of [`advise`], and where the search was stopped simulated values of every first play, in common worlds.
/// If all differences reach the requested precision, the run counts as complete.
///
/// # Errors
/// When the objective does not suit such a fight.
///
/// ```
/// use budget::{Budget, Limits};
/// use slay_the_spire::{Exactness, Objective, PositionFile, Simulating, advise_or_simulate};
///
/// # fn read(text: &str) -> Result<PositionFile, serde_json::Error> { serde_json::from_str(text) }
/// let file = read(r#"{"hp": 30, "max_hp": 80, "hand": {"strike": 3, "defend": 2}, "draw": {"strike": 2, "defend": 2},
///     "enemies": [{"kind": "jaw_worm", "hp": 12, "intent": "chomp", "run": 1}]}"#)?;
/// let none = Budget::new(Limits { max_memory: 1, ..Limits::NONE });
/// let simulating = Simulating { samples: Some(300), training: 60, ..Simulating::default() };
/// let position = file.position()?;
/// let advice = advise_or_simulate(&position, Objective::Health, Exactness::Bounds, simulating, &none)?;
/// assert_eq!(advice.simulated[0].play.play.as_deref(), Some("strike"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn advise_or_simulate(
    position: &Position,
    objective: Objective,
    exact: Exactness,
    simulating: Simulating,
    budget: &Budget<'_>,
) -> Result<Advice, RulesError> {
    let searching = simulating.searching(budget, objective, SEARCH_TIME);
    let mut advice = advise(position, objective, exact, &searching)?;
    if !is_open(advice.stopped) || objective.is_cost() {
        return Ok(advice);
    }
    let Position { rules, kinds, state, health } = position;
    let payoff = Payoff::new(objective, rules)?;
    let rest = budget.part(SAMPLING);
    let rest = simulating.within(&rest);
    let (plays, precise) = simulated_plays((rules, &payoff, kinds), (state, *health), &advice.first, simulating, &rest);
    advice.simulated = plays;
    advice.stopped = advice.stopped.filter(|_| !precise);
    Ok(advice)
}

/// Every first play, best first, with what is proved of each; and whether all differences reach the requested precision.
fn simulated_plays(
    fight: (&Rules, &Payoff, &[Kind]),
    (state, health): (&State, i16),
    first: &[(Named, Worth)],
    simulating: Simulating,
    budget: &Budget<'_>,
) -> (Vec<SimulatedPlay>, bool) {
    let (rules, ..) = fight;
    let mut actions = Vec::new();
    rules.actions(state, &mut actions);
    // All others are compared with the end of the turn.
    actions.sort_by_key(|action| *action != Action::EndTurn);
    let proved = actions.iter().map(|action| {
        let play = named(rules, *action);
        first.iter().find(|(own, _)| *own == play).map(|(_, worth)| worth.value)
    });
    let proved: Vec<Option<Interval>> = proved.collect();
    let (compared, precise) = compared_plays(fight, (state, health), (&actions, &proved), simulating, budget);
    let play = |(action, own): (&Action, &Compared)| SimulatedPlay {
        play: named(rules, *action),
        simulated: simulated_gain(own, simulating.error),
    };
    let mut plays: Vec<SimulatedPlay> = actions.iter().zip(&compared).map(play).collect();
    plays.sort_by(|a, b| a.simulated.order().partial_cmp(&b.simulated.order()).unwrap_or(Ordering::Equal));
    (plays, precise)
}

/// Plays compared with the first of them in common worlds, with what is proved of some; and whether all differences reach the requested precision.
pub(super) fn compared_plays(
    (rules, payoff, kinds): (&Rules, &Payoff, &[Kind]),
    (state, health): (&State, i16),
    (actions, proved): (&[Action], &[Option<Interval>]),
    simulating: Simulating,
    budget: &Budget<'_>,
) -> (Vec<Compared>, bool) {
    let mut learned = Sampled::new((rules, payoff), (Begin::Play(state, None), kinds), health, simulating);
    // What was learned by then is sufficient.
    let _ = learned.train(&budget.part(0.3));
    let possible = |place: usize| proved.get(place).copied().flatten().unwrap_or(learned.proved);
    let proved: Vec<Interval> = (0..actions.len()).map(possible).collect();
    let sampled = actions.iter().zip(&proved).map(|(action, proved)| learned.with_first(state, (*action, *proved)));
    let sampled: Vec<Sampled<'_>> = sampled.collect();
    let encounter = Encounter { share: 1.0, sampled, proved };
    let mut comparison = Comparison::new(vec![encounter], actions.len(), simulating.error);
    let sampled = comparison.sample(simulating.precision, budget);
    let compared = comparison.compared();
    let narrow = compared.iter().all(|own| simulating.precision.is_some_and(|most| own.gain.width() <= most));
    (compared, sampled.is_ok() && narrow)
}
