//! The rules of one fight: its cards, relics, potions, and the ascension.

pub mod action;
pub mod carry_out;
pub mod damage;
pub mod draw;
pub mod effect;
pub mod enemy_turn;
pub mod fate;
pub mod fight_start;
pub mod healing;
pub mod intents;
pub mod pile;
pub mod play;
pub mod player_turn;
pub mod queue;
pub mod setup;
pub mod spoils;
pub mod state;
pub mod world;

use std::fmt;

use self::queue::Stalls;
use self::state::{Change, ENEMIES, KNOWN, NONE, Pile, SLOTS};
use crate::data::card::{Card, Effect, Kind};
use crate::data::enemy::Kind as EnemyKind;
use crate::data::potion::{Drink, Potion};
use crate::data::power::Power;
use crate::data::relic::{Relic, Relics};

/// The highest ascension.
pub const HIGHEST_ASCENSION: u8 = 20;
/// The highest health that is modelled.
pub const HIGHEST_HEALTH: i16 = 250;

/// The data that all positions of a fight share.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The ascension, 0 to 20.
    pub ascension: u8,
    /// The player's maximum health.
    pub max_health: i16,
    /// The health at the beginning of the fight, or of a file's turn: what Hexaghost measures in its first turn.
    pub health: i16,
    /// The relics.
    pub relics: Relics,
    /// The potions at the start of the fight, at most 8; a position has a bit for each.
    pub potions: Vec<Potion>,
    /// The cards that can occur, in the order of their slots.
    pub cards: Vec<Card>,
    /// For each slot that of the upgraded card.
    pub(crate) upgraded: Vec<u8>,
    /// For each slot that of the card after a play: its own, unless the card grows.
    pub(crate) grown: Vec<u8>,
    /// By how much the maximum health can rise in the fight at most.
    pub(crate) raised: u8,
    /// A bit for each [`Track`] that a card requires.
    pub(crate) tracks: u8,
    /// The queues that are waiting for a choice of the player, for all positions of the fight.
    pub(crate) stalls: Stalls,
}

/// What is tracked, or done at all, only if a card requires it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Track {
    /// Which cards are exhausted.
    Exhausted,
    /// How often health was lost.
    Wounds,
    /// How many cards were played this turn.
    Played,
    /// That Pain hurts when a card is played.
    Pain,
    /// That some cards act when they are held at the end of a turn.
    Held,
    /// That a card acts when it is drawn.
    Drawn,
}

impl Track {
    /// Each with the cards that require it.
    const ASKED: [(Self, &[&str]); 6] = [
        (Self::Exhausted, &["exhume"]),
        (Self::Wounds, &["blood-for-blood"]),
        (Self::Played, &["normality"]),
        (Self::Pain, &["pain"]),
        (Self::Held, &["burn", "decay", "doubt", "shame", "regret"]),
        (Self::Drawn, &["void"]),
    ];
}

