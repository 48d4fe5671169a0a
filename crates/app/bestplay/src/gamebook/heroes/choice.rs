//! Arguments that choose heroes.

use clap::Args;
use gamebook::{ArgumentError, Book, HeroChoice, HeroQuantity, Question, read_disciplines, read_items, read_skills};

use crate::gamebook::input::hero_args::{listed, unlisted};
use crate::output::Failure;
use crate::values::Values;

/// The most heroes in one run.
const MOST: usize = 10_000_000;

/// The choice of heroes; by default all that the rules allow.
#[derive(Args)]
pub struct ChoiceArgs {
    /// A set of disciplines, as for `solve`, or of the skills of a system of rules; more than once for several sets [default:
    /// every set of as many as the book allows]
    #[arg(long, value_name = "LIST", help_heading = "Heroes")]
    disciplines: Vec<String>,
    /// The weapon of weaponskill in sets that do not name it; several for all of them, `each` for every weapon [default: that
    /// of the book's hero]
    #[arg(long, value_name = "WEAPON", value_delimiter = ',', conflicts_with = "disciplines", help_heading = "Heroes")]
    weaponskill: Vec<String>,
    /// The equipment that he chose, as for `solve`; more than once for several, `each` for every choice that the book offers
    /// [default: that of the book's hero]
    #[arg(long, value_name = "LIST", help_heading = "Heroes")]
    items: Vec<String>,
    /// Starting items that the heroes have lost
    #[arg(long, value_name = "LIST", help_heading = "Heroes")]
    lost: Option<String>,
    /// Values to try for a number of the hero: combat-skill=15..19, endurance=20..29/3, gold=0,10,20, or any stat or counter of
    /// a system of rules. More than once for several numbers [default: all that is rolled; the gold of the book's hero]
    #[arg(long, value_name = "NAME=VALUES", help_heading = "Heroes")]
    vary: Vec<String>,
}

impl ChoiceArgs {
    /// The chosen heroes; what all of them share is set in the question.
    pub fn choice(&self, book: &Book, question: &mut Question) -> Result<HeroChoice, Failure> {
        let of_lone_wolf = !self.weaponskill.is_empty() || !self.items.is_empty() || self.lost.is_some();
        if book.system.is_some() && of_lone_wolf {
            return Err(Failure::bad_input(
                "this book has no heroes of Lone Wolf",
                "use --vary NAME=VALUES with what the book's system of rules declares",
            ));
        }
        let mut choice = HeroChoice::all(book, None);
        if let Some(system) = &book.system {
            let read = |list: &String| read_skills(system, listed(list)).map_err(unlisted);
            let sets = self.disciplines.iter().map(read).collect::<Result<Vec<_>, _>>()?;
            if let Some(learns) = system.learns
                && let Some(many) = sets.iter().find(|set| set.len() > learns)
            {
                let message = format!("{} skills, and a hero of this book learns {learns}", many.len());
                return Err(Failure::bad_input(message, "leave some out"));
            }
            if !sets.is_empty() {
                choice.skills = once(sets);
            }
        } else {
            self.sets(book, &mut choice)?;
            if let Some(list) = &self.lost {
                let lost = read_items(book, listed(list)).map_err(unlisted)?;
                question.hero.lost = lost.into_iter().map(|(item, _)| item).collect();
            }
            let mut equipments = Vec::new();
            for list in &self.items {
                if list == "each" {
                    equipments.extend(HeroChoice::equipments(book));
                } else {
                    equipments.push(read_items(book, listed(list)).map_err(unlisted)?);
                }
            }
            if !equipments.is_empty() {
                choice.equipments = once(equipments);
            }
        }
        if choice.sets.is_empty() {
            return Err(Failure::bad_input(
                format_args!("every set of {} disciplines has weaponskill, and this book has no weapon", book.learns),
                "name a set: --disciplines hunting,healing",
            ));
        }
        for argument in &self.vary {
            let (quantity, values) = varied(book, argument)?;
            choice.numbers.retain(|(own, _)| *own != quantity);
            choice.numbers.push((quantity, values));
        }
        choice.numbers.sort_by_key(|(quantity, _)| place(*quantity));
        if choice.count().is_none_or(|count| count > MOST) {
            return Err(Failure::bad_input(
                format_args!("these are more than {MOST} heroes"),
                "vary fewer numbers, or in larger steps: gold=0..50/10",
            ));
        }
        Ok(choice)
    }

