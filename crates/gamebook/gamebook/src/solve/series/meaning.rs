//! Checks that what a hero has exists in later books, too.

use crate::book::{Hero, HeroError, Series, is_same};

impl Series {
    /// Checks that the hero's items mean the same in all later books.
    pub(super) fn one_meaning(&self, book: usize, hero: &Hero) -> Result<(), HeroError> {
        for (item, _) in &hero.items {
            let item = &self.books[book].book.items[*item];
            for later in &self.books[book + 1..] {
                let Some(own) = later.book.item(&item.name) else { break };
                if later.renamed.iter().any(|(old, _)| *old == own) {
                    break;
                }
                if !is_same(&later.book.items[own], item) {
                    return Err(HeroError::AnotherThing { name: item.name.clone(), book: later.name.clone() });
                }
            }
        }
        Ok(())
    }
}
