//! The hero: what stays constant during play, and his initial possessions.

use std::fmt;
use std::ops::RangeInclusive;

use super::discipline::Discipline;
use super::item::ItemId;

/// A hero at the start of a book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hero {
    /// COMBAT SKILL.
    pub combat_skill: i32,
    /// The initial ENDURANCE: its maximum without the effect of worn items.
    pub endurance: u8,
    /// Disciplines, including weaponskill.
    pub disciplines: Vec<Discipline>,
    /// The weapon of weaponskill.
    pub weaponskill: Option<String>,
    /// Gold Crowns.
    pub gold: u8,
    /// Items with their counts, besides those that every hero of the book has.
    pub items: Vec<(ItemId, u8)>,
    /// Starting items of the book that this hero has lost.
    pub lost: Vec<ItemId>,
}

/// Why a hero is impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeroError {
    /// COMBAT SKILL is out of its range.
    CombatSkill {
        /// The value given.
        has: i32,
        /// The range.
        range: RangeInclusive<i32>,
    },
    /// ENDURANCE is out of its range.
    Endurance {
        /// The value given.
        has: u8,
        /// The range.
        range: RangeInclusive<i32>,
    },
    /// There are more disciplines than the book allows.
    Disciplines {
        /// The number given.
        has: usize,
        /// The number allowed.
        most: usize,
    },
    /// A discipline occurs twice.
    DisciplineTwice(Discipline),
    /// Weaponskill has no weapon, or something that is not a weapon.
    Weaponskill(String),
    /// There is more gold than a belt pouch holds.
    Gold {
        /// The amount given.
        has: u8,
        /// The amount it holds.
        most: u8,
    },
    /// An item occurs too often.
    Item {
        /// Its name.
        name: String,
        /// The count given.
        has: u8,
        /// The largest count.
        most: u8,
    },
    /// A permanent item was lost.
    Permanent {
        /// Its name.
        name: String,
    },
    /// A later book of the series uses the item's name for something else.
    AnotherThing {
        /// Its name.
        name: String,
        /// The name of that book.
        book: String,
    },
    /// There are more items of a kind than can be carried.
    TooMuch {
        /// The kind.
        what: &'static str,
        /// The count given.
        has: u32,
        /// The largest count.
        most: u32,
    },
}

impl fmt::Display for HeroError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CombatSkill { has, range } => {
                write!(f, "a combat skill of {has}: a hero has {} to {}", range.start(), range.end())
            }
            Self::Endurance { has, range } => {
                write!(f, "an endurance of {has}: a hero has {} to {}", range.start(), range.end())
            }
            Self::Disciplines { has, most } => write!(f, "{has} disciplines: {most} at most are allowed in this book"),
            Self::DisciplineTwice(discipline) => write!(f, "the discipline of {discipline} twice"),
            Self::Weaponskill(weapon) if weapon.is_empty() => {
                write!(f, "weaponskill in no weapon: write weaponskill=WEAPON")
            }
            Self::Weaponskill(weapon) => write!(f, "weaponskill in {weapon}, which is no weapon of this book"),
            Self::Gold { has, most } => write!(f, "{has} gold: a belt pouch holds 0 to {most}"),
            Self::Item { name, has, most } => write!(f, "{has} of {name}: {most} at most can be had"),
            Self::Permanent { name } => write!(f, "{name} cannot be lost: it is permanent"),
            Self::AnotherThing { name, book } => {
                write!(f, "{name} is another thing in {book}: he cannot bring it along")
            }
            Self::TooMuch { what, has, most } => write!(f, "{has} {what}: {most} at most can be carried"),
        }
    }
}

impl std::error::Error for HeroError {}

impl Hero {
    /// Whether he knows a discipline.
    pub fn knows(&self, discipline: Discipline) -> bool {
        self.disciplines.contains(&discipline)
    }

    /// Removes all disciplines.
    pub fn learns_anew(&mut self) {
        self.disciplines.clear();
        self.weaponskill = None;
    }
}
