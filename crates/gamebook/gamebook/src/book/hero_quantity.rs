//! The names of a hero's quantities, and of choices among them.

use super::Book;
use super::hero_creation::{Bundles, HeroQuantity, choices};

impl HeroQuantity {
    /// Its name in the book.
    pub fn name(self, book: &Book) -> String {
        match self {
            Self::CombatSkill => "combat-skill".into(),
            Self::Endurance => "endurance".into(),
            Self::Gold => "gold".into(),
            Self::Item(item) => book.items[item].name.clone(),
            Self::Variable(own) => {
                book.system.as_ref().map(|system| system.variables[own].name.clone()).unwrap_or_default()
            }
        }
    }
}

impl Bundles {
    /// Every choice of bundles, with its label and what it contains.
    pub(crate) fn combinations(&self, book: &Book) -> Vec<(String, Vec<(HeroQuantity, i32)>)> {
        let name = |(quantity, count): &(HeroQuantity, i32)| match count {
            1 => quantity.name(book),
            count => format!("{} {count}", quantity.name(book)),
        };
        choices(self.bundles.len(), self.count)
            .into_iter()
            .map(|own| {
                let things: Vec<(HeroQuantity, i32)> =
                    own.iter().flat_map(|bundle| self.bundles[*bundle].clone()).collect();
                let label: Vec<String> = things.iter().map(name).collect();
                (label.join(", "), things)
            })
            .collect()
    }
}
