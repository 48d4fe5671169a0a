//! A fight that was played: what luck gave, and what mistakes cost.

use std::fmt;

use mdp::{Distribution, ExploreOptions};
use serde::de::DeserializeSeed;
use serde::{Deserialize, Deserializer};

use crate::advise::{Play, ranked, ways};
use crate::card::Card;
use crate::fight::{Fights, Objective};
use crate::pile::Pile;
use crate::position::Position;
use crate::setup::{HIGHEST_HEALTH, Setup};
use crate::solved::{FightError, SolvedFights, Worth};
use crate::whole_number::Whole;

/// A fight that was played, as its file tells it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// What was known before the fight.
    pub start: Setup,
    /// The health with which the Cultist then appeared, one of `start`'s.
    #[serde(deserialize_with = "cultist_hp")]
    pub cultist_hp: u16,
    /// The turns, from the first.
    #[serde(default)]
    pub turns: Vec<RecordedTurn>,
}

/// A turn of a fight that was played.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedTurn {
    /// The hand that was drawn.
    pub draw: Pile,
    /// The cards that were played, in order; `None` if the record ends with the draw.
    #[serde(default)]
    pub play: Option<Vec<Card>>,
}

fn cultist_hp<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    Whole { what: "cultist_hp", range: 1..=HIGHEST_HEALTH }.deserialize(deserializer)
}

/// A step of a fight, and what the fight was worth after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What happened.
    pub event: Event,
    /// What the fight is worth after it, played best from there.
    pub worth: Worth,
}

/// What happens in a fight. Turns count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Nothing yet: all that is known is the [`Setup`].
    Start,
    /// The Cultist appears with this health: luck.
    Appears(u16),
    /// A hand is drawn: luck.
    Draw {
        /// The turn.
        turn: u16,
        /// The cards.
        hand: Pile,
    },
    /// Cards are played: what they cost is a mistake.
    Play {
        /// The turn.
        turn: u16,
        /// The cards, in order.
        cards: Vec<Card>,
        /// The best play there was.
        best: Play,
    },
}

/// Why a record is no fight that can have been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// The Cultist's health is not one of the start's.
    CultistHp {
        /// What the record says.
        found: u16,
        /// What it can be, in words.
        expected: String,
    },
    /// A turn after the fight is over, or after a turn that was not played.
    NoTurn {
        /// The turn, from 0.
        turn: usize,
        /// Why there is none.
        because: &'static str,
    },
    /// A hand that cannot be drawn.
    Draw {
        /// The turn, from 0.
        turn: usize,
        /// What the record says.
        hand: Pile,
        /// What is left to draw.
        draw: Pile,
        /// What is shuffled in when that is not enough.
        discard: Pile,
    },
    /// A card that cannot be played.
    Play {
        /// The turn, from 0.
        turn: usize,
        /// Which of the cards, from 0.
        place: usize,
        /// The card.
        card: Card,
        /// Why not.
        because: &'static str,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CultistHp { found, expected } => {
                write!(f, "cultist_hp: {found}, but start.cultist_hp says {expected}")
            }
            Self::NoTurn { turn, because } => write!(f, "turns[{turn}]: {because}"),
            Self::Draw { turn, hand, draw, discard } => write!(
                f,
                "turns[{turn}].draw: the hand {} cannot be drawn: the draw pile holds {}, and the discard pile {}",
                in_words(*hand),
                in_words(*draw),
                in_words(*discard)
            ),
            Self::Play { turn, place, card, because } => {
                write!(f, "turns[{turn}].play[{place}]: {card} cannot be played: {because}")
            }
        }
    }
}

fn in_words(pile: Pile) -> String {
    if pile.is_empty() { "nothing".into() } else { pile.to_string() }
}

impl std::error::Error for RecordError {}

