//! A card or a potion in the middle of its effects.

use super::state::State;
use crate::data::card::Card;
use crate::numbers::chance::Chance;

/// Positions with their chances.
pub type Outcomes = Vec<(Chance, State)>;

/// What is still to be done by chance before the next effect.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Due {
    /// Cards to be drawn.
    pub draws: u8,
    /// Attacks on random enemies.
    pub hits: u8,
    /// Their damage.
    pub damage: u8,
    /// Cards of the hand to be exhausted at random.
    pub exhausts: u8,
    /// Damage to random enemies, by Juggernaut.
    pub jolts: u8,
}

impl Due {
    pub(crate) fn any(self) -> bool {
        self.draws > 0 || self.hits > 0 || self.exhausts > 0 || self.jolts > 0
    }
}

/// A position in the middle of an effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Running {
    pub state: State,
    pub due: Due,
}

/// The card being played, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Playing {
    pub card: Card,
    pub slot: u8,
    pub target: usize,
    pub choice: u8,
    pub energy: u8,
    /// Akabeko's damage.
    pub bonus: i32,
    /// Pen Nib's factor.
    pub factor: i32,
    /// How often the card is played: twice with Double Tap.
    pub times: usize,
}
