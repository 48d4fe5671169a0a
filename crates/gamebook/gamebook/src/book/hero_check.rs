//! A hero's possessions at the beginning of a book, and whether they are possible.

use super::Book;
use super::discipline::Discipline;
use super::hero::{Hero, HeroError};
use super::item::Kind;

impl Hero {
    /// All possessions: the book's fixed items and his own, as counts.
    pub fn belongings(&self, book: &Book) -> Vec<u8> {
        let mut counts = vec![0u8; book.items.len()];
        for (item, count) in book.fixed.iter().chain(&self.items) {
            counts[*item] = counts[*item].saturating_add(*count);
        }
        // What every hero has may be listed again.
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

    /// Checks that a hero is possible in `book`.
    ///
    /// # Errors
    /// The first violation, with the range allowed.
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
