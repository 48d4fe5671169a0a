//! The beginning of a fight.

use std::ops::RangeInclusive;

use super::state::{Enemy, State};
use super::{Rules, RulesError};
use crate::data::card::Card;
use crate::data::enemy::Kind;
use crate::data::potion::Potion;
use crate::data::relic::{Relic, Relics};
use crate::numbers::chance::Chance;

/// An enemy before the fight: its kind, and the ranges of its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foe {
    /// What it is.
    pub kind: Kind,
    /// The healths with which it can begin, equally likely.
    pub health: RangeInclusive<u16>,
    /// The Curl Up with which it can begin, equally likely; 0 except for louses.
    pub curl_up: RangeInclusive<u8>,
}

impl Foe {
    /// An enemy as it is at this ascension.
    pub fn of(kind: Kind, ascension: u8) -> Self {
        Self { kind, health: kind.health(ascension), curl_up: kind.curl_up(ascension) }
    }
}

/// The player before a fight.
#[derive(Clone, Debug, PartialEq)]
pub struct Hero {
    /// The ascension, 0 to 20.
    pub ascension: u8,
    /// His maximum health.
    pub max_health: i16,
    /// The deck.
    pub deck: Vec<Card>,
    /// The relics.
    pub relics: Relics,
    /// The potions.
    pub potions: Vec<Potion>,
}

impl Hero {
    /// The Ironclad as a run begins, without Burning Blood.
    ///
    /// ```
    /// use slay_the_spire::Hero;
    ///
    /// assert_eq!((Hero::new(0).max_health, Hero::new(0).deck.len()), (80, 10));
    /// assert_eq!((Hero::new(14).max_health, Hero::new(14).deck.len()), (75, 11));
    /// ```
    pub fn new(ascension: u8) -> Self {
        let cards = [("strike", 5), ("defend", 4), ("bash", 1), ("ascenders-bane", usize::from(ascension >= 10))];
        let deck = cards.into_iter().flat_map(|(name, count)| std::iter::repeat_n(Card::called(name), count));
        Self {
            ascension,
            max_health: if ascension >= 14 { 75 } else { 80 },
            deck: deck.collect(),
            relics: Relics::default(),
            potions: Vec::new(),
        }
    }

    /// The rules of his fight against these enemies.
    ///
    /// # Errors
    /// When the fight is not modelled.
    pub fn rules(&self, foes: &[Foe]) -> Result<Rules, RulesError> {
        let kinds: Vec<Kind> = foes.iter().map(|foe| foe.kind).collect();
        if foes.is_empty() || foes.len() > super::state::ENEMIES {
            return Err(RulesError::Other(format!("a fight is against 1 to {} enemies", super::state::ENEMIES)));
        }
        Rules::new(self.ascension, self.max_health, &self.deck, &kinds, self.relics, &self.potions)
    }

    /// Every way in which his fight against these enemies can begin, before their first moves are rolled.
    pub(crate) fn starts(&self, rules: &Rules, foes: &[Foe]) -> Vec<(Chance, State)> {
        let mut standing: Vec<(Chance, Vec<Enemy>)> = vec![(Chance::ONE, Vec::new())];
        for foe in foes {
            let ways = foe.health.clone().count() * foe.curl_up.clone().count();
            standing = standing
                .into_iter()
                .flat_map(|(chance, before)| {
                    let chance = chance.and(Chance::one_in(ways));
                    let pairs =
                        foe.health.clone().flat_map(|health| foe.curl_up.clone().map(move |curl| (health, curl)));
                    pairs.map(move |(health, curl_up)| {
                        let insect = rules.has(Relic::PreservedInsect) && foe.kind.is_elite();
                        let mut enemies = before.clone();
                        enemies.push(rules.enemy(foe.kind, if insect { health * 3 / 4 } else { health }, curl_up));
                        (chance, enemies)
                    })
                })
                .collect();
        }
        standing.into_iter().map(|(chance, enemies)| (chance, rules.start(&self.deck, &enemies))).collect()
    }
}
