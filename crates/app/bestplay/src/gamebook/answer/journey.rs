//! The results of a journey, as text and JSON.

use std::fmt::Write;

use gamebook::{Belongings, Book, Ends, Journey, NumberStatistics, Outline, SectionNumber};
use serde::Serialize;
use serde_json::Value;

use crate::gamebook::input::book_file::section_json;
use crate::numbers::percent_near as percent;

/// The most lines of a list in text.
pub const SHOWN: usize = 12;

/// Adds the number of lines that were left out.
pub fn more(out: &mut String, all: usize, what: &str) {
    if all > SHOWN {
        let _ = writeln!(out, "        and {} {what} more", all - SHOWN);
    }
}

/// Smaller shares of plays that never end are rounding errors.
const ROUNDING: f64 = 1e-8;

/// The share of plays without an end, given the probabilities of all ends; `None` if there are no such plays.
pub fn endless(ends: impl Iterator<Item = f64>) -> Option<f64> {
    let endless = 1.0 - ends.sum::<f64>();
    (endless > ROUNDING).then_some(endless)
}

/// What heroes die of in a section, in the author's words: enemies and other deaths.
pub fn causes(book: &Book, section: SectionNumber) -> String {
    let Outline { fights, deaths, .. } = book.outline(section);
    let enemy = |fight: String| fight.split(',').next().map(ToOwned::to_owned);
    let mut causes: Vec<String> = fights.into_iter().filter_map(enemy).chain(deaths).collect();
    causes.dedup();
    causes.join("; ")
}

/// The sections where heroes win, with a star, and those where they die.
pub fn endings_text(out: &mut String, book: &Book, journey: &Journey) {
    let Journey { victories, deaths, .. } = journey;
    let _ = writeln!(out, "Endings");
    let mut line = |name: &str, share: f64, cause: &str| {
        let line = format!("{name:>6}  {:>10}  {cause}", percent(share));
        let _ = writeln!(out, "{}", line.trim_end());
    };
    for (section, share) in victories.iter().take(SHOWN) {
        line(&format!("* {}", book.section_text(*section)), *share, "");
    }
    for (section, share) in deaths.iter().take(SHOWN) {
        line(&book.section_text(*section), *share, &causes(book, *section));
    }
    if let Some(share) = endless(victories.iter().chain(deaths).map(|(_, share)| *share)) {
        line("none", share, "goes on for ever");
    }
    more(out, victories.len(), "sections where heroes win");
    more(out, deaths.len(), "sections where they die");
}

/// The possessions of winning heroes.
pub fn ends_text(ends: &Ends) -> String {
    let number = |(name, own): &(String, NumberStatistics)| {
        let NumberStatistics { mean, deviation, least, most } = own;
        if least == most {
            return format!("{name} {most}");
        }
        format!("{name} {mean:.1} on average (deviation {deviation:.1}, {least} to {most})")
    };
    let mut lines = vec![ends.numbers.iter().map(number).collect::<Vec<_>>().join(", ")];
    let (always, others): (Vec<_>, Vec<_>) = ends.has.iter().partition(|(_, share)| *share >= 1.0);
    if !always.is_empty() {
        let names: Vec<&str> = always.iter().map(|(name, _)| name.as_str()).collect();
        lines.push(format!("always with {}", names.join(", ")));
    }
    if !others.is_empty() {
        let shown = others.iter().take(SHOWN).map(|(name, share)| format!("{name} in {}", percent(*share)));
        let more = others.len().saturating_sub(SHOWN);
        let more = (more > 0).then(|| format!("and {more} things more"));
        lines.push(shown.chain(more).collect::<Vec<_>>().join(", "));
    }
    format!("  {}\n", lines.join("\n  "))
}

/// The possessions of winning heroes, in JSON.
#[derive(Serialize)]
pub struct EndsJson {
    numbers: Vec<StatisticsJson>,
    has: Vec<HasJson>,
}

#[derive(Serialize)]
struct StatisticsJson {
    name: String,
    mean: f64,
    deviation: f64,
    least: i32,
    most: i32,
}

#[derive(Serialize)]
struct HasJson {
    name: String,
    share: f64,
}

impl From<&Ends> for EndsJson {
    fn from(ends: &Ends) -> Self {
        let statistics = |(name, own): &(String, NumberStatistics)| {
            let NumberStatistics { mean, deviation, least, most } = *own;
            StatisticsJson { name: name.clone(), mean, deviation, least, most }
        };
        let has = |(name, share): &(String, f64)| HasJson { name: name.clone(), share: *share };
        Self { numbers: ends.numbers.iter().map(statistics).collect(), has: ends.has.iter().map(has).collect() }
    }
}

/// A section with the probability of an end there.
#[derive(Serialize)]
pub struct EndJson {
    section: Value,
    probability: f64,
}

/// Ends by section, in JSON.
pub fn ends_json(book: &Book, ends: &[(SectionNumber, f64)]) -> Vec<EndJson> {
    let end = |(section, probability): &(_, f64)| EndJson {
        section: section_json(book, *section),
        probability: *probability,
    };
    ends.iter().map(end).collect()
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

/// A hero's possessions in a line.
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
