//! Who is fought, and how fights go.

use super::number::{LocalId, Number};

/// How much ENDURANCE a defeat leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// So much.
    Points(u8),
    /// Half of what he had before the fight, rounded down, but at least 1.
    Half,
}

/// An enemy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enemy {
    /// The name.
    pub name: String,
    /// COMBAT SKILL.
    pub skill: i32,
    /// ENDURANCE.
    pub endurance: u8,
    /// Loses double to some weapons.
    pub undead: bool,
    /// Mindblast does not help.
    pub immune_to_mindblast: bool,
}

/// A number of one fight.
#[derive(Clone, Debug)]
pub struct FightLocal {
    /// Its name.
    pub local: LocalId,
    /// Its smallest and its largest number.
    pub least: i32,
    /// See [`least`](Self::least).
    pub most: i32,
    /// What it begins with.
    pub start: Number,
}

/// In which order several enemies are fought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The next when one has fallen.
    #[default]
    OneByOne,
    /// All in every round.
    AllAtOnce,
    /// The player picks one in every round.
    PlayerPicks,
}
