//! A fight of Act 1 that was played: the share of luck, and the cost of the plays.

use std::time::Duration;

use budget::{Budget, Stopped};
use mdp::Number;
use serde::{Deserialize, Serialize};

use super::json::{amount, number};
use super::named::Named;
use super::play_loss::{PlayLoss, SimulatedLoss, simulate_losses};
use super::simulate::is_open;
use super::solve::Exactness;
use super::walk::{FightPhase, FightStep, FightWalk};
use super::walk_worths::worths_with_plays;
use super::worth::{Amount, Interval, Worth};
use crate::data::name;
use crate::request::fight_request::{FightRequest, RequestError};
use crate::search::payoff::Objective;
use crate::simulate::sampled::Simulating;

/// The time for the search where there is no such limit, but a sufficient precision.
const SEARCH_TIME: Duration = Duration::from_secs(20);

/// A fight that was played, as written in a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FightRecord {
    /// The fight as it was known in advance.
    pub fight: FightRequest,
    /// The events and plays, one after another.
    pub steps: Vec<StepText>,
}

/// A step of a fight: as text, or as a play with the keys of an answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum StepText {
    /// `p3`, `o12`; `strike at enemy 2`, `end the turn`; the cards drawn: `3 strike, 2 defend`; an intent.
    Words(String),
    /// `{"play": "strike", "target": 1}`
    Play(Named),
}

/// A replayed fight, with its value after each step.
#[derive(Clone, Debug)]
pub struct FightReplay {
    /// The steps as text, with whether it was the player's; the first is the beginning.
    pub steps: Vec<(String, bool)>,
    /// The value of the fight after each of them, under best play from there.
    pub worths: Vec<Amount>,
    /// What each play lost against the best one; `None` for what was not the player's.
    pub losses: Vec<Option<PlayLoss>>,
    /// What was played for.
    pub objective: Objective,
    /// Why bounds are wider than they could be, if the run was stopped.
    pub stopped: Option<Stopped>,
}

/// The same as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct FightReplayAnswer {
    format: u32,
    steps: Vec<StepAnswer>,
    /// The total change of the value by chance.
    luck: Number,
    /// The total change of the value by the plays: 0 if all were best, otherwise negative (with `turns`: positive).
    mistakes: Number,
    /// The sum of all losses where some of them are simulated: it proves nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<SimulatedLossAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct StepAnswer {
    /// `start`, `luck` or `play`.
    event: &'static str,
    text: String,
    value: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<Number>,
    /// What the play lost, and the best one.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    loss: Option<LossAnswer>,
}

#[derive(Clone, Debug, Serialize)]
struct LossAnswer {
    best: Named,
    best_value: Number,
    loss: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<SimulatedLossAnswer>,
}

/// The simulated loss of a play, or of all of them.
#[derive(Clone, Debug, Serialize)]
struct SimulatedLossAnswer {
    /// The best play as far as it was simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Named>,
    loss: Number,
    wrong_in_less_than: f64,
}

