//! The hero: what does not change while he plays, and what he sets out with.

use std::fmt;
use std::ops::RangeInclusive;

use crate::book::{Book, ItemId, Kind};
use crate::discipline::Discipline;

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

    /// Everything he has: what is fixed in the book and his own items; how many of each.
    pub fn belongings(&self, book: &Book) -> Vec<u8> {
        let mut counts = vec![0u8; book.items.len()];
        for (item, count) in book.fixed.iter().chain(&self.items) {
            counts[*item] = counts[*item].saturating_add(*count);
        }
        // What every hero has anyway may be named again.
        for (item, _) in &book.fixed {
            if book.items[*item].kind.is_single() {
                counts[*item] = 1;
            }
        }
        for item in &self.lost {
            counts[*item] = 0;
        }
        counts
    }

    /// Checks that such a hero can set out in `book`.
    ///
    /// # Errors
    /// The first thing that cannot be, with the range of what can.
    pub fn check(&self, book: &Book) -> Result<(), HeroError> {
        let range = book.kai.combat_skills();
        if !range.contains(&self.combat_skill) {
            return Err(HeroError::CombatSkill { has: self.combat_skill, range });
        }
        let range = book.kai.endurances();
        if !range.contains(&self.endurance.into()) {
            return Err(HeroError::Endurance { has: self.endurance, range });
        }
        if self.disciplines.len() > book.learns {
            return Err(HeroError::Disciplines { has: self.disciplines.len(), most: book.learns });
        }
        for (place, discipline) in self.disciplines.iter().enumerate() {
            if self.disciplines[..place].contains(discipline) {
                return Err(HeroError::DisciplineTwice(*discipline));
            }
        }
        let weaponskill = self.weaponskill.as_deref();
        if self.knows(Discipline::Weaponskill) || weaponskill.is_some() {
            let weapon = weaponskill.unwrap_or_default();
            if !book.items.iter().any(|item| item.weapon.is_some() && item.name == weapon) {
                return Err(HeroError::Weaponskill(weapon.to_string()));
            }
        }
        self.check_load(book)
    }

    fn check_load(&self, book: &Book) -> Result<(), HeroError> {
        if self.gold > book.kai.most_gold {
            return Err(HeroError::Gold { has: self.gold, most: book.kai.most_gold });
        }
        if let Some(item) = self.lost.iter().find(|item| book.items[**item].kind == Kind::Permanent) {
            return Err(HeroError::Permanent { name: book.items[*item].name.clone() });
        }
        let counts = self.belongings(book);
        for (item, has) in book.items.iter().zip(&counts) {
            let most = book.most_of(item);
            if *has > most {
                return Err(HeroError::Item { name: item.name.clone(), has: *has, most });
            }
        }
        let carried = |kind| -> u32 {
            let of_kind = book.items.iter().zip(&counts).filter(|(item, _)| item.kind == kind);
            of_kind.map(|(item, has)| u32::from(*has) * u32::from(item.places)).sum()
        };
        let weapons = carried(Kind::Weapon);
        let most = u32::from(book.kai.most_weapons);
        if weapons > most {
            return Err(HeroError::TooMuch { what: "weapons", has: weapons, most });
        }
        let has_container = !book.has_container() || carried(Kind::Container) > 0;
        let room = if has_container { u32::from(book.room()) } else { 0 };
        let load = carried(Kind::Backpack);
        if load > room {
            return Err(HeroError::TooMuch { what: "backpack items", has: load, most: room });
        }
        Ok(())
    }
}
