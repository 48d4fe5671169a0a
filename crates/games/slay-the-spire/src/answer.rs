//! Answers as JSON, for every program that is asked for them. Each has `"format": 1`.

use mdp::Number;
use serde::Serialize;

use crate::advise::Play;
use crate::card::Card;
use crate::fight::Objective;
use crate::odds::Odds;
use crate::solved::Worth;

/// What a fight is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worths {
    /// What the player plays for: one of the two others.
    pub value: Number,
    /// The expected health after the fight, 0 for death.
    pub expected_health: Number,
    /// The chance to survive.
    pub survival: Number,
}

impl Worths {
    /// What it is worth to a player who plays for this.
    pub fn new(worth: &Worth, objective: Objective) -> Self {
        Self {
            value: worth.value(objective).into(),
            expected_health: (&worth.health).into(),
            survival: (&worth.survival).into(),
        }
    }
}

/// The answer to what a fight is worth before it starts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OddsAnswer {
    format: u32,
    #[serde(flatten)]
    worths: Worths,
    final_health: Vec<FinalHealth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Vec<AgainstOne>>,
    states: u64,
    choices: u64,
    outcomes: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct FinalHealth {
    health: u16,
    probability: Number,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct AgainstOne {
    cultist_hp: u16,
    #[serde(flatten)]
    worths: Worths,
}

impl OddsAnswer {
    /// The answer; with what the fight is worth against each of the Cultist's healths, if wanted.
    pub fn new(odds: &Odds, objective: Objective, by_cultist_hp: bool) -> Self {
        let against_one =
            |(hp, worth): &(u16, Worth)| AgainstOne { cultist_hp: *hp, worths: Worths::new(worth, objective) };
        Self {
            format: 1,
            worths: Worths::new(&odds.worth, objective),
            final_health: odds
                .final_health
                .iter()
                .map(|(health, probability)| FinalHealth { health: *health, probability: probability.into() })
                .collect(),
            by: by_cultist_hp.then(|| odds.by_cultist_hp.iter().map(against_one).collect()),
            states: odds.counts.states,
            choices: odds.counts.choices,
            outcomes: odds.counts.outcomes,
        }
    }
}

/// The answer to what to play now.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AdviceAnswer {
    format: u32,
    /// What the position is worth: its best play.
    #[serde(flatten)]
    worths: Option<Worths>,
    plays: Vec<PlayAnswer>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct PlayAnswer {
    cards: Vec<Card>,
    #[serde(flatten)]
    worths: Worths,
}

impl AdviceAnswer {
    /// The answer, from the plays, best first.
    pub fn new(plays: &[Play], objective: Objective) -> Self {
        Self {
            format: 1,
            worths: plays.first().map(|best| Worths::new(&best.worth, objective)),
            plays: plays
                .iter()
                .map(|play| PlayAnswer { cards: play.cards.clone(), worths: Worths::new(&play.worth, objective) })
                .collect(),
        }
    }
}