/// Why a record could not be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// It is no fight that can have been.
    Record(RecordError),
    /// The fight could not be solved.
    Fight(FightError),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(error) => error.fmt(f),
            Self::Fight(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReplayError {}

/// A turn of a record that was found to be possible.
struct Followed<'a> {
    drawn: Position,
    /// The cards that were played, and the end of the turn to which they led.
    played: Option<(&'a [Card], Position)>,
}

impl Record {
    /// Plays the fight as recorded.
    fn follow(&self) -> Result<Vec<Followed<'_>>, RecordError> {
        if !self.start.cultist_hp.iter().contains(&self.cultist_hp) {
            let expected = self.start.cultist_hp.to_string();
            return Err(RecordError::CultistHp { found: self.cultist_hp, expected });
        }
        let mut turns = Vec::new();
        let mut next = Some(self.start.against(self.cultist_hp));
        for (turn, recorded) in self.turns.iter().enumerate() {
            let Some(position) = next else {
                let because = "the turn before has no `play` (an empty list says that nothing was played)";
                return Err(RecordError::NoTurn { turn, because });
            };
            if position.is_over() {
                return Err(RecordError::NoTurn { turn, because: "the fight is over before this turn" });
            }
            let hand = recorded.draw;
            let (_, drawn) = position
                .draws()
                .into_iter()
                .find(|(_, drawn)| drawn.hand == hand)
                .ok_or(RecordError::Draw { turn, hand, draw: position.draw, discard: position.discard })?;
            let played = match &recorded.play {
                Some(cards) => Some((&cards[..], play_all(drawn, cards, turn)?)),
                None => None,
            };
            next = played.map(|(_, end)| end);
            turns.push(Followed { drawn, played });
        }
        Ok(turns)
    }
}

/// The end of a turn in which the cards are played in this order.
fn play_all(mut position: Position, cards: &[Card], turn: usize) -> Result<Position, RecordError> {
    for (place, card) in cards.iter().copied().enumerate() {
        position = position.play(card).ok_or_else(|| {
            let because = match card.cost() {
                _ if position.is_over() => "the fight is over",
                _ if position.hand.count(card) == 0 => "it is not in hand",
                None => "it is unplayable",
                Some(_) => "it costs more energy than is left",
            };
            RecordError::Play { turn, place, card, because }
        })?;
    }
    Ok(position.end_turn())
}

/// What the fight was worth after each step: known only from its setup, after the Cultist appeared,
/// after every draw and after every turn that was played.
///
/// # Errors
/// When the record tells of a fight that cannot have been, or the states are too many for the
/// limits of `options`.
pub fn replay(record: &Record, objective: Objective, options: &ExploreOptions<'_>) -> Result<Vec<Step>, ReplayError> {
    let turns = record.follow().map_err(ReplayError::Record)?;
    let ways: Vec<_> = turns.iter().map(|turn| ways(&turn.drawn)).collect();

    // In this order the worths are taken out again below.
    let mut starts = vec![record.start.start(), Distribution::certain(record.start.against(record.cultist_hp))];
    for (turn, ways) in turns.iter().zip(&ways) {
        let played = turn.played.iter().map(|(_, end)| end);
        starts.extend(ways.iter().map(|(_, end)| end).chain(played).copied().map(Distribution::certain));
    }
    let solved = SolvedFights::new(&Fights::new(objective, &starts), options).map_err(ReplayError::Fight)?;
    let mut worths = (0..starts.len()).map(|start| solved.worth(start));

    let mut steps = Vec::new();
    let mut add = |event, worth: Option<Worth>| steps.extend(worth.map(|worth| Step { event, worth }));
    add(Event::Start, worths.next());
    add(Event::Appears(record.cultist_hp), worths.next());
    for (Followed { drawn, played }, ways) in turns.iter().zip(ways) {
        let count = ways.len();
        let best = ranked(ways, worths.by_ref().take(count).collect(), objective).swap_remove(0);
        let turn = drawn.turn;
        add(Event::Draw { turn, hand: drawn.hand }, Some(best.worth.clone()));
        if let Some((cards, _)) = played {
            add(Event::Play { turn, cards: cards.to_vec(), best }, worths.next());
        }
    }
    Ok(steps)
}
