//! The variables on a hero's sheet in a system of rules.

use super::gear::Traits;
use crate::terms::Dice;

/// A variable on the hero's sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: VariableKind,
    /// Its minimum.
    pub least: i32,
    /// Its maximum.
    pub most: i32,
    /// Whether the hero dies at 0.
    pub vital: bool,
    /// The variable that holds its initial value, at which gains stop.
    pub initial: Option<usize>,
    /// Its default value.
    pub start: i32,
    /// The dice that determine it.
    pub from: Option<Dice>,
    /// The container of an item.
    pub container: Option<usize>,
    /// The traits of an item.
    pub traits: Traits,
}

/// The kinds of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// A stat.
    Stat,
    /// The initial value of a stat.
    Initial,
    /// A counter.
    Counter,
    /// A flag.
    Flag,
    /// An item.
    Item,
    /// Whether a skill is known.
    Skill,
    /// Whether a skill is known for an item.
    SkillIn,
    /// Whether all skills of a circle are known.
    Circle,
    /// Something that only another book of the series knows and nothing here reads.
    Elsewhere,
}

impl VariableKind {
    /// Whether its values are yes and no: a flag, or knowledge of skills.
    pub fn is_yes_or_no(self) -> bool {
        matches!(self, Self::Flag | Self::Skill | Self::SkillIn | Self::Circle)
    }
}
