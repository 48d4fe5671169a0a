//! What a system of rules says of items: the numbers that they have, their kinds, and which of them are wielded.

use super::number::Condition;

/// A number that each item has, such as what a weapon adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemStat {
    /// Its name.
    pub name: String,
    /// Its smallest and its largest number.
    pub least: i32,
    /// See [`least`](Self::least).
    pub most: i32,
    /// What it is for who wields nothing.
    pub unarmed: i32,
    /// The stat whose initial value is higher by it while the item is carried. Who gets the item gains as much.
    pub raises: Option<usize>,
}

/// A kind of items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemKind {
    /// Its name.
    pub name: String,
    /// The container in which its items are carried.
    pub container: Option<usize>,
    /// How many of one of its items there can be, where the item does not say it.
    pub most: Option<i32>,
    /// What its items are where they do not say it.
    pub traits: Traits,
}

/// What an item is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// Its kind.
    pub kind: Option<usize>,
    /// How many places of its container one of it takes, beyond the first.
    pub more_places: i32,
    /// Nothing that takes all items of a kind takes it.
    pub permanent: bool,
    /// Its numbers, in the order of the system's item stats. Those that are not there are 0.
    pub stats: Vec<i32>,
    /// The items as which it counts where a skill is known in some of them.
    pub counts_as: Vec<String>,
}

impl Traits {
    /// One of its numbers.
    pub fn stat(&self, stat: usize) -> i32 {
        self.stats.get(stat).copied().unwrap_or(0)
    }

    /// How many places of its container one of it takes.
    pub fn places(&self) -> i32 {
        self.more_places + 1
    }
}

/// Which items can be wielded in a fight.
#[derive(Clone, Debug)]
pub struct Wield {
    /// Those of which this item stat is not 0.
    pub stat: usize,
    /// When they can; who can wield nothing is unarmed.
    pub when: Condition,
}

/// A skill that is known in some items: the skill, an item, and the flag that says whether it is known in that item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillIn {
    /// The skill.
    pub skill: usize,
    /// The item.
    pub item: usize,
    /// The flag.
    pub known: usize,
}

/// Skills that are worth something together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    /// The flag that says whether all are known. It has numbers as an item has, which count like those of one that is
    /// carried.
    pub circle: usize,
    /// The skills.
    pub skills: Vec<usize>,
}

/// Numbers by rows and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberTable {
    /// Its name.
    pub name: String,
    /// For each row the smallest number that belongs to it, increasing; smaller ones belong to the first.
    pub rows: Vec<i32>,
    /// The same for each column.
    pub columns: Vec<i32>,
    /// The numbers, row by row.
    pub cells: Vec<i32>,
}
