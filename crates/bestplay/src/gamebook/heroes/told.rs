//! A table of heroes told for people.

use std::fmt::Write;

use super::table::Table;
use crate::gamebook::hero_args::conduct;
use crate::roster::Gain;

/// The answer for people.
pub fn text(table: &Table<'_>) -> String {
    let mut out = String::new();
    let start = table.book.section_text(table.question.start);
    let _ = writeln!(out, "{}, from section {start}: {} heroes", table.book.title, table.roster.rows.len());
    table.roster.told_numbers(&mut out);
    if table.book.system.is_none() {
        let choice = table.choice;
        let _ = writeln!(
            out,
            "  {} of disciplines, {} chosen",
            many(choice.sets.len(), "set"),
            many(choice.equipments.len(), "equipment")
        );
    }
    for line in conduct(table.book, table.question) {
        let _ = writeln!(out, "  {line}");
    }
    let gains: Vec<Gain> = table.disciplines().into_iter().chain(table.things()).collect();
    table.roster.text(gains, &mut out);
    out
}

fn many(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
