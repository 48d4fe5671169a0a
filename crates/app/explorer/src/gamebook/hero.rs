//! The hero of a question.

use gamebook::{Book, Hero, HeroOverrides, ItemId, discipline_names, read_items};
use serde::{Deserialize, Serialize};

use super::names::{names, unlisted};
use crate::question::Problem;

/// A hero. The defaults are those of the book's own hero.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct HeroFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) combat_skill: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) endurance: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) disciplines: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) items: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lost: Option<Vec<String>>,
    /// Everything that he has, in place of `items` and `lost`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) has: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) gold: Option<u8>,
    /// What a hero of a system of rules has, such as `skill=12`, in place of all of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) values: Option<Vec<String>>,
}

impl HeroFields {
    /// The fields, as overrides of the book's hero.
    fn overrides(&self, book: &Book) -> Result<HeroOverrides, Problem> {
        let list = |list: &Option<Vec<String>>| list.as_ref().map(|list| names(list).map(String::from).collect());
        let values: Vec<String> = list(&self.values).unwrap_or_default();
        let mut overrides = HeroOverrides {
            combat_skill: self.combat_skill,
            endurance: self.endurance,
            disciplines: list(&self.disciplines),
            items: list(&self.items),
            lost: list(&self.lost),
            gold: self.gold,
            values,
        };
        if book.system.is_some() {
            return if overrides.is_lone_wolf() || self.has.is_some() {
                Err(none_of_lone_wolf())
            } else {
                Ok(overrides)
            };
        }
        if !overrides.values.is_empty() {
            return Err(Problem::impossible(
                "this hero is one of Lone Wolf's",
                "give combat_skill, endurance, gold, disciplines and items in place of values",
            ));
        }
        if let Some(has) = &self.has {
            let (items, lost) = apart(book, read_items(book, names(has)).map_err(unlisted)?)?;
            overrides.items =
                Some(items.into_iter().map(|(item, count)| counted(&book.items[item].name, count)).collect());
            overrides.lost = Some(lost.into_iter().map(|item| book.items[item].name.clone()).collect());
        }
        Ok(overrides)
    }

    /// The numbers of a hero of a system of rules; none for Lone Wolf.
    pub fn values(&self, book: &Book) -> Result<Vec<(usize, i32)>, Problem> {
        self.overrides(book)?.values(book).map_err(unlisted)
    }

    pub fn hero(&self, book: &Book) -> Result<Hero, Problem> {
        self.overrides(book)?.hero(book).map_err(unlisted)
    }
}

/// The problem of a hero of other rules who is described with Lone Wolf's fields.
pub fn none_of_lone_wolf() -> Problem {
    Problem::impossible(
        "this book has no heroes of Lone Wolf",
        "give values=[\"NAME=N\", ...] with what the book's system of rules declares",
    )
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
    if let Some(system) = &book.system {
        let own = system.own_variables().filter(|(_, own)| !own.kind.is_yes_or_no() || own.start > 0);
        let values = own.map(|(_, own)| format!("{}={}", own.name, own.start)).collect();
        return HeroFields { values: Some(values), ..HeroFields::default() };
    }
    let item = |(item, count): &(ItemId, u8)| counted(&book.items[*item].name, *count);
    HeroFields {
        combat_skill: Some(book.hero.combat_skill),
        endurance: Some(book.hero.endurance),
        disciplines: Some(discipline_names(&book.hero.disciplines, book.hero.weaponskill.as_deref())),
        items: Some(book.hero.items.iter().map(item).collect()),
        lost: Some(Vec::new()),
        has: None,
        gold: Some(book.hero.gold),
        values: None,
    }
}

pub fn counted(name: &str, count: u8) -> String {
    if count == 1 { name.to_owned() } else { format!("{name}={count}") }
}
