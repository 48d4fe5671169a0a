//! The parameters of Lone Wolf's rules, from `lone-wolf.kdl` in the crate of systems or a file with differences.
//!
//! Rolls, limits of what is carried, the cost of hunger, the effects of disciplines, the ranks and the combat table are data of
//! the book: those of the built-in file, or of a file beside the book that is `like="lone-wolf"` and lists the differences. The
//! compiler, `check`, the interpreter and the pages read them from the book.

use std::ops::RangeInclusive;

use lone_wolf::CombatTable;

use crate::terms::Dice;

/// The parameters of Lone Wolf's rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KaiRules {
    /// How COMBAT SKILL is rolled.
    pub combat_skill: RolledStat,
    /// How ENDURANCE is rolled.
    pub endurance: RolledStat,
    /// The default number of disciplines of a hero.
    pub learns: usize,
    /// The most Gold Crowns that a belt pouch holds.
    pub most_gold: u8,
    /// The most weapons that can be carried.
    pub most_weapons: u8,
    /// The default number of backpack places.
    pub backpack: u8,
    /// The effect of hunger on ENDURANCE: 0 or less.
    pub hunger: i32,
    /// The bonus to COMBAT SKILL without a weapon (negative).
    pub unarmed: i32,
    /// The bonus of weaponskill to COMBAT SKILL.
    pub weaponskill: i32,
    /// The bonus of mindblast to COMBAT SKILL.
    pub mindblast: i32,
    /// The ENDURANCE restored by healing in a section without a fight.
    pub healing: i32,
    /// The ranks, by number of disciplines from one on.
    pub ranks: Vec<String>,
    /// The combat results table.
    pub table: CombatTable,
}

/// A number that is rolled at a hero's creation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RolledStat {
    /// The dice.
    pub from: Dice,
    /// The default value.
    pub start: i32,
}

impl KaiRules {
    /// Rules in which everything is 0 or empty.
    pub(crate) fn blank() -> Self {
        Self {
            combat_skill: RolledStat::default(),
            endurance: RolledStat::default(),
            learns: 0,
            most_gold: 0,
            most_weapons: 0,
            backpack: 0,
            hunger: 0,
            unarmed: 0,
            weaponskill: 0,
            mindblast: 0,
            healing: 0,
            ranks: Vec::new(),
            table: CombatTable::standard().clone(),
        }
    }

    /// The range of COMBAT SKILL for a new hero.
    pub fn combat_skills(&self) -> RangeInclusive<i32> {
        let (least, most) = self.combat_skill.from.range();
        least..=most
    }

    /// The range of ENDURANCE for a new hero.
    pub fn endurances(&self) -> RangeInclusive<i32> {
        let (least, most) = self.endurance.from.range();
        least..=most
    }
}
