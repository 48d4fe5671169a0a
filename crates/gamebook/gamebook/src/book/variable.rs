//! The numbers on the sheet of a hero of a system of rules.

use super::gear::Traits;
use crate::terms::Dice;

/// A number on the hero's sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: VariableKind,
    /// Its smallest and its largest number.
    pub least: i32,
    /// See [`least`](Self::least).
    pub most: i32,
    /// The hero dies when it is used up.
    pub vital: bool,
    /// The variable that holds its initial value: gains stop there.
    pub initial: Option<usize>,
    /// What it begins with, when nobody says otherwise.
    pub start: i32,
    /// The dice that make it.
    pub from: Option<Dice>,
    /// The container in which an item is carried.
    pub container: Option<usize>,
    /// What an item is.
    pub traits: Traits,
}

/// What a number on the sheet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// A stat.
    Stat,
    /// The initial value of a stat.
    Initial,
    /// A counter.
    Counter,
    /// Yes or no.
    Flag,
    /// An item.
    Item,
    /// Whether a skill is known.
    Skill,
    /// Whether a skill is known in some item.
    SkillIn,
    /// Whether all skills of a circle are known.
    Circle,
    /// Something that only another book of the series knows: nothing here asks for it.
    Elsewhere,
}

impl VariableKind {
    /// Whether it is yes or no: a flag, or whether skills are known.
    pub fn is_yes_or_no(self) -> bool {
        matches!(self, Self::Flag | Self::Skill | Self::SkillIn | Self::Circle)
    }
}
