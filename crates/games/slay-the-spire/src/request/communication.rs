//! Messages of `CommunicationMod`, which bots and overlays read, as positions.
//!
//! A message says more than a position has (the map, the deck, relics without effect in fights) and less: not how often an
//! enemy did what long ago, nor the order of the draw pile, which is taken as unknown. What cannot be read from it and
//! matters is assumed, and each assumption is listed. What the rules do not have is an error that names all of it.

mod message;
mod monster;
pub(super) mod names;

use serde::Deserialize;

use super::position::{Position, PositionFile};
use crate::answers::named::Named;
use crate::data::card::{Card, Cost};
use crate::data::potion::Potion;
use crate::data::relic::Relic;
use message::{Combat, GameState, PlayerEntry, PowerEntry, Reading, Thing};
use monster::monster;
use names::{PowerName, card, is_without_effect, player_power, relic};

/// A message of `CommunicationMod`: whole, or the state of the game alone.
///
/// ```
/// use slay_the_spire::CommunicationMessage;
///
/// let text = r#"{"class": "IRONCLAD", "ascension_level": 0, "relics": [{"id": "Burning Blood", "counter": -1}],
///     "combat_state": {
///         "hand": [{"id": "Strike_R", "cost": 1, "upgrades": 0}, {"id": "Bash", "cost": 2, "upgrades": 1}],
///         "draw_pile": [], "discard_pile": [], "exhaust_pile": [], "turn": 1,
///         "player": {"current_hp": 70, "max_hp": 80, "block": 0, "energy": 3, "powers": []},
///         "monsters": [{"id": "JawWorm", "current_hp": 40, "max_hp": 42, "block": 0, "move_id": 1, "powers": []}]}}"#;
/// let message: CommunicationMessage = serde_json::from_str(text)?;
/// let read = message.position()?;
/// assert_eq!((read.position.health, read.position.kinds.len()), (70, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Deserialize)]
pub struct CommunicationMessage {
    game_state: Option<GameState>,
    #[serde(flatten)]
    own: GameState,
}

/// A position that was read from a message, and what its cards, potions and enemies are in commands.
#[derive(Clone, Debug)]
pub struct CommunicationPosition {
    /// The position.
    pub position: Position,
    /// What the message does not say, and was assumed.
    pub assumed: Vec<String>,
    hand: Vec<Card>,
    potions: Vec<(usize, Potion)>,
    enemies: Vec<usize>,
}

impl CommunicationMessage {
    /// The position of the fight.
    ///
    /// # Errors
    /// When there is no fight, when the game waits for something other than a play, or when something in it is not modelled:
    /// everything that is not is named.
    pub fn position(&self) -> Result<CommunicationPosition, String> {
        let state = self.game_state.as_ref().unwrap_or(&self.own);
        let Some(combat) = &state.combat_state else {
            return Err("there is no fight in this message: it has no combat_state".into());
        };
        if combat.card_in_play.is_some() || !combat.limbo.is_empty() {
            return Err("a card is being played: ask when the game waits for the next play".into());
        }
        if let Some(screen) = state.screen_type.as_deref().filter(|own| !matches!(*own, "NONE" | "")) {
            return Err(format!("the game waits for a choice ({}), not for a play", screen.escape_debug()));
        }
        let mut reading = Reading::default();
        if let Some(class) = state.class.as_deref().filter(|class| *class != "IRONCLAD") {
            reading.outside(format!("the class {}", class.escape_debug()));
        }
        let mut file = PositionFile {
            hp: combat.player.current_hp,
            max_hp: Some(combat.player.max_hp),
            ascension: state.ascension_level,
            block: combat.player.block,
            energy: combat.player.energy,
            ..PositionFile::default()
        };
        let hand = piles(combat, &mut file, &mut reading);
        let potions = potions(state, &mut file, &mut reading);
        player(&combat.player, &mut file, &mut reading);
        relics(state, combat, &mut file, &mut reading);
        costs(combat, &hand, &mut file, &mut reading);
        let mut enemies = Vec::new();
        for (place, own) in combat.monsters.iter().enumerate().filter(|(_, own)| own.stands()) {
            if let Some(enemy) = monster(own, state.ascension_level, combat.turn, &mut reading) {
                file.enemies.push(enemy);
                enemies.push(place);
            }
        }
        if !reading.outside.is_empty() {
            return Err(format!("not modelled: {}", reading.outside.join("; ")));
        }
        let position = file.position()?;
        Ok(CommunicationPosition { position, assumed: reading.assumed, hand, potions, enemies })
    }
}

/// The cards of the piles; returns those of the hand in their order.
fn piles(combat: &Combat, file: &mut PositionFile, reading: &mut Reading) -> Vec<Card> {
    let mut hand = Vec::new();
    let piles = [
        (&combat.hand, &mut file.hand),
        (&combat.draw_pile, &mut file.draw),
        (&combat.discard_pile, &mut file.discard),
        (&combat.exhaust_pile, &mut file.exhausted),
    ];
    for (place, (entries, pile)) in piles.into_iter().enumerate() {
        for entry in entries {
            match card(&entry.id, entry.name.as_deref(), entry.upgrades) {
                Ok(card) => {
                    if card.after_play() != card {
                        reading.assume(format!("{card} does no more damage than at the beginning of the fight"));
                    }
                    *pile.entry(card.to_string()).or_default() += 1;
                    if place == 0 {
                        hand.push(card);
                    }
                }
                // What is exhausted matters only to cards that bring it back.
                Err(_) if place == 3 => {}
                Err(error) => reading.outside(error),
            }
        }
    }
    hand
}

