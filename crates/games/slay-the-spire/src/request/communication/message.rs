//! What stands in a message of `CommunicationMod`, as far as a fight depends on it.

use serde::Deserialize;

/// The state of the game, as far as a fight depends on it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GameState {
    pub(super) class: Option<String>,
    pub(super) ascension_level: u8,
    pub(super) relics: Vec<Thing>,
    pub(super) potions: Vec<Thing>,
    pub(super) screen_type: Option<String>,
    pub(super) combat_state: Option<Combat>,
}

/// A relic, or a potion.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Thing {
    pub(super) id: String,
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) counter: i32,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Combat {
    pub(super) hand: Vec<CardEntry>,
    pub(super) draw_pile: Vec<CardEntry>,
    pub(super) discard_pile: Vec<CardEntry>,
    #[serde(default)]
    pub(super) exhaust_pile: Vec<CardEntry>,
    #[serde(default)]
    pub(super) limbo: Vec<CardEntry>,
    pub(super) card_in_play: Option<CardEntry>,
    pub(super) player: PlayerEntry,
    pub(super) monsters: Vec<Monster>,
    #[serde(default = "first_turn")]
    pub(super) turn: u16,
    pub(super) times_damaged: Option<u16>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct CardEntry {
    pub(super) id: String,
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) upgrades: u8,
    #[serde(default)]
    pub(super) cost: i16,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct PlayerEntry {
    pub(super) current_hp: i16,
    pub(super) max_hp: i16,
    #[serde(default)]
    pub(super) block: u16,
    pub(super) energy: u8,
    #[serde(default)]
    pub(super) powers: Vec<PowerEntry>,
}

/// A power of the player or of an enemy.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct PowerEntry {
    pub(super) id: String,
    #[serde(default)]
    pub(super) amount: i32,
    /// Of Combust: the health that it takes.
    pub(super) misc: Option<i32>,
}

fn first_turn() -> u16 {
    1
}

/// An enemy as a message has it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Monster {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) current_hp: u16,
    pub(super) max_hp: Option<u16>,
    #[serde(default)]
    pub(super) block: u16,
    pub(super) move_id: Option<i16>,
    pub(super) last_move_id: Option<i16>,
    pub(super) second_last_move_id: Option<i16>,
    pub(super) move_base_damage: Option<i16>,
    #[serde(default)]
    pub(super) is_gone: bool,
    #[serde(default)]
    pub(super) half_dead: bool,
    #[serde(default)]
    pub(super) powers: Vec<PowerEntry>,
}

impl Monster {
    /// Whether it is still in the fight.
    pub(super) fn stands(&self) -> bool {
        !self.is_gone && (self.current_hp > 0 || self.half_dead)
    }

    /// Whether it made a move in one of the last turns that the message has.
    pub(super) fn has_made(&self, id: i16) -> bool {
        [self.move_id, self.last_move_id, self.second_last_move_id].contains(&Some(id))
    }

    /// How often in a row it makes the move that it intends, this time included, as far as the message goes back.
    pub(super) fn run(&self) -> u8 {
        let history = [self.move_id, self.last_move_id, self.second_last_move_id];
        let alike = history.into_iter().take_while(|own| own.is_some() && *own == self.move_id).count();
        u8::try_from(alike).unwrap_or(1).max(1)
    }
}

/// What was found wrong with a message, and what was assumed.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) outside: Vec<String>,
    pub(super) assumed: Vec<String>,
}

impl Reading {
    pub(super) fn outside(&mut self, what: String) {
        if !self.outside.contains(&what) {
            self.outside.push(what);
        }
    }

    pub(super) fn assume(&mut self, what: impl Into<String>) {
        let what = what.into();
        if !self.assumed.contains(&what) {
            self.assumed.push(what);
        }
    }
}