/// Replays a fight; values are exact, too, if that is wanted and fits. What each play lost is simulated where the search
/// was stopped.
///
/// # Errors
/// When the fight is not modelled, or a step is impossible.
///
/// ```
/// use budget::Budget;
/// use slay_the_spire::{Exactness, FightRecord, FightRequest, Simulating, StepText, replay_fight};
///
/// let fight = FightRequest {
///     enemies: vec!["jaw-worm".into()],
///     enemy_hp: Some("6".into()),
///     deck: Some("strike=1,defend=1".into()),
///     ..FightRequest::default()
/// };
/// let record = FightRecord { fight, steps: vec![StepText::Words("defend".into())] };
/// let replayed = replay_fight(&record, Exactness::Bounds, Simulating::default(), &Budget::unlimited())?;
/// // There is energy for the Strike that wins, too.
/// assert!(replayed.losses[1].as_ref().is_some_and(|own| own.loss.bounds.upper < 1e-9));
/// # Ok::<(), slay_the_spire::RequestError>(())
/// ```
pub fn replay_fight(
    record: &FightRecord,
    exact: Exactness,
    simulating: Simulating,
    budget: &Budget<'_>,
) -> Result<FightReplay, RequestError> {
    let request = &record.fight;
    let (hero, encounters) = (request.hero()?, request.encounters()?);
    let (objective, health) = (request.objective()?, request.health(&hero)?);
    let wrong = |message: String| RequestError { field: Some("steps"), message };
    let rules: Result<Vec<_>, _> =
        encounters.iter().map(|(_, foes)| Ok(hero.rules(foes)?.beginning_with(health))).collect();
    let rules = rules.map_err(|error: crate::rules::RulesError| wrong(error.to_string()))?;
    let walk = FightWalk::new(&hero, &encounters, &rules, health, objective);
    let mut walk = walk.map_err(|error| wrong(error.to_string()))?;
    let mut walks = vec![walk.clone()];
    let mut steps = vec![("the fight begins".to_owned(), false)];
    // Where the player acted, with the place of the play.
    let mut played = Vec::new();
    for (index, text) in record.steps.iter().enumerate() {
        let at = |why: String| wrong(format!("steps[{index}]: {why}"));
        let step = meant(&walk, text).map_err(at)?;
        if let FightStep::Play(place) = step {
            played.push((index, place));
        }
        let text = walk.take(step, &rules).map_err(|error| at(error.to_string()))?;
        steps.push((text, matches!(step, FightStep::Play(_))));
        walks.push(walk.clone());
    }
    let searching = simulating.searching(budget, objective, SEARCH_TIME);
    let valued = |place: usize| played.iter().any(|(index, _)| *index == place);
    let found = worths_with_plays(&walks, valued, exact, &searching).map_err(|error| wrong(error.to_string()))?;
    let mut losses = vec![None; steps.len()];
    for (index, place) in &played {
        let plays: Vec<(Named, Worth)> = walks[*index].plays().into_iter().zip(found.plays[*index].clone()).collect();
        losses[index + 1] = Some(PlayLoss::new(&found.situations[*index], &plays, *place));
    }
    let mut stopped = found.stopped;
    if is_open(stopped) && !objective.is_cost() {
        // Each play has a loss, in the same order.
        let each = played.iter().zip(losses.iter_mut().flatten());
        let mut each: Vec<_> = each.map(|((index, place), loss)| (&walks[*index], *place, loss)).collect();
        let precise = simulate_losses(&mut each, simulating, budget).map_err(|error| wrong(error.to_string()))?;
        stopped = stopped.filter(|_| !precise);
    }
    let worths = found.situations.iter().map(Worth::amount).collect();
    Ok(FightReplay { steps, worths, losses, objective, stopped })
}

/// The step that the text means at this point of the walk.
fn meant(walk: &FightWalk<'_>, step: &StepText) -> Result<FightStep, String> {
    let plays = walk.plays();
    let words = match step {
        StepText::Words(words) => words,
        StepText::Play(play) => {
            let found = plays.iter().position(|own| same(own, play));
            return found.map(FightStep::Play).ok_or_else(|| cannot(walk, &play.to_string()));
        }
    };
    if let Ok(step) = words.parse() {
        return Ok(step);
    }
    let wanted = sorted(words);
    match walk.phase() {
        FightPhase::Play => {
            let found = plays.iter().position(|play| sorted(&play.to_string()) == wanted);
            found.map(FightStep::Play).ok_or_else(|| cannot(walk, words))
        }
        FightPhase::Chance => {
            let found = (0..walk.outcomes().len()).find(|place| sorted(&walk.outcome(*place)) == wanted);
            found.map(FightStep::Came).ok_or_else(|| cannot(walk, words))
        }
        FightPhase::Won | FightPhase::Dead => Err("the fight is over before this step".into()),
    }
}

/// Whether these are the same play; a target or a choice may be left out where there is only one.
fn same(play: &Named, other: &Named) -> bool {
    let alike = |own: &Option<String>, other: &Option<String>| match (own, other) {
        (Some(own), Some(other)) => name::normal(own) == name::normal(other),
        (own, other) => own.is_none() && other.is_none(),
    };
    alike(&play.play, &other.play)
        && alike(&play.potion, &other.potion)
        && alike(&play.exhaust, &other.exhaust)
        && alike(&play.choice, &other.choice)
        && play.target.unwrap_or(0) == other.target.unwrap_or(0)
        && play.end_turn.unwrap_or(false) == other.end_turn.unwrap_or(false)
}

