//! `bestplay gamebook sample`: simulation of a book or a series.

use std::fmt::Write;

use clap::Args;
use gamebook::{Book, Question, Sample};
use serde::Serialize;
use serde_json::Value;

use crate::arguments::engine_args::{Run, RunArgs};
use crate::gamebook::answer::draft;
use crate::gamebook::answer::unsolved::unsolved;
use crate::gamebook::input::book_file::{BookText, section_json};
use crate::gamebook::input::hero_args::{QuestionArgs, describe};
use crate::gamebook::input::series_file;
use crate::numbers::percent_near;
use crate::output::{Failure, Format};

/// Arguments of `sample`.
#[derive(Args)]
pub struct SampleArgs {
    /// A built-in book (fire-on-the-water), a file, or a series of books (lone-wolf-kai, or a file)
    book: String,
    /// The number of simulated plays; as many others are used to learn a policy first
    #[arg(long, value_name = "COUNT", default_value_t = 100_000,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    plays: u64,
    /// The seed of the dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    question: QuestionArgs,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    run: RunArgs,
}

pub const EXAMPLES: &str = "\
Best play wins at least as often as the simulated plays do; nothing is proved. `bound` proves bounds.

Examples:
  bestplay gamebook sample my-draft.kdl
  bestplay gamebook sample lone-wolf-kai --plays 20000 --seed 3";

/// Simulates plays of a book or a series, and prints the share of wins.
pub fn run(args: &SampleArgs) -> Result<(), Failure> {
    args.run.run(|run| sample(args, &BookText::load(&args.book)?, run))
}

fn sample(args: &SampleArgs, written: &BookText, run: Run<'_>) -> Result<(), Failure> {
    let (book, question, machine);
    if written.is_series() {
        let mut series = series_file::open(written, run.budget)?;
        args.question.apply_to_later_books(&mut series)?;
        book = series.as_one_book();
        question = args.question.question(&book, false)?;
        machine = series.ready(&question, run.budget);
    } else {
        book = written.book(run.budget)?;
        question = args.question.question(&book, false)?;
        machine = question.machine(&book, run.budget);
    }
    let machine = machine.map_err(|error| unsolved(&error))?;
    let sample = Sample::new(&machine, args.plays, args.seed, run.budget).map_err(|error| unsolved(&error))?;
    match args.format {
        Format::Text => draft::print(book.draft, &text(&book, &question, &sample)),
        Format::Json => draft::print_json(book.draft, &json(&book, &question, &sample, args.seed)),
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
