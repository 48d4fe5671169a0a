//! `bestplay gamebook series`: a series of books, or a book that may be too large for memory, solved part by part.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use budget::Budget;
use clap::Args;
use gamebook::{InMemory, Series, SeriesQuestion, Shelf, SolveBookError, SolvedSeries, discipline_names};
use mdp::{Number, Rational, nearest};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::arguments::engine_args::{EngineArgs, Run};
use crate::gamebook::answer::draft;
use crate::gamebook::answer::unsolved::{bounds_text, unsolved_draft};
use crate::gamebook::input::book_file::BookText;
use crate::gamebook::input::hero_args::{QuestionArgs, ReductionArgs, describe};
use crate::gamebook::input::series_file;
use crate::gamebook::input::state_folder::StateFolder;
use crate::memory;
use crate::numbers::{percent_near, percent_of};
use crate::output::{self, Failure, Format};

/// The most sets of disciplines in text.
const MOST_SHOWN: usize = 10;

/// Arguments for solving part by part.
#[derive(Args)]
pub struct PartsArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    #[command(flatten)]
    reductions: ReductionArgs,
    /// Keep the finished parts in this directory: a later run goes on with them
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// Arguments of `series`.
#[derive(Args)]
pub struct SeriesArgs {
    /// A series of books (lone-wolf-kai, or a file), or one book that may be too large for memory
    book: String,
    #[command(flatten)]
    parts: PartsArgs,
    /// Also simulate this many plays of best play
    #[arg(long, value_name = "COUNT")]
    plays: Option<u64>,
    /// The seed of their dice
    #[arg(long, value_name = "N", default_value_t = 1, requires = "plays")]
    seed: u64,
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay gamebook series lone-wolf-kai --state kai
  bestplay gamebook series my-series.kdl --plays 10000 --seed 7
  bestplay gamebook series my-large-book.kdl --state parts --max-memory 8GB";

/// Solves a series, or a book that may be too large for memory, part by part, and prints its odds.
pub fn run(args: &SeriesArgs) -> Result<(), Failure> {
    args.parts.engine.run(|run| {
        let series = series(&args.book, &args.parts, run.budget)?;
        let plays = args.plays.map(|plays| (plays, args.seed));
        answer(&args.parts, &series, plays, run)
    })
}

/// Prints the odds of a series, and the results of simulated plays under optimal play, with this seed.
pub fn answer(args: &PartsArgs, series: &Series, plays: Option<(u64, u64)>, run: Run<'_>) -> Result<(), Failure> {
    let first = &series.books[0].book;
    let question = args.reductions.without(args.question.of_whole_book(first, args.engine.exact)?);
    let began = Instant::now();
    series_file::goes_all_the_way(first, &question)?;
    if series.books.len() > 1 {
        series_file::leaves_with_nothing(&question)?;
    }
    let hero = describe(first, &question);
    let (count, seed) = plays.unwrap_or_default();
    let question = SeriesQuestion { plays: count, seed, ..series.asked(&question) };
    let solved = solve(args, series, &question, run)?;
    let seconds = began.elapsed().as_secs_f64();
    let plays = plays.map(|(plays, seed)| PlaysJson { plays, won: solved.plays_won, seed });
    match args.format {
        Format::Text => output::print(&text(series, &hero, &solved, plays.as_ref(), seconds)),
        Format::Json => {
            let draft = series.books.iter().map(|own| own.book.draft).sum();
            let took = RunJson { seconds, threads: run.threads(), peak_memory_bytes: memory::peak() };
            draft::print_json(draft, &AnswerJson::new(series, &solved, plays, took))
        }
    }
}

/// The series in question; a single book is a series of one.
pub fn series(name: &str, args: &PartsArgs, budget: &Budget<'_>) -> Result<Series, Failure> {
    let written = BookText::load(name)?;
    let mut series = if written.is_series() {
        series_file::open(&written, budget)?
    } else {
        Series::of(written.book(budget)?, &written.name)
    };
    args.question.apply_to_later_books(&mut series)?;
    Ok(series)
}

/// Solves it; a failure says where finished parts are kept.
fn solve(args: &PartsArgs, series: &Series, question: &SeriesQuestion, run: Run<'_>) -> Result<SolvedSeries, Failure> {
    let folder = args.state.as_deref().map(StateFolder::at).transpose()?;
    let memory = InMemory::default();
    let shelf: &dyn Shelf = folder.as_ref().map_or(&memory, |folder| folder);
    let solved = series.solve(question, shelf, run.options).map_err(|error| {
        let stopped = matches!(error, SolveBookError::Stopped(_) | SolveBookError::StoppedWithBounds { .. });
        let failure = unsolved_draft(draft::of_series(series), &error);
        match &args.state {
            Some(state) if stopped && folder.as_ref().is_some_and(|own| own.is_whole().is_ok()) => {
                failure.keeping(state)
            }
            _ => failure,
        }
    })?;
    folder.as_ref().map_or(Ok(()), StateFolder::is_whole)?;
    Ok(solved)
}

fn text(series: &Series, hero: &str, solved: &SolvedSeries, plays: Option<&PlaysJson>, seconds: f64) -> String {
    let mut out = String::new();
    match series.books.len() {
        1 => writeln!(out, "{}\n  {hero}\n", series.title),
        books => writeln!(out, "{}, {books} books in a row\n  {hero}\n", series.title),
    }
    .unwrap_or_default();
    if let Some(draft) = draft::of_series(series) {
        let _ = writeln!(out, "{draft}");
    }
    let _ = writeln!(out, "Win  {}  ({})\n", percent_of(&solved.win), bounds_text(&solved.win));
    let widest = series.books.iter().map(|book| book.book.title.chars().count()).max().unwrap_or(0);
    let _ = writeln!(out, "{:widest$}  {:>10}  {:>10}  {:>12}", "Book", "begun", "won", "states");
    for ((book, own), states) in series.books.iter().zip(&solved.books).zip(&solved.states) {
        let (begun, won) = (percent_near(own.reached), percent_near(own.win));
        let _ = writeln!(out, "{:widest$}  {begun:>10}  {won:>10}  {states:>12}", book.book.title);
    }
    let sets = solved.first.iter().map(|own| {
        let known = discipline_names(&own.disciplines, own.weaponskill.as_deref());
        (percent_of(&own.win), known.join(", "))
    });
    out.push_str(&ranked(&sets.collect::<Vec<_>>()));
    if let Some(PlaysJson { plays, won, .. }) = plays {
        let plays_or_one = Rational::from((*plays).max(1));
        let share = nearest(&(Rational::from(*won) / &plays_or_one));
        let error = (share * (1.0 - share) / nearest(&plays_or_one)).sqrt();
        let _ = writeln!(out, "\nOf {plays} plays {won} win: {} ± {}", percent_near(share), percent_near(error));
    }
    let memory = memory::peak().map(|peak| format!(", {}", budget::bytes(peak))).unwrap_or_default();
    let _ = writeln!(out, "\n{} states; {seconds:.2} s{memory}", solved.states.iter().sum::<u64>());
    out
}

/// The sets that can be learned, the best first, with the odds.
pub fn ranked(sets: &[(String, String)]) -> String {
    let mut out = String::new();
    if sets.is_empty() {
        return out;
    }
    out.push_str("\nLearned first\n");
    for (win, known) in sets.iter().take(MOST_SHOWN) {
        let _ = writeln!(out, "{win:>10}  {known}");
    }
    let others = sets.len().saturating_sub(MOST_SHOWN);
    if others > 0 {
        let _ = writeln!(out, "{others} others: --format json tells all");
    }
    out
}

#[derive(Serialize)]
struct AnswerJson {
    format: u32,
    series: String,
    win: Number,
    books: Vec<BookJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    first: Vec<LearnedJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plays: Option<PlaysJson>,
    #[serde(flatten)]
    run: RunJson,
}

/// The costs of the run.
#[derive(Serialize)]
struct RunJson {
    seconds: f64,
    threads: usize,
    peak_memory_bytes: Option<u64>,
}

impl AnswerJson {
    fn new(series: &Series, solved: &SolvedSeries, plays: Option<PlaysJson>, run: RunJson) -> Self {
        let books = series.books.iter().zip(&solved.books).zip(&solved.states);
        let first = solved.first.iter().map(|own| LearnedJson {
            disciplines: discipline_names(&own.disciplines, own.weaponskill.as_deref()),
            win: Number::from(&own.win),
        });
        Self {
            format: 1,
            series: series.title.clone(),
            win: Number::from(&solved.win),
            books: books
                .map(|((book, own), states)| BookJson {
                    book: book.name.clone(),
                    title: book.book.title.clone(),
                    reached: own.reached,
                    win: own.win,
                    states: *states,
                    draft: book.book.draft.fields(),
                })
                .collect(),
            first: first.collect(),
            plays,
            run,
        }
    }
}

#[derive(Serialize)]
struct PlaysJson {
    plays: u64,
    won: u64,
    seed: u64,
}

#[derive(Serialize)]
struct BookJson {
    book: String,
    title: String,
    reached: f64,
    win: f64,
    states: u64,
    #[serde(flatten)]
    draft: Map<String, Value>,
}

#[derive(Serialize)]
struct LearnedJson {
    disciplines: Vec<String>,
    win: Number,
}