    fn sets(&self, book: &Book, choice: &mut HeroChoice) -> Result<(), Failure> {
        if !self.disciplines.is_empty() {
            let read = |list: &String| {
                let (mut disciplines, weapon) = read_disciplines(listed(list))?;
                disciplines.sort();
                Ok::<_, ArgumentError>((disciplines, weapon))
            };
            let sets = self.disciplines.iter().map(read).collect::<Result<_, _>>().map_err(unlisted)?;
            choice.sets = once(sets);
        }
        if self.weaponskill.is_empty() {
            return Ok(());
        }
        let mut sets = Vec::new();
        for weapon in &self.weaponskill {
            let weapons = book.items.iter().filter(|item| item.weapon.is_some()).map(|item| item.name.as_str());
            let own: Vec<&str> = if weapon == "each" { weapons.collect() } else { vec![weapon] };
            if own.is_empty() {
                sets.extend(HeroChoice::all(book, None).sets);
            }
            for weapon in own {
                sets.extend(HeroChoice::all(book, Some(weapon)).sets);
            }
        }
        choice.sets = once(sets);
        Ok(())
    }
}

/// Removes duplicates, keeping the order.
fn once<T: PartialEq>(all: Vec<T>) -> Vec<T> {
    let mut once = Vec::with_capacity(all.len());
    for own in all {
        if !once.contains(&own) {
            once.push(own);
        }
    }
    once
}

/// The order in which numbers vary.
fn place(quantity: HeroQuantity) -> (u8, usize) {
    match quantity {
        HeroQuantity::CombatSkill => (0, 0),
        HeroQuantity::Endurance => (1, 0),
        HeroQuantity::Gold => (2, 0),
        HeroQuantity::Variable(own) => (3, own),
        HeroQuantity::Item(item) => (4, item),
    }
}

/// The number and the values of an argument.
fn varied(book: &Book, argument: &str) -> Result<(HeroQuantity, Vec<i32>), Failure> {
    const HELP: &str = "write NAME=VALUES: combat-skill=15..19, endurance=20..29/3, gold=0,10,20";
    let wrong = |what: &str| Failure::bad_input(format_args!("`{argument}`: {what}"), HELP);
    let (name, list) = argument.split_once('=').ok_or_else(|| wrong("this has no `=`"))?;
    let quantity = match (&book.system, name.trim()) {
        (None, "combat-skill") => HeroQuantity::CombatSkill,
        (None, "endurance") => HeroQuantity::Endurance,
        (None, "gold") => HeroQuantity::Gold,
        (None, _) => return Err(wrong("a hero has combat-skill, endurance and gold")),
        (Some(system), name) => {
            let place = system.variables.iter().position(|own| own.name == name);
            HeroQuantity::Variable(place.ok_or_else(|| wrong("the system of rules has no such number"))?)
        }
    };
    let Values(values) = list.parse().map_err(wrong)?;
    let (least, most) = match quantity {
        HeroQuantity::CombatSkill | HeroQuantity::Variable(_) | HeroQuantity::Item(_) => (i32::MIN, i32::MAX),
        HeroQuantity::Endurance | HeroQuantity::Gold => (0, i32::from(u8::MAX)),
    };
    if values.iter().any(|value| !(least..=most).contains(value)) {
        return Err(wrong("no hero has so much or so little"));
    }
    if let (Some(system), HeroQuantity::Variable(own)) = (&book.system, quantity) {
        let variable = &system.variables[own];
        if let Some(value) = values.iter().find(|value| !(variable.least..=variable.most).contains(*value)) {
            let range = format!("{name} is {} to {}", variable.least, variable.most);
            return Err(Failure::bad_input(format_args!("{name}={value}: this cannot be"), range));
        }
    }
    Ok((quantity, values))
}
