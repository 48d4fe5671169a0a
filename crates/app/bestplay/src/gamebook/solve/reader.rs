//! `--reader`: somebody who does not play best.

use std::fmt::Write;

use gamebook::{Book, Fares, Question, Reader};
use mdp::Number;
use serde::Serialize;
use serde_json::Value;

use super::args::SolveArgs;
use crate::engine_args::Run;
use crate::gamebook::answer::draft;
use crate::gamebook::answer::journey::{DeathJson, SectionJson, deaths_json, deaths_text, sections_json};
use crate::gamebook::answer::unsolved::{bounds_text, unsolved_draft};
use crate::gamebook::input::book_file::{BookText, section_json};
use crate::gamebook::input::hero_args::describe;
use crate::numbers::percent_of;
use crate::output::{Failure, Format};

/// Solves a book for a reader and tells how he fares.
pub(super) fn run(args: &SolveArgs, reader: Reader, written: &BookText, run: Run<'_>) -> Result<(), Failure> {
    let book = written.book(run.budget)?;
    let question = args.asked(&book, args.engine.exact)?;
    let fares = reader.fares(&book, &question, run.options);
    let fares = fares.map_err(|error| unsolved_draft(book.draft.said(), &error))?;
    match args.format {
        Format::Text => draft::print(book.draft, &text(&book, &question, reader, &fares)),
        Format::Json => draft::print_json(book.draft, &json(&book, &question, reader, &fares)),
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
