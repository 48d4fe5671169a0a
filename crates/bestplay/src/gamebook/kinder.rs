//! `bestplay gamebook solve --forget`.

use std::time::Instant;

use budget::Budget;
use gamebook::{Book, Question, Solved};
use mdp::{ExploreOptions, Number};
use serde::Serialize;
use serde_json::Value;

use super::book_file::section_json;
use super::crowd::unsolved_book;
use super::hero_args::describe;
use super::unsolved::bounds_text;
use crate::memory;
use crate::numbers::percent_of;
use crate::output::{self, Failure, Format};

/// Tells how often a player wins at most: as often as one who need not remember everything.
pub fn tell(
    book: &Book,
    question: &Question,
    format: Format,
    options: &ExploreOptions<'_>,
    budget: &Budget<'_>,
) -> Result<(), Failure> {
    if question.situation.policy.is_some() {
        return Err(Failure::bad_input(
            "--forget bounds best play from above, a policy from below",
            "leave --policy out, or --forget",
        ));
    }
    let began = Instant::now();
    let solved = Solved::new(book, question, options);
    let solved = solved.map_err(|error| unsolved_book(book, question, &error, budget))?;
    let (win, counts) = (solved.win(), solved.space().model().counts());
    let named = |section| section_json(book, section);
    if matches!(format, Format::Json) {
        return output::print_json(&KinderJson {
            format: 1,
            book: &book.title,
            start: named(question.start),
            goals: question.goals.iter().map(|section| named(*section)).collect(),
            forgets: question.situation.forgets.iter().map(|own| own.told(book)).collect(),
            at_most: Number::from(&win),
            states: counts.states,
            choices: counts.choices,
            outcomes: counts.outcomes,
            seconds: began.elapsed().as_secs_f64(),
        });
    }
    let memory = memory::peak().map(|peak| format!(", {}", budget::bytes(peak))).unwrap_or_default();
    let goals: Vec<String> = question.goals.iter().map(|own| book.section_text(*own)).collect();
    output::print(&format!(
        "{}, from section {} to {}\n  {}\n\nBest play wins at most  {}  ({}): as often as who need not remember that\n\n{} states, {} \
         choices, {} outcomes; {:.2} s{memory}\n",
        book.title,
        book.section_text(question.start),
        if goals.is_empty() { "a victory".into() } else { goals.join(" or ") },
        describe(book, question),
        percent_of(&win),
        bounds_text(&win),
        counts.states,
        counts.choices,
        counts.outcomes,
        began.elapsed().as_secs_f64(),
    ))
}

#[derive(Serialize)]
struct KinderJson<'a> {
    format: u32,
    book: &'a str,
    start: Value,
    goals: Vec<Value>,
    forgets: Vec<String>,
    at_most: Number,
    states: u64,
    choices: u64,
    outcomes: u64,
    seconds: f64,
}
