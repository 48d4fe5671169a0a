//! The hero of a question.

use gamebook::{Book, Discipline, Hero, ItemId, SolveBookError, read_disciplines, read_items};
use serde::{Deserialize, Serialize};

use super::names::{names, unlisted, unsolved};
use crate::problem::Problem;

/// A hero; what is not said is as the book's own hero has it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct HeroFields {
    combat_skill: Option<i32>,
    endurance: Option<u8>,
    disciplines: Option<Vec<String>>,
    items: Option<Vec<String>>,
    lost: Option<Vec<String>>,
    /// Everything that he has, in place of `items` and `lost`.
    #[serde(skip_serializing)]
    has: Option<Vec<String>>,
    gold: Option<u8>,
}

impl HeroFields {
    pub fn hero(&self, book: &Book) -> Result<Hero, Problem> {
        let mut hero = book.hero.clone();
        hero.combat_skill = self.combat_skill.unwrap_or(hero.combat_skill);
        hero.endurance = self.endurance.unwrap_or(hero.endurance);
        hero.gold = self.gold.unwrap_or(hero.gold);
        let items = |list: &[String]| read_items(book, names(list)).map_err(unlisted);
        if let Some(list) = &self.disciplines {
            (hero.disciplines, hero.weaponskill) = read_disciplines(names(list)).map_err(unlisted)?;
        }
        if let Some(list) = &self.items {
            hero.items = items(list)?;
        }
        if let Some(list) = &self.lost {
            hero.lost = items(list)?.into_iter().map(|(item, _)| item).collect();
        }
        if let Some(list) = &self.has {
            (hero.items, hero.lost) = apart(book, items(list)?)?;
        }
        hero.check(book).map_err(|error| unsolved(&SolveBookError::Hero(error)))?;
        Ok(hero)
    }
}

/// Items and how many of each.
type Counted = Vec<(ItemId, u8)>;

/// Of everything that a hero has, his own items; and what he lost of what every hero of the book has.
fn apart(book: &Book, mut has: Counted) -> Result<(Counted, Vec<ItemId>), Problem> {
    let mut lost = Vec::new();
    for (fixed, count) in &book.fixed {
        match has.iter_mut().find(|(item, _)| item == fixed) {
            None => lost.push(*fixed),
            Some((_, own)) if *own >= *count => *own -= count,
            Some((_, own)) => {
                let message = format_args!("{own} of {}: every hero of this book has {count}", book.items[*fixed].name);
                return Err(Problem::impossible(message, "say that he has none of them, or all"));
            }
        }
    }
    has.retain(|(_, count)| *count > 0);
    Ok((has, lost))
}

/// The book's own hero, as questions have heroes.
pub fn own_hero(book: &Book) -> HeroFields {
    let discipline = |own: &Discipline| match (own, &book.hero.weaponskill) {
        (Discipline::Weaponskill, Some(weapon)) => format!("weaponskill={weapon}"),
        _ => own.to_string(),
    };
    let item = |(item, count): &(ItemId, u8)| counted(&book.items[*item].name, *count);
    HeroFields {
        combat_skill: Some(book.hero.combat_skill),
        endurance: Some(book.hero.endurance),
        disciplines: Some(book.hero.disciplines.iter().map(discipline).collect()),
        items: Some(book.hero.items.iter().map(item).collect()),
        lost: Some(Vec::new()),
        has: None,
        gold: Some(book.hero.gold),
    }
}

pub fn counted(name: &str, count: u8) -> String {
    if count == 1 { name.to_owned() } else { format!("{name}={count}") }
}
