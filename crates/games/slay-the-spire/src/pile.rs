//! Piles of cards in which the order does not matter: a deck, a hand, what is left to draw.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::card::{Card, UnknownCard};
use crate::whole_number::Whole;

/// How many of each card: one byte a card, so that piles are added, taken apart, compared and
/// hashed as one number.
///
/// Written `strike=5,defend=4` as an argument and `{"strike":5,"defend":4}` in a file.
///
/// ```
/// use slay_the_spire::{Card, Pile};
///
/// let deck: Pile = "strike+=1,strike=4,bash=1".parse()?;
/// assert_eq!(deck.len(), 6);
/// assert_eq!(deck.count(Card::StrikePlus), 1);
/// assert_eq!(deck.to_string(), "bash=1,strike+=1,strike=4");
/// # Ok::<(), slay_the_spire::PileError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pile(u64);

impl Pile {
    /// No cards.
    pub const EMPTY: Self = Self(0);

    /// The most cards that a pile read from a text may hold. The game's own decks stay far below.
    pub const MOST_CARDS: usize = 99;

    /// `count` times the same card; `count` is at most [`MOST_CARDS`](Self::MOST_CARDS).
    pub(crate) const fn of(card: Card, count: u8) -> Self {
        Self((count as u64) << (8 * card as u32))
    }

    /// The pile as one number.
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// The pile that has this number.
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// How many of a card.
    pub const fn count(self, card: Card) -> u8 {
        self.0.to_le_bytes()[card as usize]
    }

    /// How many cards in all.
    pub fn len(self) -> usize {
        self.0.to_le_bytes().into_iter().map(usize::from).sum()
    }

    /// Whether there is no card.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all cards of `other` are also here, each at least as often.
    pub fn contains(self, other: Self) -> bool {
        Card::ALL.into_iter().all(|card| self.count(card) >= other.count(card))
    }

    /// The cards that are there, with how many of each.
    pub fn iter(self) -> impl Iterator<Item = (Card, u8)> {
        Card::ALL.into_iter().map(move |card| (card, self.count(card))).filter(|(_, count)| *count > 0)
    }

    /// The pile without its ethereal cards.
    #[must_use]
    pub(crate) fn without_ethereal(self) -> Self {
        self.iter().filter(|(card, _)| !card.ethereal()).map(|(card, count)| Self::of(card, count)).sum()
    }

    /// Adds `count` of a card to a pile that is being read.
    fn insert(&mut self, card: Card, count: u64) -> Result<(), PileError> {
        let len = self.len() as u64;
        let count = u8::try_from(count).map_err(|_| PileError::TooManyCards)?;
        if u64::from(count) + len > Self::MOST_CARDS as u64 {
            return Err(PileError::TooManyCards);
        }
        if self.count(card) > 0 {
            return Err(PileError::Twice(card));
        }
        *self = *self + Self::of(card, count);
        Ok(())
    }
}

impl Add for Pile {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Pile {
    type Output = Self;

    /// The cards that remain when those of `other`, which are all here, are taken out.
    fn sub(self, other: Self) -> Self {
        debug_assert!(self.contains(other));
        Self(self.0 - other.0)
    }
}

impl std::iter::Sum for Pile {
    fn sum<I: Iterator<Item = Self>>(piles: I) -> Self {
        piles.fold(Self::EMPTY, Self::add)
    }
}

impl fmt::Display for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (card, count)) in self.iter().enumerate() {
            write!(f, "{}{card}={count}", if place > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// Why a text is no pile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PileError {
    /// A name that is no card.
    UnknownCard(UnknownCard),
    /// A part that is not `card=count`.
    NotACount(String),
    /// A card that is named more than once.
    Twice(Card),
    /// More than [`Pile::MOST_CARDS`].
    TooManyCards,
}

impl fmt::Display for PileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCard(error) => error.fmt(f),
            Self::NotACount(part) => {
                write!(f, "'{}' is not a card and its count, such as strike=5", part.escape_debug())
            }
            Self::Twice(card) => write!(f, "{card} is given twice; add the counts"),
            Self::TooManyCards => write!(f, "more than {} cards", Pile::MOST_CARDS),
        }
    }
}