/// Why a fight is not modelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesError {
    /// More different cards than slots.
    TooManyKinds,
    /// More than 60 cards.
    TooManyCards,
    /// More than 8 potions.
    TooManyPotions,
    /// More than 5 cards that start on top of the draw pile.
    TooManyInnate,
    /// Another reason, as text.
    Other(String),
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyKinds => {
                write!(f, "more than {SLOTS} different cards, with upgrades and cards that can be created")
            }
            Self::TooManyCards => f.write_str("a deck of more than 60 cards"),
            Self::TooManyPotions => f.write_str("more than 8 potions"),
            Self::TooManyInnate => f.write_str("more than 5 innate cards"),
            Self::Other(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for RulesError {}

impl Rules {
    /// The rules of a fight with these cards against these enemies.
    ///
    /// # Errors
    /// When the fight is not modelled.
    pub fn new(
        ascension: u8,
        max_health: i16,
        deck: &[Card],
        enemies: &[EnemyKind],
        relics: Relics,
        potions: &[Potion],
    ) -> Result<Self, RulesError> {
        if potions.len() > 8 {
            return Err(RulesError::TooManyPotions);
        }
        if deck.len() > 60 {
            return Err(RulesError::TooManyCards);
        }
        if !(1..=HIGHEST_HEALTH).contains(&max_health) || ascension > HIGHEST_ASCENSION {
            let why = format!("health goes from 1 to {HIGHEST_HEALTH}, the ascension from 0 to {HIGHEST_ASCENSION}");
            return Err(RulesError::Other(why));
        }
        if let Some(boss) = enemies.iter().find(|kind| kind.is_boss() && enemies.len() > 1) {
            return Err(RulesError::Other(format!("{boss} fights alone")));
        }
        if enemies.iter().map(|kind| kind.becomes()).sum::<usize>() > ENEMIES {
            let why = format!("more than {ENEMIES} enemies, when all have split");
            return Err(RulesError::Other(why));
        }
        if relics.has(Relic::RedSkull) && max_health > 200 {
            return Err(RulesError::Other("with a Red Skull the highest health is at most 200".into()));
        }
        let cards = possible_cards(deck, enemies, potions);
        // For a card that grows, at least a few plays are distinguished.
        let grows = |card: &Card| card.after_play() != *card;
        let grown = cards.iter().map(|card| card.grown()).max().unwrap_or(0);
        if cards.len() > SLOTS || cards.iter().any(grows) && grown < 20 {
            return Err(RulesError::TooManyKinds);
        }
        let innate = deck.iter().filter(|card| card.data().innate[card.form()]).count();
        if innate > KNOWN {
            return Err(RulesError::TooManyInnate);
        }
        let asks = |names: &[&str]| cards.iter().any(|card| names.contains(&card.data().name));
        let asked = Track::ASKED.into_iter().filter(|(_, names)| asks(names));
        let tracks = asked.fold(0, |tracks, (track, _)| tracks | 1 << track as u8);
        let raised = most_raised(enemies, &cards, potions);
        let slot_of = |card: Card| cards.iter().position(|other| *other == card);
        let slots = |become_of: fn(Card) -> Card, or_else: fn(usize) -> Option<usize>| -> Vec<u8> {
            let slot = |(own, card): (usize, &Card)| slot_of(become_of(*card)).or(or_else(own));
            let slots = cards.iter().enumerate().map(slot);
            slots.map(|slot| slot.and_then(|slot| u8::try_from(slot).ok()).unwrap_or(NONE)).collect()
        };
        let (upgraded, grown) = (slots(Card::upgraded, |_| None), slots(Card::after_play, Some));
        Ok(Self {
            ascension,
            max_health,
            health: max_health,
            relics,
            potions: potions.to_vec(),
            upgraded,
            grown,
            raised,
            tracks,
            cards,
            stalls: Stalls::default(),
        })
    }

    /// The same rules for a player who begins the fight with this much health.
    #[must_use]
    pub fn beginning_with(self, health: i16) -> Self {
        let vial = if self.has(Relic::BloodVial) { 2 } else { 0 };
        Self { health: (health + vial).min(self.max_health), ..self }
    }

    /// All potions, as bits.
    pub(crate) fn all_potions(&self) -> u8 {
        u8::try_from((1u16 << self.potions.len()) - 1).expect("there are at most 8 potions")
    }

    /// The highest health that the player can have at any time of the fight, with everything that raises it.
    pub(crate) fn most_health(&self) -> i16 {
        self.max_health + i16::from(self.raised)
    }

    /// The strength of each hit of Hexaghost's Divider after this change of the health since the turn began.
    pub(crate) fn divider(&self, change: Change) -> u8 {
        u8::try_from(change.after(self.health).unwrap_or(0) / 12 + 1).expect("health is a few hundred at most")
    }

    /// The slot of a card, if it can be in this fight.
    pub fn slot(&self, card: Card) -> Option<u8> {
        self.cards.iter().position(|other| *other == card).and_then(|slot| u8::try_from(slot).ok())
    }

    /// The card of a slot.
    pub fn card(&self, slot: u8) -> Card {
        self.cards[usize::from(slot)]
    }

    /// A pile of these cards, which must all have slots.
    pub fn pile(&self, cards: &[Card]) -> Pile {
        let mut pile = Pile::default();
        for slot in cards.iter().filter_map(|card| self.slot(*card)) {
            pile.add(slot, 1);
        }
        pile
    }

    /// Whether this is tracked.
    pub(crate) fn tracks(&self, track: Track) -> bool {
        self.tracks >> track as u8 & 1 == 1
    }

    /// Whether the relic is there.
    pub fn has(&self, relic: Relic) -> bool {
        self.relics.has(relic)
    }

    /// Whether losing health can be useful: cheaper cards, block, cards, strength.
    pub(crate) fn losses_help(&self) -> bool {
        let helpful = [Relic::SelfFormingClay, Relic::CentennialPuzzle, Relic::RedSkull];
        self.tracks(Track::Wounds) || helpful.into_iter().any(|relic| self.has(relic))
    }

    /// Whether positions store a power; a counter is stored only if something depends on it.
    pub(crate) fn keeps(&self, power: Power) -> bool {
        match power {
            Power::Wounds => self.tracks(Track::Wounds),
            Power::Played => self.tracks(Track::Played),
            Power::Attacks => {
                let counting = [Relic::Kunai, Relic::Shuriken, Relic::OrnamentalFan, Relic::ArtOfWar];
                counting.into_iter().any(|relic| self.has(relic))
            }
            Power::Skills => self.has(Relic::LetterOpener),
            _ => true,
        }
    }
}

/// By how much the maximum health can rise at most: each enemy is killed once, and each potion drunk once.
fn most_raised(enemies: &[EnemyKind], cards: &[Card], potions: &[Potion]) -> u8 {
    let kills = u8::try_from(enemies.iter().map(|kind| kind.becomes()).sum::<usize>()).expect("there are few enemies");
    let fed = cards.iter().flat_map(|card| card.data().effects.iter().map(|effect| (card.form(), effect)));
    let fed = fed.map(|(form, effect)| if let Effect::HitFeeding(_, more) = effect { more[form] } else { 0 });
    let drunk = potions.iter().map(|potion| if let Drink::MaxHealth(more) = potion.data().does { more } else { 0 });
    drunk.fold(kills.saturating_mul(fed.max().unwrap_or(0)), u8::saturating_add)
}

/// Every card that can occur: the deck, the cards that it and the enemies create, and upgrades made in the fight;
/// sorted.
fn possible_cards(deck: &[Card], enemies: &[EnemyKind], potions: &[Potion]) -> Vec<Card> {
    let mut cards: Vec<Card> = deck.to_vec();
    for kind in enemies {
        let mut kinds = vec![*kind];
        while let Some(kind) = kinds.pop() {
            for act in kind.data().moves.iter().flat_map(|data| data.acts) {
                match act {
                    crate::data::enemy::Act::Create(name, _) => cards.push(Card::called(name)),
                    crate::data::enemy::Act::Split(left, right) => kinds.extend([*left, *right]),
                    crate::data::enemy::Act::Inferno => cards.extend(["burn", "burn+"].map(Card::called)),
                    _ => {}
                }
            }
        }
    }
    if deck.iter().any(|card| card.data().effects.contains(&Effect::RandomAttack)) {
        cards.extend(Card::random_attacks());
    }
    let effects =
        |cards: &[Card]| -> Vec<Effect> { cards.iter().flat_map(|card| card.data().effects).copied().collect() };
    for effect in effects(&cards) {
        if let Effect::Create(name, _, _) = effect {
            cards.push(Card::called(name));
        }
    }
    let forge = potions.iter().any(|potion| potion.data().does == Drink::UpgradeHand);
    if forge || effects(&cards).contains(&Effect::UpgradeHand) {
        // Burn+ is created by an enemy only: the game upgrades no statuses.
        let upgraded: Vec<Card> =
            cards.iter().filter(|card| card.data().kind != Kind::Status).map(|card| card.upgraded()).collect();
        cards.extend(upgraded);
    }
    cards.sort_unstable();
    cards.dedup();
    grow(&mut cards, forge || effects(deck).contains(&Effect::UpgradeHand));
    cards
}

/// Adds the grown forms of cards that grow by being played, the least first, as far as there is room; with upgrades, if
/// cards can be upgraded in the fight.
fn grow(cards: &mut Vec<Card>, upgrades: bool) {
    /// A card that has been played this often is so strong that nothing survives it.
    const PLAYS: usize = 24;
    for _ in 0..PLAYS {
        let next = |card: &Card| {
            let grown = card.after_play();
            let upgraded = if upgrades && grown.grown() > 0 { grown.upgraded() } else { grown };
            [grown, upgraded]
        };
        let mut more: Vec<Card> = cards.iter().flat_map(next).filter(|card| !cards.contains(card)).collect();
        more.sort_unstable_by_key(|card| card.grown());
        more.dedup();
        more.truncate(SLOTS.saturating_sub(cards.len()));
        if more.is_empty() {
            break;
        }
        cards.extend(more);
        cards.sort_unstable();
        cards.dedup();
    }
}
