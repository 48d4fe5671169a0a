//! Changes to the book's hero.

use super::question::Question;
use crate::book::{Book, Hero};
use crate::syntax::{ArgumentError, read_disciplines, read_flags, read_items, read_system_flags, read_values};
use crate::terms::SectionNumber;

/// Changes to the book's hero; what is not set stays as in the book.
///
/// ```
/// use gamebook::{HeroOverrides, built_in, read};
///
/// let (book, _) = read(built_in("fire-on-the-water").unwrap()).unwrap();
/// let overrides = HeroOverrides { combat_skill: Some(19), items: Some(vec!["meal=2".into()]), ..HeroOverrides::default() };
/// let hero = overrides.hero(&book)?;
/// assert_eq!((hero.combat_skill, hero.endurance), (19, book.hero.endurance));
/// assert_eq!(hero.items, [(book.item("meal").unwrap(), 2)]);
///
/// let overrides = HeroOverrides { combat_skill: Some(99), ..HeroOverrides::default() };
/// assert_eq!(overrides.hero(&book).unwrap_err().message, "a combat skill of 99: a hero has 10 to 19");
/// # Ok::<(), gamebook::ArgumentError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeroOverrides {
    /// COMBAT SKILL.
    pub combat_skill: Option<i32>,
    /// The initial value of ENDURANCE.
    pub endurance: Option<u8>,
    /// Disciplines, with `weaponskill=WEAPON`.
    pub disciplines: Option<Vec<String>>,
    /// Items, repeated or counted (`meal=2`), instead of the chosen equipment.
    pub items: Option<Vec<String>>,
    /// Starting items of the book that the hero has lost.
    pub lost: Option<Vec<String>>,
    /// Gold Crowns.
    pub gold: Option<u8>,
    /// `NAME=N`: any stat, counter or item of a system of rules; in a Lone Wolf book `combat-skill`, `endurance`, `gold` or an
    /// item.
    pub values: Vec<String>,
}

impl HeroOverrides {
    /// Whether anything is set that only a Lone Wolf hero has.
    pub fn is_lone_wolf(&self) -> bool {
        let lists = [&self.disciplines, &self.items, &self.lost];
        self.combat_skill.is_some()
            || self.endurance.is_some()
            || self.gold.is_some()
            || lists.iter().any(|list| list.is_some())
    }

    /// The values for a hero of a system of rules: the index of each variable and its value.
    ///
    /// # Errors
    /// A name that the system does not have, or a value out of range.
    pub fn values(&self, book: &Book) -> Result<Vec<(usize, i32)>, ArgumentError> {
        let Some(system) = &book.system else { return Ok(Vec::new()) };
        read_values(system, &self.values.join(","))
    }

    /// The hero; for a system of rules this is the book's own.
    ///
    /// # Errors
    /// What the book does not have, or no hero can be, know or carry.
    pub fn hero(&self, book: &Book) -> Result<Hero, ArgumentError> {
        let mut hero = book.hero.clone();
        if book.system.is_some() {
            return if self.is_lone_wolf() { Err(none_of_lone_wolf()) } else { Ok(hero) };
        }
        self.say_values(book, &mut hero)?;
        hero.combat_skill = self.combat_skill.unwrap_or(hero.combat_skill);
        hero.endurance = self.endurance.unwrap_or(hero.endurance);
        hero.gold = self.gold.unwrap_or(hero.gold);
        if let Some(list) = &self.disciplines {
            (hero.disciplines, hero.weaponskill) = read_disciplines(list.iter().map(String::as_str))?;
        }
        if let Some(list) = &self.items {
            hero.items = read_items(book, list.iter().map(String::as_str))?;
        }
        if let Some(list) = &self.lost {
            let lost = read_items(book, list.iter().map(String::as_str))?;
            hero.lost = lost.into_iter().map(|(item, _)| item).collect();
        }
        let help = "say what the rules and the book allow";
        hero.check(book).map_err(|error| ArgumentError::new(error.to_string(), help))?;
        Ok(hero)
    }

    /// The question about the hero in his current situation: `endurance` is what he has left, `max_endurance` his initial
    /// value, `flags` those set.
    ///
    /// # Errors
    /// As [`hero`](Self::hero), and for a flag that the book does not have.
    pub fn standing(
        &self,
        book: &Book,
        section: SectionNumber,
        max_endurance: Option<u8>,
        flags: &[String],
    ) -> Result<Question, ArgumentError> {
        let mut question = Question { start: section, ..Question::new(book) };
        let possible = book.kai.endurances();
        let own = book.hero.endurance;
        let began = self.endurance.filter(|now| *now > own && possible.contains(&(*now).into()));
        let fresh = Self { endurance: max_endurance.or(began), ..self.clone() };
        // In a system of rules all fields are checked for Lone Wolf's.
        question.hero = if book.system.is_some() { self.hero(book)? } else { fresh.hero(book)? };
        question.situation.endurance = self.endurance;
        question.situation.values = self.values(book)?;
        let flags = flags.iter().map(String::as_str);
        match &book.system {
            Some(_) if max_endurance.is_some() => return Err(none_of_lone_wolf()),
            Some(system) => {
                // Flags are variables of a system; explicit values take precedence.
                for flag in read_system_flags(system, flags)? {
                    if question.situation.values.iter().all(|(own, _)| *own != flag) {
                        question.situation.values.push((flag, 1));
                    }
                }
            }
            None => question.situation.flags = read_flags(book, flags)?,
        }
        Ok(question)
    }

    /// Sets what `values` lists on a Lone Wolf hero.
    fn say_values(&self, book: &Book, hero: &mut Hero) -> Result<(), ArgumentError> {
        for part in &self.values {
            let wrong = |help: &str| ArgumentError::new(format!("`{part}`: this cannot be"), help);
            let (name, number) = part.split_once('=').unwrap_or((part, "1"));
            let small = || number.parse::<u8>().map_err(|_| wrong("write NAME=N"));
            match name {
                "combat-skill" => hero.combat_skill = number.parse().map_err(|_| wrong("write combat-skill=15"))?,
                "endurance" => hero.endurance = small()?,
                "gold" => hero.gold = small()?,
                _ => {
                    let item = read_items(book, [part.as_str()])?;
                    hero.items.retain(|(own, _)| item.iter().all(|(other, _)| own != other));
                    hero.items.extend(item);
                }
            }
        }
        Ok(())
    }
}

/// The error for a Lone Wolf field in another system of rules.
fn none_of_lone_wolf() -> ArgumentError {
    ArgumentError::new(
        "this book has no heroes of Lone Wolf",
        "use --hero NAME=N,... with what the book's system of rules declares",
    )
}
