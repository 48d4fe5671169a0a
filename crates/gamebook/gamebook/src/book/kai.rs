//! The numbers of Lone Wolf's rules: those of `lone-wolf.kdl` in the crate of systems, or of a file that says which differ.
//!
//! What is rolled and carried, what hunger costs, what disciplines bring, the ranks and the combat table are data of the book:
//! those of the built-in file, read once, or of a file beside the book that is `like="lone-wolf"` and lists the differences.
//! The compiler, `check`, the interpreter and the pages ask the book for them.

use std::ops::RangeInclusive;

use lone_wolf::CombatTable;

use crate::terms::Dice;

/// The numbers of Lone Wolf's rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KaiRules {
    /// How COMBAT SKILL is rolled.
    pub combat_skill: RolledStat,
    /// How ENDURANCE is rolled.
    pub endurance: RolledStat,
    /// How many disciplines a hero may have where his book does not say it.
    pub learns: usize,
    /// The most Gold Crowns that a belt pouch holds.
    pub most_gold: u8,
    /// The most weapons that can be carried.
    pub most_weapons: u8,
    /// Places for backpack items where the book says nothing else.
    pub backpack: u8,
    /// What going hungry adds to ENDURANCE: 0 or less.
    pub hunger: i32,
    /// What fighting without a weapon adds to COMBAT SKILL.
    pub unarmed: i32,
    /// What the discipline of weaponskill adds to COMBAT SKILL.
    pub weaponskill: i32,
    /// What the discipline of mindblast adds to COMBAT SKILL.
    pub mindblast: i32,
    /// What the discipline of healing adds to ENDURANCE in a section without a fight.
    pub healing: i32,
    /// The ranks; the first is that of one discipline.
    pub ranks: Vec<String>,
    /// The combat results table.
    pub table: CombatTable,
}

/// A number that is rolled when a hero is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RolledStat {
    /// The dice.
    pub from: Dice,
    /// What he has where his book does not say it.
    pub start: i32,
}

impl KaiRules {
    /// No numbers at all.
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

    /// The COMBAT SKILL that a new hero can have.
    pub fn combat_skills(&self) -> RangeInclusive<i32> {
        let (least, most) = self.combat_skill.from.range();
        least..=most
    }

    /// The ENDURANCE that a new hero can have.
    pub fn endurances(&self) -> RangeInclusive<i32> {
        let (least, most) = self.endurance.from.range();
        least..=most
    }
}
