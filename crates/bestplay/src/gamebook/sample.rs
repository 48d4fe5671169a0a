//! `bestplay gamebook solve --sample`.

use std::fmt::Write;

use budget::Budget;
use gamebook::{Book, Machine, Question, Sample};
use serde::Serialize;
use serde_json::Value;

use super::book_file::section_json;
use super::draft;
use super::hero_args::describe;
use super::unsolved::unsolved;
use crate::numbers::percent_near;
use crate::output::{Failure, Format};

/// Tells what so many simulated plays of a book, or of a series told as one, come to.
pub fn tell(
    (book, question, machine): (&Book, &Question, &Machine),
    (plays, seed): (u64, u64),
    format: Format,
    budget: &Budget<'_>,
) -> Result<(), Failure> {
    let sample = Sample::new(machine, plays, seed, budget).map_err(|error| unsolved(&error))?;
    match format {
        Format::Text => draft::print(book.draft, &text(book, question, &sample)),
        Format::Json => draft::print_json(book.draft, &json(book, question, &sample, seed)),
    }
}

fn json(book: &Book, question: &Question, sample: &Sample, seed: u64) -> SampleJson {
    SampleJson {
        format: 1,
        book: book.title.clone(),
        start: section_json(book, question.start),
        goals: question.goals.iter().map(|section| section_json(book, *section)).collect(),
        sample: NumbersJson {
            win: sample.win(),
            standard_error: sample.standard_error(),
            likely: sample.likely().into(),
            won: sample.won,
            plays: sample.plays,
            unfinished: sample.unfinished,
            seed,
            proof: false,
        },
    }
}

fn text(book: &Book, question: &Question, sample: &Sample) -> String {
    let mut out = String::new();
    let start = book.section_text(question.start);
    let _ = writeln!(out, "{}, from section {start}, simulated\n  {}\n", book.title, describe(book, question));
    let (least, most) = sample.likely();
    let _ = writeln!(
        out,
        "Win  ~{}  (no proof: {} of {} simulated plays; {} to {} in all but one of {} samples)\n",
        percent_near(sample.win()),
        sample.won,
        sample.plays,
        percent_near(least),
        percent_near(most),
        Sample::OFF_ONCE_IN
    );
    if sample.unfinished > 0 {
        let _ = writeln!(out, "{} plays did not come to an end; they count as lost.\n", sample.unfinished);
    }
    out.push_str(
        "These plays take at each question, by what is left of the hero's life and how often it was asked, the answer that\n\
         had won most often in as many plays before. Best play wins at least as often as such plays do.\n",
    );
    out
}

#[derive(Serialize)]
struct SampleJson {
    format: u32,
    book: String,
    start: Value,
    goals: Vec<Value>,
    sample: NumbersJson,
}

#[derive(Serialize)]
struct NumbersJson {
    win: f64,
    standard_error: f64,
    likely: [f64; 2],
    won: u64,
    plays: u64,
    unfinished: u64,
    seed: u64,
    proof: bool,
}
