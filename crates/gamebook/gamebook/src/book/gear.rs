//! Items in a system of rules: their stats, their kinds, and how they are wielded.

use super::number::Condition;

/// A stat of items, such as the bonus of a weapon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemStat {
    /// Its name.
    pub name: String,
    /// Its minimum.
    pub least: i32,
    /// Its maximum.
    pub most: i32,
    /// Its value for an unarmed hero.
    pub unarmed: i32,
    /// The stat whose initial value it raises while the item is carried; gaining the item raises the stat itself, too.
    pub raises: Option<usize>,
}

/// A kind of items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemKind {
    /// Its name.
    pub name: String,
    /// The container for its items.
    pub container: Option<usize>,
    /// The default for the largest count of an item.
    pub most: Option<i32>,
    /// The default traits of its items.
    pub traits: Traits,
}

/// The traits of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// Its kind.
    pub kind: Option<usize>,
    /// The number of places it takes in its container, beyond the first.
    pub more_places: i32,
    /// Whether it is exempt from the loss of all items of a kind.
    pub permanent: bool,
    /// Its stats, in the order of the system's item stats. Missing ones are 0.
    pub stats: Vec<i32>,
    /// The items as which it counts for skills tied to items.
    pub counts_as: Vec<String>,
}

impl Traits {
    /// One of its stats.
    pub fn stat(&self, stat: usize) -> i32 {
        self.stats.get(stat).copied().unwrap_or(0)
    }

    /// The number of places it takes in its container.
    pub fn places(&self) -> i32 {
        self.more_places + 1
    }
}

/// The items that can be wielded in a fight.
#[derive(Clone, Debug)]
pub struct Wield {
    /// An item can be wielded if this stat is not 0.
    pub stat: usize,
    /// The condition for wielding it; without any such item the hero is unarmed.
    pub when: Condition,
}

/// A skill in an item: the skill, the item, and the flag for both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillIn {
    /// The skill.
    pub skill: usize,
    /// The item.
    pub item: usize,
    /// The flag.
    pub known: usize,
}

/// A circle of skills, which has an effect once all are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    /// The flag for the whole circle. It has item stats, which count like those of a carried item.
    pub circle: usize,
    /// The skills.
    pub skills: Vec<usize>,
}

/// A table of numbers by rows and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberTable {
    /// Its name.
    pub name: String,
    /// The smallest number of each row, ascending; smaller numbers belong to the first row.
    pub rows: Vec<i32>,
    /// The same for each column.
    pub columns: Vec<i32>,
    /// The entries, row by row.
    pub cells: Vec<i32>,
}
