//! `bestplay gamebook solve --reader`.

use std::fmt::Write;

use gamebook::{Book, Fares, Question, Reader};
use mdp::{ExploreOptions, Number};
use serde::Serialize;
use serde_json::Value;

use super::book_file::section_json;
use super::draft;
use super::hero_args::describe;
use super::journey::{DeathJson, SectionJson, deaths_json, deaths_text, sections_json};
use super::unsolved::{bounds_text, unsolved_draft};
use crate::numbers::percent_of;
use crate::output::{Failure, Format};

/// Tells how a reader fares.
pub fn tell(
    book: &Book,
    question: &Question,
    reader: Reader,
    format: Format,
    options: &ExploreOptions<'_>,
) -> Result<(), Failure> {
    let fares = reader.fares(book, question, options).map_err(|error| unsolved_draft(book.draft.said(), &error))?;
    match format {
        Format::Text => draft::print(book.draft, &text(book, question, reader, &fares)),
        Format::Json => draft::print_json(book.draft, &json(book, question, reader, &fares)),
    }
}

fn text(book: &Book, question: &Question, reader: Reader, fares: &Fares) -> String {
    let Fares { journey, length } = fares;
    let mut out = String::new();
    let start = book.section_text(question.start);
    let _ = writeln!(out, "{}, from section {start}, a {reader} reader\n  {}\n", book.title, describe(book, question));
    let _ = writeln!(out, "Win  {}  ({})", percent_of(&journey.win), bounds_text(&journey.win));
    match length {
        Some(length) => {
            let (mean, deviation) = (length.mean.decimal(), length.deviation);
            let _ = writeln!(out, "Sections entered, on the average  {mean:.2} (give or take {deviation:.2})\n");
        }
        None => out.push_str("Play may go on for ever\n\n"),
    }
    deaths_text(&mut out, book, journey);
    out
}

#[derive(Serialize)]
struct FaresJson {
    format: u32,
    book: String,
    reader: String,
    start: Value,
    win: Number,
    length: Option<Number>,
    deaths: Vec<DeathJson>,
    sections: Vec<SectionJson>,
    states: u64,
}

fn json(book: &Book, question: &Question, reader: Reader, fares: &Fares) -> FaresJson {
    let Fares { journey, length } = fares;
    FaresJson {
        format: 1,
        book: book.title.clone(),
        reader: reader.to_string(),
        start: section_json(book, question.start),
        win: Number::from(&journey.win),
        length: length.as_ref().map(|length| Number::from(&length.mean)),
        deaths: deaths_json(book, journey),
        sections: sections_json(book, journey),
        states: journey.states,
    }
}
