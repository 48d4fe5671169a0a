//! A table of heroes as text.

use std::fmt::Write;

use gamebook::{DISCIPLINES, SKILLS_COLUMN};

use super::table::{Asked, Table};
use crate::gamebook::input::hero_args::conduct;
use crate::roster;

/// The answer as text.
pub fn text(table: &Table<'_>) -> String {
    let mut out = String::new();
    let Asked { book, question, choice } = table.asked;
    let start = book.section_text(question.start);
    let _ = writeln!(out, "{}, from section {start}: {} heroes", book.title, table.roster.rows.len());
    roster::numbers_text(&table.roster, &mut out);
    if let Some(sets) = Some(choice.skills.len()).filter(|sets| *sets > 0) {
        let _ = writeln!(out, "  {} of skills", many(sets, "set"));
    }
    if book.system.is_none() {
        let _ = writeln!(
            out,
            "  {} of disciplines, {} chosen",
            many(choice.sets.len(), "set"),
            many(choice.equipments.len(), "equipment")
        );
    }
    for line in conduct(book, question) {
        let _ = writeln!(out, "  {line}");
    }
    let disciplines = table.roster.gains("disciplines", DISCIPLINES.iter().map(|(_, name)| *name));
    let things = table.roster.gains("items", book.items.iter().map(|item| item.name.as_str()));
    let skills = book.system.iter().flat_map(|system| {
        let names = system.skills().map(|skill| system.variables[skill].name.as_str());
        table.roster.gains(SKILLS_COLUMN, names)
    });
    let gains = disciplines.into_iter().chain(things).chain(skills).collect();
    roster::text(&table.roster, gains, &mut out);
    out
}

fn many(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
