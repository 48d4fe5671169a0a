//! The hero: what does not change while he plays, and what he sets out with.

use std::fmt;
use std::ops::RangeInclusive;

use super::discipline::Discipline;
use super::item::ItemId;

/// A hero at the start of a book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hero {
    /// COMBAT SKILL.
    pub combat_skill: i32,
    /// The start value of ENDURANCE: the maximum, without what worn items add.
    pub endurance: u8,
    /// Disciplines, weaponskill included.
    pub disciplines: Vec<Discipline>,
    /// The weapon of the discipline of weaponskill.
    pub weaponskill: Option<String>,
    /// Gold Crowns.
    pub gold: u8,
    /// Items and how many, beside those that every hero of the book has.
    pub items: Vec<(ItemId, u8)>,
    /// What every hero of the book has at its beginning, but he has no more.
    pub lost: Vec<ItemId>,
}

/// Why a hero cannot exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeroError {
    /// COMBAT SKILL out of its range.
    CombatSkill {
        /// His.
        has: i32,
        /// What a hero can have.
        range: RangeInclusive<i32>,
    },
    /// ENDURANCE out of its range.
    Endurance {
        /// His.
        has: u8,
        /// What a hero can have.
        range: RangeInclusive<i32>,
    },
    /// More disciplines than this book allows.
    Disciplines {
        /// How many he has.
        has: usize,
        /// How many he may have.
        most: usize,
    },
    /// A discipline twice.
    DisciplineTwice(Discipline),
    /// Weaponskill without a weapon, or in something that is none.
    Weaponskill(String),
    /// More than the belt pouch holds.
    Gold {
        /// How much he has.
        has: u8,
        /// How much it holds.
        most: u8,
    },
    /// An item that cannot be had so often.
    Item {
        /// Its name.
        name: String,
        /// How many he has.
        has: u8,
        /// How many he may have.
        most: u8,
    },
    /// He has lost what nothing takes.
    Permanent {
        /// Its name.
        name: String,
    },
    /// He has what a later book of the series means something else by.
    AnotherThing {
        /// Its name.
        name: String,
        /// The name of that book.
        book: String,
    },
    /// More of a kind than can be carried.
    TooMuch {
        /// What.
        what: &'static str,
        /// How many he has.
        has: u32,
        /// How many he may have.
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

    /// He knows no disciplines yet.
    pub fn learns_anew(&mut self) {
        self.disciplines.clear();
        self.weaponskill = None;
    }
}