/// The potions; returns the slot of each.
fn potions(state: &GameState, file: &mut PositionFile, reading: &mut Reading) -> Vec<(usize, Potion)> {
    let mut potions = Vec::new();
    for (slot, own) in state.potions.iter().enumerate().filter(|(_, own)| own.id != "Potion Slot") {
        let names = [own.name.as_deref(), Some(own.id.as_str())];
        match names.into_iter().flatten().find_map(|name| name.parse::<Potion>().ok()) {
            Some(potion) => {
                *file.potions.entry(potion.to_string()).or_default() += 1;
                potions.push((slot, potion));
            }
            None => reading.assume(format!("{} is not used", own.name.as_deref().unwrap_or(&own.id).escape_debug())),
        }
    }
    potions
}

/// The player's powers.
fn player(player: &PlayerEntry, file: &mut PositionFile, reading: &mut Reading) {
    for PowerEntry { id, amount, misc } in &player.powers {
        let small = u8::try_from((*amount).clamp(0, 255)).unwrap_or(u8::MAX);
        let signed = i16::try_from(*amount).unwrap_or(999);
        match player_power(id) {
            Some(PowerName::Strength) => file.strength = signed,
            Some(PowerName::Dexterity) => file.dexterity = signed,
            Some(PowerName::Vigor) => file.akabeko_unused = true,
            Some(PowerName::Ignored) => {}
            Some(PowerName::Amount(name)) => {
                file.powers.insert(name.into(), small);
            }
            Some(PowerName::On(name)) => {
                file.powers.insert(name.into(), 1);
            }
            Some(PowerName::Combust) => {
                file.powers.insert("combust".into(), small);
                let cost = misc.and_then(|cost| u8::try_from(cost).ok());
                if cost.is_none() {
                    reading.assume("Combust was played once");
                }
                file.powers.insert("combust-cost".into(), cost.unwrap_or(1));
            }
            None => reading.outside(format!("the player's power {}", id.escape_debug())),
        }
    }
}

/// The relics and what they have counted.
fn relics(state: &GameState, combat: &Combat, file: &mut PositionFile, reading: &mut Reading) {
    for Thing { id, name, counter } in &state.relics {
        let names = [Some(id.as_str()), name.as_deref()];
        let Some(relic) = names.into_iter().flatten().find_map(relic) else {
            if !is_without_effect(id) {
                reading.outside(format!("the relic {}", name.as_deref().unwrap_or(id).escape_debug()));
            }
            continue;
        };
        file.relics.push(relic.to_string());
        let count = u8::try_from(*counter).unwrap_or(0);
        match relic {
            Relic::PenNib => file.pen_nib = Some(count),
            Relic::Nunchaku => file.nunchaku = Some(count),
            Relic::HappyFlower => file.happy_flower = Some(count),
            Relic::InkBottle => file.ink_bottle = Some(count),
            Relic::Kunai | Relic::Shuriken | Relic::OrnamentalFan => file.attacks_played = count,
            Relic::LetterOpener => file.skills_played = count,
            Relic::ArtOfWar => reading.assume("no attack was played this turn (Art of War)"),
            Relic::HornCleat if combat.turn <= 1 => {
                file.powers.insert("horn-cleat".into(), 1);
            }
            Relic::CentennialPuzzle => match combat.times_damaged {
                Some(times) => file.centennial_puzzle_used = times > 0,
                None => reading.assume("Centennial Puzzle has not drawn its cards"),
            },
            _ => {}
        }
    }
}

/// Cards that cost other than usual.
fn costs(combat: &Combat, hand: &[Card], file: &mut PositionFile, reading: &mut Reading) {
    file.losses = u8::try_from(combat.times_damaged.unwrap_or(0)).unwrap_or(u8::MAX);
    let is_corrupt = file.powers.contains_key("corruption");
    for (entry, card) in combat.hand.iter().zip(hand) {
        match card.data().cost[card.form()] {
            Cost::Energy(usual) if i16::from(usual) != entry.cost => {
                let skill = card.data().kind == crate::data::card::Kind::Skill;
                if entry.cost == 0 && !(is_corrupt && skill) {
                    file.free.push(card.to_string());
                } else if entry.cost != 0 {
                    reading.outside(format!("{card} for {} energy", entry.cost));
                }
            }
            Cost::LessWounds(usual) if combat.times_damaged.is_none() => {
                let less = i16::from(usual).saturating_sub(entry.cost);
                file.losses = u8::try_from(less).unwrap_or(0);
            }
            _ => {}
        }
    }
}

impl CommunicationPosition {
    /// A play as `CommunicationMod` takes it: `play 3 0`, `potion use 0`, `end`. `None` for a card that is not in the hand.
    pub fn command(&self, play: &Named) -> Option<String> {
        let target = play.target.and_then(|target| self.enemies.get(usize::from(target)));
        let target = target.map(|target| format!(" {target}")).unwrap_or_default();
        if let Some(name) = &play.play {
            let place =
                self.hand.iter().position(|card| card.to_string().replace('-', "_") == name.replace('-', "_"))?;
            return Some(format!("play {}{target}", place + 1));
        }
        if let Some(name) = &play.potion {
            let potion: Potion = name.parse().ok()?;
            let (slot, _) = self.potions.iter().find(|(_, own)| *own == potion)?;
            return Some(format!("potion use {slot}{target}"));
        }
        play.end_turn.map(|_| "end".to_string())
    }
}
