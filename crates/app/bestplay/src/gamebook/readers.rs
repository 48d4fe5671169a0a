//! `bestplay gamebook readers`: the results of readers who do not play optimally.

use std::fmt::Write;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use gamebook::{Book, Question, Reader, ReaderResult};
use mdp::Number;
use serde::Serialize;
use serde_json::Value;

use crate::arguments::engine_args::EngineArgs;
use crate::gamebook::answer::draft;
use crate::gamebook::answer::journey::{EndJson, SectionJson, endings_text, ends_json, sections_json};
use crate::gamebook::answer::unsolved::{bounds_text, unsolved_draft};
use crate::gamebook::input::book_file::{BookText, section_json};
use crate::gamebook::input::hero_args::{QuestionArgs, describe};
use crate::numbers::{percent_near, percent_of};
use crate::output::{Failure, Format};

/// Arguments of `readers`.
#[derive(Args)]
pub struct ReadersArgs {
    /// A built-in book (fire-on-the-water) or a file
    book: String,
    #[command(flatten)]
    question: QuestionArgs,
    /// Only this reader, in detail: answers are random, always the first (bold), or always the last (cautious)
    #[arg(long, value_name = "READER", value_parser = readers())]
    reader: Option<Reader>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay gamebook readers fire-on-the-water
  bestplay gamebook readers my-book.kdl --reader random --exact
  bestplay gamebook readers my-book.kdl --goal 12 --format json";

/// The readers by name.
fn readers() -> impl TypedValueParser<Value = Reader> {
    PossibleValuesParser::new(Reader::NAMES).try_map(|name| name.parse::<Reader>())
}

/// Solves a book for such readers, and prints the results.
pub fn run(args: &ReadersArgs) -> Result<(), Failure> {
    args.engine.run(|run| {
        let book = BookText::load(&args.book)?.book(run.budget)?;
        let question = args.question.of_whole_book(&book, args.engine.exact)?;
        let fares = |reader: Reader| reader.evaluate(&book, &question, run.options);
        let unsolved = |error| unsolved_draft(book.draft.warning(), &error);
        if let Some(reader) = args.reader {
            let fares = fares(reader).map_err(unsolved)?;
            return match args.format {
                Format::Text => draft::print(book.draft, &text(&book, &question, reader, &fares)),
                Format::Json => draft::print_json(book.draft, &json(&book, &question, reader, &fares)),
            };
        }
        let all = Reader::ALL.map(|reader| fares(reader).map(|fares| (reader, fares)));
        let all = all.into_iter().collect::<Result<Vec<_>, _>>().map_err(unsolved)?;
        match args.format {
            Format::Text => draft::print(book.draft, &overview(&book, &question, &all)),
            Format::Json => {
                let readers = all.iter().map(|(reader, fares)| json(&book, &question, *reader, fares)).collect();
                draft::print_json(book.draft, &AllJson { format: 1, book: book.title.clone(), readers })
            }
        }
    })
}

/// All readers in a table.
fn overview(book: &Book, question: &Question, all: &[(Reader, ReaderResult)]) -> String {
    let mut out = String::new();
    let start = book.section_text(question.start);
    let _ = writeln!(out, "{}, from section {start}\n  {}\n", book.title, describe(book, question));
    let _ = writeln!(out, "{:<10}{:>12}{:>20}   dies most often in", "Reader", "wins", "sections entered");
    for (reader, ReaderResult { journey, length }) in all {
        let length = length.as_ref().map_or_else(|| "no end".into(), |own| format!("{:.2}", own.mean.decimal()));
        let worst = journey.deaths.first();
        let worst = worst.map_or_else(String::new, |(section, share)| {
            format!("{} ({})", book.section_text(*section), percent_near(*share))
        });
        let _ = writeln!(out, "{:<10}{:>12}{length:>20}   {worst}", reader.to_string(), percent_of(&journey.win));
    }
    out.push_str("\n--reader NAME lists all of one reader's endings\n");
    out
}

#[derive(Serialize)]
struct AllJson {
    format: u32,
    book: String,
    readers: Vec<ReaderJson>,
}

fn text(book: &Book, question: &Question, reader: Reader, fares: &ReaderResult) -> String {
    let ReaderResult { journey, length } = fares;
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
    endings_text(&mut out, book, journey);
    out
}

#[derive(Serialize)]
struct ReaderJson {
    format: u32,
    book: String,
    reader: String,
    start: Value,
    win: Number,
    length: Option<Number>,
    victories: Vec<EndJson>,
    deaths: Vec<EndJson>,
    sections: Vec<SectionJson>,
    states: u64,
}

fn json(book: &Book, question: &Question, reader: Reader, fares: &ReaderResult) -> ReaderJson {
    let ReaderResult { journey, length } = fares;
    ReaderJson {
        format: 1,
        book: book.title.clone(),
        reader: reader.to_string(),
        start: section_json(book, question.start),
        win: Number::from(&journey.win),
        length: length.as_ref().map(|length| Number::from(&length.mean)),
        victories: ends_json(book, &journey.victories),
        deaths: ends_json(book, &journey.deaths),
        sections: sections_json(book, journey),
        states: journey.states,
    }
}
