//! How a fight starts.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use mdp::Distribution;
use serde::de::{DeserializeSeed, Visitor};
use serde::{Deserialize, Deserializer};

use crate::card::Card;
use crate::pile::Pile;
use crate::position::{ENERGY_PER_TURN, Position};
use crate::whole_number::Whole;

/// The highest health with which either side may start.
pub const HIGHEST_HEALTH: u16 = 999;

/// What is known before the fight.
///
/// The default is the fight of the talk "Min-maxing Slay the Spire with Haskell": 68 health, the
/// Ironclad's starting deck with Ascender's Bane, a Cultist of 50 to 56 health.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The Cultist's health.
    pub cultist_hp: HealthRange,
    /// The Ironclad's health, 1 to [`HIGHEST_HEALTH`].
    #[serde(deserialize_with = "hp")]
    pub hp: u16,
    /// The deck, shuffled before the fight.
    pub deck: Pile,
}

fn hp<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    Whole { what: "hp", range: 1..=HIGHEST_HEALTH }.deserialize(deserializer)
}

impl Default for Setup {
    fn default() -> Self {
        Self { cultist_hp: HealthRange { first: 50, last: 56 }, hp: 68, deck: starting_deck() }
    }
}

/// The Ironclad's starting deck on the higher Ascensions: 5 Strikes, 4 Defends, 1 Bash and
/// Ascender's Bane.
pub fn starting_deck() -> Pile {
    [(Card::Strike, 5), (Card::Defend, 4), (Card::Bash, 1), (Card::AscendersBane, 1)]
        .into_iter()
        .map(|(card, count)| Pile::of(card, count))
        .sum()
}

impl Setup {
    /// The position before the first draw, against a Cultist of this health.
    pub fn against(&self, cultist_hp: u16) -> Position {
        Position {
            turn: 0,
            energy: ENERGY_PER_TURN,
            health: self.hp,
            block: 0,
            enemy: cultist_hp,
            vulnerable: 0,
            hand: Pile::EMPTY,
            draw: self.deck,
            discard: Pile::EMPTY,
        }
    }

    /// The positions before the first draw, all healths of the Cultist equally likely.
    pub fn start(&self) -> Distribution<Position> {
        let HealthRange { first, last } = self.cultist_hp;
        let lowest = Distribution::certain(self.against(first));
        Distribution::uniform((first..=last).map(|health| self.against(health))).unwrap_or(lowest)
    }
}

/// A range of healths, each from 1 to [`HIGHEST_HEALTH`]; never empty.
///
/// ```
/// use slay_the_spire::HealthRange;
///
/// let range: HealthRange = "50..=56".parse()?;
/// assert_eq!(range, "50-56".parse()?);
/// assert_eq!(range.iter().count(), 7);
/// assert_eq!("53".parse::<HealthRange>()?.to_string(), "53");
/// # Ok::<(), slay_the_spire::NotAHealthRange>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HealthRange {
    first: u16,
    last: u16,
}

impl HealthRange {
    /// From the lowest to the highest, both included; `None` when there is none, or one is 0 or
    /// above [`HIGHEST_HEALTH`].
    pub fn new(range: RangeInclusive<u16>) -> Option<Self> {
        let (first, last) = range.into_inner();
        (1 <= first && first <= last && last <= HIGHEST_HEALTH).then_some(Self { first, last })
    }

    /// Every health of the range.
    pub fn iter(self) -> RangeInclusive<u16> {
        self.first..=self.last
    }
}

impl fmt::Display for HealthRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last { write!(f, "{}", self.first) } else { write!(f, "{}..={}", self.first, self.last) }
    }
}

/// A text that is no range of healths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAHealthRange;

impl fmt::Display for NotAHealthRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a health from 1 to {HIGHEST_HEALTH}, such as 53, or a range, such as 50..=56")
    }
}

impl std::error::Error for NotAHealthRange {}

impl FromStr for HealthRange {
    type Err = NotAHealthRange;

    fn from_str(text: &str) -> Result<Self, NotAHealthRange> {
        let (first, last) = text.split_once("..=").or_else(|| text.split_once('-')).unwrap_or((text, text));
        let health = |text: &str| text.trim().parse().map_err(|_| NotAHealthRange);
        Self::new(health(first)?..=health(last)?).ok_or(NotAHealthRange)
    }
}

impl<'de> Deserialize<'de> for HealthRange {
    /// A number, or a range in a string.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Range;
        impl Visitor<'_> for Range {
            type Value = HealthRange;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a health from 1 to {HIGHEST_HEALTH}, such as 53, or a range, such as \"50..=56\"")
            }

            fn visit_u64<E: serde::de::Error>(self, health: u64) -> Result<HealthRange, E> {
                let health = u16::try_from(health).map_err(|_| E::custom(NotAHealthRange))?;
                HealthRange::new(health..=health).ok_or_else(|| E::custom(NotAHealthRange))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<HealthRange, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_range() {
        for text in ["", "0", "1000", "0..=5", "6..=5", "50..56", "50..=", "-5", "5-", "1e2", "99999999999999999999"] {
            assert_eq!(text.parse::<HealthRange>(), Err(NotAHealthRange), "{text}");
        }
    }
}
