//! A fight of Act 1 that was played: what luck gave, and what the plays cost.

use budget::{Budget, Stopped};
use mdp::Number;
use serde::{Deserialize, Serialize};

use super::json::amount;
use super::named::Named;
use super::solve::Exactness;
use super::walk::{FightLook, FightStep, FightWalk, walk_worths};
use super::worth::{Amount, Worth};
use crate::data::name;
use crate::request::fight_request::{FightSaid, SaidError};

/// A fight that was played, as its file tells it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FightRecord {
    /// The fight as it was known before.
    pub fight: FightSaid,
    /// What came and what was done, one after another.
    pub steps: Vec<StepSaid>,
}

/// A step of a fight: in words, or a play with the keys of an answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum StepSaid {
    /// `p3`, `o12`; `strike at enemy 2`, `end the turn`; what was drawn: `3 strike, 2 defend`; what is intended.
    Words(String),
    /// `{"play": "strike", "target": 1}`
    Play(Named),
}

/// A fight that was gone through again, with what it was worth after each step.
#[derive(Clone, Debug)]
pub struct FightReplay {
    /// The steps in words, with whether it was the player's; the first is the beginning.
    pub steps: Vec<(String, bool)>,
    /// What the fight was worth after each of them, by best play from there.
    pub worths: Vec<Amount>,
    /// Why bounds are wider than they could be, if the run was stopped.
    pub stopped: Option<Stopped>,
}

/// The same as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct FightReplayAnswer {
    format: u32,
    steps: Vec<StepAnswer>,
    /// The sum of what chance changed.
    luck: Number,
    /// The sum of what the plays changed: 0 if all were best, else less (with `loss`: more).
    mistakes: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct StepAnswer {
    /// `start`, `luck` or `play`.
    event: &'static str,
    told: String,
    value: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<Number>,
}

/// Goes through a fight again; values are exact, too, if that is wanted and fits.
///
/// # Errors
/// When the fight is not modelled, or a step cannot have been.
///
/// ```
/// use slay_the_spire::{Exactness, FightRecord, FightSaid, StepSaid, replay_fight};
///
/// let fight = FightSaid {
///     enemies: vec!["jaw-worm".into()],
///     enemy_hp: Some("6".into()),
///     deck: Some("strike=1,defend=1".into()),
///     ..FightSaid::default()
/// };
/// let steps = ["strike"].map(|step| StepSaid::Words(step.into())).to_vec();
/// let replayed = replay_fight(&FightRecord { fight, steps }, Exactness::Bounds, &budget::Budget::unlimited())?;
/// assert!(replayed.changes()[1].as_ref().is_some_and(|change| change.bounds == slay_the_spire::Interval::ZERO));
/// # Ok::<(), slay_the_spire::SaidError>(())
/// ```
pub fn replay_fight(record: &FightRecord, exact: Exactness, budget: &Budget<'_>) -> Result<FightReplay, SaidError> {
    let said = &record.fight;
    let (hero, encounters) = (said.hero()?, said.encounters()?);
    let (objective, health) = (said.objective()?, said.health(&hero)?);
    let wrong = |message: String| SaidError { field: Some("steps"), message };
    let rules: Result<Vec<_>, _> =
        encounters.iter().map(|(_, foes)| Ok(hero.rules(foes)?.beginning_with(health))).collect();
    let rules = rules.map_err(|error: crate::rules::RulesError| wrong(error.to_string()))?;
    let walk = FightWalk::new(&hero, &encounters, &rules, health, objective);
    let mut walk = walk.map_err(|error| wrong(error.to_string()))?;
    let mut walks = vec![walk.clone()];
    let mut steps = vec![("the fight begins".to_owned(), false)];
    for (place, said) in record.steps.iter().enumerate() {
        let at = |why: String| wrong(format!("steps[{place}]: {why}"));
        let step = meant(&walk, said).map_err(at)?;
        let told = walk.take(step, &rules).map_err(|error| at(error.to_string()))?;
        steps.push((told, matches!(step, FightStep::Play(_))));
        walks.push(walk.clone());
    }
    let found = walk_worths(&walks, exact, budget).map_err(|error| wrong(error.to_string()))?;
    let worths = found.situations.iter().map(Worth::amount).collect();
    Ok(FightReplay { steps, worths, stopped: found.stopped })
}

