//! The cards.

use std::fmt;
use std::str::FromStr;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A card of the Ironclad's starting deck, or its upgraded form, or the curse.
///
/// The order is the one in which equally good plays are named: attacks before blocks, and the
/// cards that open the enemy's guard first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Card {
    /// Bash+: 10 damage and 3 Vulnerable for 2 energy.
    BashPlus,
    /// Bash: 8 damage and 2 Vulnerable for 2 energy.
    Bash,
    /// Strike+: 9 damage for 1 energy.
    StrikePlus,
    /// Strike: 6 damage for 1 energy.
    Strike,
    /// Defend+: 8 block for 1 energy.
    DefendPlus,
    /// Defend: 5 block for 1 energy.
    Defend,
    /// Ascender's Bane: cannot be played; leaves the game at the end of a turn in which it is held.
    AscendersBane,
}

impl Card {
    /// Every card.
    pub const ALL: [Self; 7] = [
        Self::BashPlus,
        Self::Bash,
        Self::StrikePlus,
        Self::Strike,
        Self::DefendPlus,
        Self::Defend,
        Self::AscendersBane,
    ];

    /// The name in arguments and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BashPlus => "bash+",
            Self::Bash => "bash",
            Self::StrikePlus => "strike+",
            Self::Strike => "strike",
            Self::DefendPlus => "defend+",
            Self::Defend => "defend",
            Self::AscendersBane => "ascenders-bane",
        }
    }

    /// The energy it takes to play the card; `None` for one that cannot be played.
    pub const fn cost(self) -> Option<u8> {
        match self {
            Self::BashPlus | Self::Bash => Some(2),
            Self::StrikePlus | Self::Strike | Self::DefendPlus | Self::Defend => Some(1),
            Self::AscendersBane => None,
        }
    }

    /// The damage it does to an enemy that is not vulnerable.
    pub const fn damage(self) -> u16 {
        match self {
            Self::BashPlus => 10,
            Self::Bash => 8,
            Self::StrikePlus => 9,
            Self::Strike => 6,
            Self::DefendPlus | Self::Defend | Self::AscendersBane => 0,
        }
    }

    /// The damage it does to a vulnerable enemy: half as much again, rounded down.
    pub const fn damage_to_vulnerable(self) -> u16 {
        self.damage() * 3 / 2
    }

    /// The turns of Vulnerable it adds, after its damage is done.
    pub const fn vulnerable(self) -> u8 {
        match self {
            Self::BashPlus => 3,
            Self::Bash => 2,
            _ => 0,
        }
    }

    /// The block it gives.
    pub const fn block(self) -> u16 {
        match self {
            Self::DefendPlus => 8,
            Self::Defend => 5,
            _ => 0,
        }
    }

    /// Whether the card leaves the game when it is still in hand at the end of a turn.
    pub const fn ethereal(self) -> bool {
        matches!(self, Self::AscendersBane)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that is no card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCard {
    /// What was written.
    pub name: String,
}

impl fmt::Display for UnknownCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no card is called '{}'", self.name.escape_debug())?;
        let like = |card: &Card| strsim::jaro_winkler(card.name(), &self.name.to_lowercase());
        match Card::ALL.into_iter().max_by(|a, b| like(a).total_cmp(&like(b))).filter(|card| like(card) > 0.75) {
            Some(card) => write!(f, "; did you mean {card}?"),
            None => write!(f, "; the cards are {}", Card::ALL.map(Card::name).join(", ")),
        }
    }
}

impl std::error::Error for UnknownCard {}

impl FromStr for Card {
    type Err = UnknownCard;

    /// ```
    /// use slay_the_spire::Card;
    ///
    /// assert_eq!("strike+".parse(), Ok(Card::StrikePlus));
    /// let error = "strik".parse::<Card>().unwrap_err();
    /// assert_eq!(error.to_string(), "no card is called 'strik'; did you mean strike?");
    /// ```
    fn from_str(text: &str) -> Result<Self, UnknownCard> {
        // A name as long as a file is cut: it is only ever shown.
        Self::ALL
            .into_iter()
            .find(|card| card.name() == text)
            .ok_or_else(|| UnknownCard { name: text.chars().take(40).collect() })
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Card;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a card, such as \"strike\"")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Card, E> {
                name.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Name)
    }
}
