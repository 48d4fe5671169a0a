//! Fights as an author writes them.

use super::{Condition, ItemId, Node, Number};

/// A fight.
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
#[derive(Clone, Debug, Default)]
pub struct Fight {
    /// The enemies, one after another.
    pub enemies: Vec<Enemy>,
    /// Added to COMBAT SKILL: how much, in how many first rounds (`None`: all), when.
    pub bonuses: Vec<(i32, Option<u32>, Condition)>,
    /// The first rounds in which no weapon may be used; `u32::MAX`: all.
    pub bare_hands: u32,
    /// Only this weapon may be used.
    pub only_weapon: Option<ItemId>,
    /// ENDURANCE that the enemy's mind takes each round.
    pub mindforce: u8,
    /// Mindshield does not help.
    pub mindforce_always: bool,
    /// The first rounds in which it takes nothing: a constant, or a name bound in the section.
    pub mindforce_after: Option<Number>,
    /// Nothing that strengthens can be used before it.
    pub no_potions: bool,
    /// What the enemy loses each round to somebody who helps.
    pub helper: u8,
    /// With how many numbers of ten a wound is deadly, where wounds cost nothing else; 0: they cost ENDURANCE.
    pub venom: u8,
    /// The first rounds in which the hero loses nothing.
    pub untouchable: u32,
    /// The enemy loses double.
    pub double_damage: bool,
    /// Where the hero may run from which round on.
    pub evade: Option<(u32, Vec<Node>)>,
    /// What losing means in a mock fight.
    pub mock: Option<Vec<Node>>,
    /// With how much ENDURANCE the defeated goes on, and where.
    pub defeat: Option<(Leaves, Vec<Node>)>,
    /// After how many rounds the fight stops, and what then.
    pub stop: Option<(u32, Vec<Node>)>,
    /// What the first wound leads to.
    pub first_wound: Option<Vec<Node>>,
    /// Where a round leads in which this number is picked.
    pub slip: Option<(u8, Vec<Node>)>,
    /// The first rounds in which the enemy loses nothing.
    pub only_parry: u32,
    /// Who wins or leaves gets back half of what he lost, rounded down.
    pub returns_half: bool,
}

/// How much ENDURANCE a defeat leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// So much.
    Points(u8),
    /// Half of what he had before the fight, rounded down, but at least 1.
    Half,
}

impl Fight {
    /// What stands in it for those who do not simply win, in the order in which it is told.
    pub fn bodies(&self) -> impl Iterator<Item = &Vec<Node>> {
        [
            self.evade.as_ref().map(|(_, body)| body),
            self.mock.as_ref(),
            self.defeat.as_ref().map(|(_, body)| body),
            self.stop.as_ref().map(|(_, body)| body),
            self.first_wound.as_ref(),
            self.slip.as_ref().map(|(_, body)| body),
        ]
        .into_iter()
        .flatten()
    }

    /// Whether it matters how much ENDURANCE he had before it.
    pub fn looks_back(&self) -> bool {
        self.mock.is_some() || self.returns_half || matches!(self.defeat, Some((Leaves::Half, _)))
    }
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