/// The step that is meant, where the walk is.
fn meant(walk: &FightWalk<'_>, said: &StepSaid) -> Result<FightStep, String> {
    let plays = walk.plays();
    let words = match said {
        StepSaid::Words(words) => words,
        StepSaid::Play(play) => {
            let found = plays.iter().position(|own| same(own, play));
            return found.map(FightStep::Play).ok_or_else(|| cannot(walk, &play.to_string()));
        }
    };
    if let Ok(step) = words.parse() {
        return Ok(step);
    }
    let wanted = sorted(words);
    match walk.look() {
        FightLook::Play => {
            let found = plays.iter().position(|play| sorted(&play.to_string()) == wanted);
            found.map(FightStep::Play).ok_or_else(|| cannot(walk, words))
        }
        FightLook::Chance => {
            let found = (0..walk.outcomes().len()).find(|place| sorted(&walk.outcome(*place)) == wanted);
            found.map(FightStep::Came).ok_or_else(|| cannot(walk, words))
        }
        FightLook::Won | FightLook::Dead => Err("the fight is over before this step".into()),
    }
}

/// Whether these are the same play; a target or a choice may be left out where there is only one.
fn same(play: &Named, said: &Named) -> bool {
    let alike = |own: &Option<String>, other: &Option<String>| match (own, other) {
        (Some(own), Some(other)) => name::normal(own) == name::normal(other),
        (own, other) => own.is_none() && other.is_none(),
    };
    alike(&play.play, &said.play)
        && alike(&play.potion, &said.potion)
        && alike(&play.exhaust, &said.exhaust)
        && alike(&play.choice, &said.choice)
        && play.target.unwrap_or(0) == said.target.unwrap_or(0)
        && play.end_turn.unwrap_or(false) == said.end_turn.unwrap_or(false)
}

/// Words in which neither the order of what is listed nor underscores matter.
fn sorted(words: &str) -> Vec<String> {
    let mut parts: Vec<String> = words.split([',', ';']).map(name::normal).collect();
    parts.sort_unstable();
    parts
}

/// What can be instead.
fn cannot(walk: &FightWalk<'_>, words: &str) -> String {
    const SHOWN: usize = 8;
    let plays = walk.plays().into_iter().map(|play| play.to_string());
    let outcomes = (0..walk.outcomes().len()).map(|place| walk.outcome(place));
    let all: Vec<String> = plays.chain(outcomes).collect();
    let shown: String = words.chars().take(80).collect();
    let more = if all.len() > SHOWN { ", ..." } else { "" };
    let (turn, first) = (walk.turn(), all.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(" | "));
    format!("'{}' is none of what can be now (turn {turn}): {first}{more}", shown.escape_debug())
}

impl FightReplay {
    /// What each step changed; nothing for the beginning.
    pub fn changes(&self) -> Vec<Option<Amount>> {
        let since = self.worths.iter().skip(1).zip(&self.worths).map(|(after, before)| Some(after.since(before)));
        [None].into_iter().chain(since).collect()
    }

    /// What luck changed, and what the plays.
    pub fn luck_and_mistakes(&self) -> (Amount, Amount) {
        let (mut luck, mut mistakes) = (Amount::ZERO, Amount::ZERO);
        for ((_, played), change) in self.steps.iter().zip(self.changes()) {
            let sum = if *played { &mut mistakes } else { &mut luck };
            *sum = change.map_or(sum.clone(), |change| sum.plus(&change));
        }
        (luck, mistakes)
    }
}

impl FightReplayAnswer {
    /// The answer.
    pub fn new(replay: &FightReplay) -> Self {
        let (luck, mistakes) = replay.luck_and_mistakes();
        let steps =
            replay.steps.iter().zip(&replay.worths).zip(replay.changes()).map(|(((told, played), value), change)| {
                StepAnswer {
                    event: if change.is_none() {
                        "start"
                    } else if *played {
                        "play"
                    } else {
                        "luck"
                    },
                    told: told.clone(),
                    value: amount(value),
                    change: change.as_ref().map(amount),
                }
            });
        Self {
            format: 1,
            steps: steps.collect(),
            luck: amount(&luck),
            mistakes: amount(&mistakes),
            stopped: replay.stopped.map(|stopped| stopped.to_string()),
        }
    }
}
