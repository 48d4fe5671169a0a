//! How files are read: positions.

use serde::de::{DeserializeSeed, Error};
use serde::{Deserialize, Deserializer};

use crate::pile::Pile;
use crate::position::{CARDS_PER_TURN, ENERGY_PER_TURN, Position};
use crate::setup::HIGHEST_HEALTH;
use crate::whole_number::Whole;

/// A position as a file writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionFile {
    #[serde(deserialize_with = "turn")]
    turn: u16,
    #[serde(deserialize_with = "energy", default = "full_energy")]
    energy: u8,
    #[serde(deserialize_with = "health")]
    health: u16,
    #[serde(deserialize_with = "block", default)]
    block: u16,
    enemy: EnemyFile,
    #[serde(deserialize_with = "hand", default)]
    hand: Pile,
    #[serde(default)]
    draw: Pile,
    #[serde(default)]
    discard: Pile,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EnemyFile {
    #[serde(deserialize_with = "enemy_health")]
    health: u16,
    #[serde(deserialize_with = "vulnerable", default)]
    vulnerable: u8,
}

fn turn<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    Whole { what: "turn", range: 0..=99 }.deserialize(deserializer)
}

fn energy<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    Whole { what: "energy", range: 0..=ENERGY_PER_TURN }.deserialize(deserializer)
}

fn full_energy() -> u8 {
    ENERGY_PER_TURN
}

fn health<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    Whole { what: "health", range: 1..=HIGHEST_HEALTH }.deserialize(deserializer)
}

fn block<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    Whole { what: "block", range: 0..=999 }.deserialize(deserializer)
}

fn enemy_health<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    Whole { what: "the enemy's health", range: 1..=HIGHEST_HEALTH }.deserialize(deserializer)
}

fn vulnerable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    Whole { what: "vulnerable", range: 0..=99 }.deserialize(deserializer)
}

fn hand<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pile, D::Error> {
    let hand = Pile::deserialize(deserializer)?;
    if hand.len() > CARDS_PER_TURN {
        return Err(D::Error::custom(format_args!(
            "a hand of {} cards; a turn begins with {CARDS_PER_TURN}, and none are drawn during it",
            hand.len()
        )));
    }
    Ok(hand)
}

impl<'de> Deserialize<'de> for Position {
    /// ```
    /// use slay_the_spire::Position;
    ///
    /// let text = r#"{"turn":3,"health":66,"enemy":{"health":18},"hand":{"strike":3,"defend":2}}"#;
    /// let position: Position = serde_json::from_str(text)?;
    /// assert_eq!((position.energy, position.block, position.draw.len()), (3, 0, 0));
    ///
    /// let error = serde_json::from_str::<Position>(r#"{"turn":3,"health":0}"#).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "invalid value: integer `0`, expected health as a whole number from 1 to 999 at line 1 column 20"
    /// );
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let file = PositionFile::deserialize(deserializer)?;
        let cards = file.hand.len() + file.draw.len() + file.discard.len();
        if cards > Pile::MOST_CARDS {
            return Err(D::Error::custom(format_args!(
                "{cards} cards in hand, draw and discard; at most {} are possible",
                Pile::MOST_CARDS
            )));
        }
        Ok(Self {
            turn: file.turn,
            energy: file.energy,
            health: file.health,
            block: file.block,
            enemy: file.enemy.health,
            vulnerable: file.enemy.vulnerable,
            hand: file.hand,
            draw: file.draw,
            discard: file.discard,
        })
    }
}
