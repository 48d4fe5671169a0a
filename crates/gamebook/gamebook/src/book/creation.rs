//! Names of what a hero gets at his creation.

use super::Book;
use super::making::{Bundles, Made, choices};

impl Made {
    /// Its name.
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
    pub(crate) fn combinations(&self, book: &Book) -> Vec<(String, Vec<(Made, i32)>)> {
        let name = |(made, count): &(Made, i32)| match count {
            1 => made.name(book),
            count => format!("{} {count}", made.name(book)),
        };
        choices(self.bundles.len(), self.count)
            .into_iter()
            .map(|own| {
                let things: Vec<(Made, i32)> = own.iter().flat_map(|bundle| self.bundles[*bundle].clone()).collect();
                let label: Vec<String> = things.iter().map(name).collect();
                (label.join(", "), things)
            })
            .collect()
    }
}
