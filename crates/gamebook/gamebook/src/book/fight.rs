//! Enemies and fights.

use super::number::{LocalId, Number};

/// The ENDURANCE left after a defeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// This much.
    Points(u8),
    /// Half of what the hero had before the fight, rounded down, but at least 1.
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
    /// Whether it loses double to some weapons.
    pub undead: bool,
    /// Whether Mindblast has no effect.
    pub immune_to_mindblast: bool,
}

/// A number that exists during a fight.
#[derive(Clone, Debug)]
pub struct FightLocal {
    /// Its name.
    pub local: LocalId,
    /// Its minimum.
    pub least: i32,
    /// Its maximum.
    pub most: i32,
    /// Its initial value.
    pub start: Number,
}

/// The order in which several enemies are fought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// One after another.
    #[default]
    OneByOne,
    /// All in every round.
    AllAtOnce,
    /// The player picks one each round.
    PlayerPicks,
}
