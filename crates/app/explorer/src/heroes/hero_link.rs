//! Heroes of a table as links to the pages of their books.

use gamebook::{Book, SKILLS_COLUMN};
use serde_json::{Value, json};
use solved_table::Cell;

use super::table::{DISCIPLINES_COLUMN, HeroTable, ITEMS_COLUMN};
use crate::gamebook::{Gamebooks, OfferedBook, book_page_template, own_hero};
use crate::pages::address;

/// The address of the page of a book with a hero of a table.
pub fn hero_address(table: &HeroTable, gamebooks: &Gamebooks, offered: &OfferedBook, cells: &[Cell]) -> String {
    let template = book_page_template(gamebooks, offered);
    let mut state = template.clone();
    state["book"] = offered.name.clone().into();
    state["hero"] = hero(table, &offered.book, cells);
    format!("/gamebook?{}", address::write(&template, &state))
}

/// A hero of a table, as questions have heroes.
fn hero(table: &HeroTable, book: &Book, cells: &[Cell]) -> Value {
    let mut hero = json!(own_hero(book));
    let columns = || table.table.layout.cells.iter().zip(cells);
    if let Some(values) = hero.get_mut("values") {
        let own: Vec<(String, &Cell)> = columns().map(|(name, cell)| (name.clone(), cell)).collect();
        let skills = own.iter().find_map(|(name, cell)| match cell {
            Cell::Names(names) if name == SKILLS_COLUMN => Some(names.split_whitespace().collect::<Vec<_>>()),
            _ => None,
        });
        let skills = skills.as_ref();
        let is_skill = |name: &str| {
            let system = book.system.as_ref();
            system.is_some_and(|system| system.skills().any(|skill| system.variables[skill].name == name))
        };
        let updated = |given: &str| {
            let (name, _) = given.split_once('=').unwrap_or((given, ""));
            // Who sets out with so much has it as his initial value.
            let of = name.strip_suffix(".initial").unwrap_or(name);
            let found = own.iter().find(|(own, _)| own == name).or_else(|| own.iter().find(|(own, _)| own == of));
            match found {
                Some((_, Cell::Number(number))) => format!("{name}={number}"),
                _ => match skills {
                    Some(skills) if is_skill(name) => format!("{name}={}", i32::from(skills.contains(&name))),
                    _ => given.to_owned(),
                },
            }
        };
        let given: Vec<&str> = values.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        // The book's own hero lists what he knows only.
        let is_given = |skill: &str| given.iter().any(|given| given.split('=').next() == Some(skill));
        let new = skills.into_iter().flatten().filter(|skill| is_skill(skill) && !is_given(skill));
        let new: Vec<String> = new.map(|skill| format!("{skill}=1")).collect();
        *values = given.into_iter().map(updated).chain(new).collect();
        return hero;
    }
    for (name, cell) in columns() {
        match (name.as_str(), cell) {
            ("combat_skill" | "endurance" | "gold", Cell::Number(number)) => hero[name] = json!(number),
            (DISCIPLINES_COLUMN | ITEMS_COLUMN, Cell::Names(names)) => {
                hero[name] = names.split_whitespace().collect();
            }
            _ => {}
        }
    }
    hero
}