impl std::error::Error for PileError {}

impl FromStr for Pile {
    type Err = PileError;

    fn from_str(text: &str) -> Result<Self, PileError> {
        let mut pile = Self::EMPTY;
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            // The last '=': the name of an upgraded card ends in '+', so strike+=1 is one strike+.
            let not_a_count = || PileError::NotACount(part.chars().take(40).collect());
            let (name, count) = part.rsplit_once('=').ok_or_else(not_a_count)?;
            let card: Card = name.trim().parse().map_err(PileError::UnknownCard)?;
            let count = count.trim();
            if count.is_empty() || !count.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(not_a_count());
            }
            pile.insert(card, count.parse().map_err(|_| PileError::TooManyCards)?)?;
        }
        Ok(pile)
    }
}

impl Serialize for Pile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(card, count)| (card.name(), count)))
    }
}

impl<'de> Deserialize<'de> for Pile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Cards;
        impl<'de> Visitor<'de> for Cards {
            type Value = Pile;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("cards with their counts, such as {\"strike\":5,\"bash\":1}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pile, A::Error> {
                let mut pile = Pile::EMPTY;
                while let Some(name) = map.next_key::<String>()? {
                    let card: Card = name.parse().map_err(A::Error::custom)?;
                    pile.insert(
                        card,
                        map.next_value_seed(Whole { what: card.name(), range: 0..=Pile::MOST_CARDS as u64 })?,
                    )
                    .map_err(A::Error::custom)?;
                }
                Ok(pile)
            }
        }
        deserializer.deserialize_map(Cards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upgraded_card_is_not_an_addition() {
        let pile: Pile = "strike+=1".parse().unwrap();
        assert_eq!((pile.count(Card::StrikePlus), pile.count(Card::Strike)), (1, 0));
    }

    #[test]
    fn text_and_back() {
        let text = "bash=1,strike+=2,strike=3,defend+=1,ascenders-bane=1";
        let pile: Pile = text.parse().unwrap();
        assert_eq!(pile.to_string(), text);
        assert_eq!(serde_json::from_str::<Pile>(&serde_json::to_string(&pile).unwrap()).unwrap(), pile);
        assert_eq!("".parse(), Ok(Pile::EMPTY));
    }

    #[test]
    fn what_is_no_pile() {
        for (text, message) in [
            ("strike", "'strike' is not a card and its count, such as strike=5"),
            ("strike=-1", "'strike=-1' is not a card and its count, such as strike=5"),
            ("strike=+1", "'strike=+1' is not a card and its count, such as strike=5"),
            ("strike=1,strike=2", "strike is given twice; add the counts"),
            ("strike=60,defend=40", "more than 99 cards"),
            ("strike=99999999999999999999999999", "more than 99 cards"),
            ("defends=1", "no card is called 'defends'; did you mean defend?"),
            (
                "x=1",
                "no card is called 'x'; the cards are bash+, bash, strike+, strike, defend+, defend, ascenders-bane",
            ),
        ] {
            assert_eq!(text.parse::<Pile>().unwrap_err().to_string(), message);
        }
        for (text, message) in [
            (r#"{"strike":1,"strike":1}"#, "strike is given twice; add the counts at line 1 column 23"),
            (
                r#"{"strike":100}"#,
                "invalid value: integer `100`, expected strike as a whole number from 0 to 99 at line 1 column 13",
            ),
            (
                r#"{"strike":-1}"#,
                "invalid value: integer `-1`, expected strike as a whole number from 0 to 99 at line 1 column 12",
            ),
        ] {
            assert_eq!(serde_json::from_str::<Pile>(text).unwrap_err().to_string(), message);
        }
    }
}