/// The words of a text in normal form: the order of lists and underscores do not matter.
fn sorted(words: &str) -> Vec<String> {
    let mut parts: Vec<String> = words.split([',', ';']).map(name::normal).collect();
    parts.sort_unstable();
    parts
}

/// An error message with the possible steps.
fn cannot(walk: &FightWalk<'_>, words: &str) -> String {
    const SHOWN: usize = 8;
    let plays = walk.plays().into_iter().map(|play| play.to_string());
    let outcomes = (0..walk.outcomes().len()).map(|place| walk.outcome(place));
    let all: Vec<String> = plays.chain(outcomes).collect();
    let shown: String = words.chars().take(80).collect();
    let more = if all.len() > SHOWN { ", ..." } else { "" };
    let (turn, first) = (walk.turn(), all.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(" | "));
    format!("'{}' is impossible now (turn {turn}): {first}{more}", shown.escape_debug())
}

impl FightReplay {
    /// How each step changed the value; `None` for the beginning.
    pub fn changes(&self) -> Vec<Option<Amount>> {
        let since = self.worths.iter().skip(1).zip(&self.worths).zip(&self.losses[1..]);
        let since = since.map(|((after, before), loss)| {
            // A play can only lose.
            let lost = |own: &PlayLoss| if self.objective.is_cost() { own.loss.clone() } else { own.loss.flipped() };
            Some(loss.as_ref().map_or_else(|| after.since(before), lost))
        });
        [None].into_iter().chain(since).collect()
    }

    /// The total change by luck, and by the plays.
    pub fn luck_and_mistakes(&self) -> (Amount, Amount) {
        let (mut luck, mut mistakes) = (Amount::ZERO, Amount::ZERO);
        for ((_, played), change) in self.steps.iter().zip(self.changes()) {
            let sum = if *played { &mut mistakes } else { &mut luck };
            *sum = change.map_or(sum.clone(), |change| sum.plus(&change));
        }
        (luck, mistakes)
    }

    /// The sum of all losses where some of them are simulated, and the largest probability with which it is wrong.
    pub fn simulated_loss(&self) -> Option<(Interval, f64)> {
        let losses = || self.losses.iter().flatten();
        let error = losses().find_map(|own| own.simulated.as_ref())?.error;
        let sum = losses().fold(Interval::ZERO, |sum, own| {
            sum.plus(1.0, own.simulated.as_ref().map_or(own.loss.bounds, |simulated| simulated.loss))
        });
        Some((sum, error))
    }
}

impl FightReplayAnswer {
    /// The answer.
    pub fn new(replay: &FightReplay) -> Self {
        let (luck, mistakes) = replay.luck_and_mistakes();
        let changes = replay.changes();
        let steps = replay.steps.iter().zip(&replay.worths).zip(changes.iter().zip(&replay.losses)).map(
            |(((text, played), value), (change, loss))| StepAnswer {
                event: if change.is_none() {
                    "start"
                } else if *played {
                    "play"
                } else {
                    "luck"
                },
                text: text.clone(),
                value: amount(value),
                change: change.as_ref().map(amount),
                loss: loss.as_ref().map(LossAnswer::new),
            },
        );
        let simulated = replay.simulated_loss().map(|(loss, error)| SimulatedLossAnswer {
            best: None,
            loss: number(loss),
            wrong_in_less_than: error,
        });
        Self {
            format: 1,
            steps: steps.collect(),
            luck: amount(&luck),
            mistakes: amount(&mistakes),
            simulated,
            stopped: replay.stopped.map(|stopped| stopped.to_string()),
        }
    }
}

impl LossAnswer {
    fn new(own: &PlayLoss) -> Self {
        let simulated = own.simulated.as_ref().map(|SimulatedLoss { best, loss, error }| SimulatedLossAnswer {
            best: Some(best.clone()),
            loss: number(*loss),
            wrong_in_less_than: *error,
        });
        Self { best: own.best.clone(), best_value: amount(&own.best_value), loss: amount(&own.loss), simulated }
    }
}
