//! What is told of a journey through a book, to people and in JSON.

use std::fmt::Write;

use gamebook::{Belongings, Book, Journey};
use serde::Serialize;
use serde_json::Value;

use super::book_file::section_json;
use crate::numbers::percent_near as percent;

/// How many lines of a list are shown to people.
pub const SHOWN: usize = 12;

/// Says how much of a list was not shown.
pub fn more(out: &mut String, all: usize, what: &str) {
    if all > SHOWN {
        let _ = writeln!(out, "        and {} {what} more", all - SHOWN);
    }
}

/// Where heroes die.
pub fn deaths_text(out: &mut String, book: &Book, journey: &Journey) {
    if journey.deaths.is_empty() {
        return;
    }
    let _ = writeln!(out, "Where heroes die");
    for (section, probability) in journey.deaths.iter().take(SHOWN) {
        let _ = writeln!(out, "{:>6}  {:>10}", book.section_text(*section), percent(*probability));
    }
    more(out, journey.deaths.len(), "sections");
}

/// Where heroes die, and how likely.
#[derive(Serialize)]
pub struct DeathJson {
    section: Value,
    probability: f64,
}

/// Where heroes die, in JSON.
pub fn deaths_json(book: &Book, journey: &Journey) -> Vec<DeathJson> {
    let death = |(section, probability): &(_, f64)| DeathJson {
        section: section_json(book, *section),
        probability: *probability,
    };
    journey.deaths.iter().map(death).collect()
}

/// A section that is visited.
#[derive(Serialize)]
pub struct SectionJson {
    section: Value,
    visited: f64,
    win_if_here: f64,
}

/// The sections that are visited, in JSON.
pub fn sections_json(book: &Book, journey: &Journey) -> Vec<SectionJson> {
    journey
        .sections
        .iter()
        .map(|visit| SectionJson {
            section: section_json(book, visit.section),
            visited: visit.visited,
            win_if_here: visit.win_if_here,
        })
        .collect()
}

/// What a hero has, in a line.
pub fn sheet(belongings: &Belongings) -> String {
    let mut parts = match &belongings.stats {
        Some(stats) => stats.iter().map(|(name, number)| format!("{name} {number}")).collect(),
        None => vec![format!("endurance {}, {} gold", belongings.endurance, belongings.gold)],
    };
    parts.extend(
        belongings.items.iter().map(|(name, count)| if *count == 1 { name.clone() } else { format!("{count} {name}") }),
    );
    parts.extend(belongings.flags.iter().cloned());
    parts.join(", ")
}
