//! A series of books, or a book that may be too large for memory, solved part by part.

use std::fmt::Write;
use std::time::Instant;

use budget::Budget;
use gamebook::{InMemory, Learns, Series, SeriesQuestion, Shelf, SolveBookError, SolvedSeries, said_disciplines};
use mdp::{Number, Rational, nearest};
use serde::Serialize;
use serde_json::{Map, Value};

use super::args::SolveArgs;
use crate::engine_args::Run;
use crate::gamebook::answer::draft;
use crate::gamebook::answer::unsolved::{bounds_text, unsolved_draft};
use crate::gamebook::input::book_file::BookText;
use crate::gamebook::input::hero_args::describe;
use crate::gamebook::input::series_file;
use crate::gamebook::input::state_folder::StateFolder;
use crate::memory;
use crate::numbers::{percent_near, percent_of};
use crate::output::{self, Failure, Format};

/// So many sets of disciplines are told in text.
const TOLD: usize = 10;

/// Solves a series, or a book that may be too large for memory, part by part, and tells its odds: what is known of it whole is
/// not asked. What is finished is kept in the folder of `--state`.
pub(super) fn run(args: &SolveArgs, written: &BookText, run: Run<'_>) -> Result<(), Failure> {
    let series = series(args, written, run.budget)?;
    let first = &series.books[0].book;
    let question = args.asked(first, args.engine.exact)?;
    let began = Instant::now();
    series_file::goes_all_the_way(first, &question)?;
    if series.books.len() > 1 {
        series_file::leaves_with_nothing(&question)?;
    }
    let hero = describe(first, &question);
    let plays = args.plays.unwrap_or_default();
    let seed = if args.plays.is_some() { args.seed } else { 0 };
    let question = SeriesQuestion { plays, seed, ..series.asked(&question) };
    let solved = solve(args, &series, &question, run)?;
    let seconds = began.elapsed().as_secs_f64();
    let plays = args.plays.map(|plays| PlaysJson { plays, won: solved.plays_won, seed });
    match args.format {
        Format::Text => output::print(&text(&series, &hero, &solved, plays.as_ref(), seconds)),
        Format::Json => {
            let draft = series.books.iter().map(|own| own.book.draft).sum();
            let took = RunJson { seconds, threads: run.threads(), peak_memory_bytes: memory::peak() };
            draft::print_json(draft, &AnswerJson::new(&series, &solved, plays, took))
        }
    }
}

/// The series that is asked about; a book alone is a series of one.
fn series(args: &SolveArgs, written: &BookText, budget: &Budget<'_>) -> Result<Series, Failure> {
    let of_one = args.explain_size || args.reader.is_some() || args.rolled || args.varied.is_given();
    if of_one || args.export.is_asked() {
        return Err(Failure::bad_input(
            format_args!("`{}` is solved part by part", written.name),
            "--explain-size, --reader, --rolled, --vary and exports are for one book without --state, --plays and --learn",
        ));
    }
    let mut series = if written.is_series() {
        series_file::open(written, budget)?
    } else {
        Series::of(written.book(budget)?, &written.name)
    };
    args.question.say_of_later_books(&mut series)?;
    if let Some(said) = &args.learn {
        learn(&mut series, said)?;
    }
    Ok(series)
}

/// Solves it; a failure says where what is finished is kept.
fn solve(args: &SolveArgs, series: &Series, question: &SeriesQuestion, run: Run<'_>) -> Result<SolvedSeries, Failure> {
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

/// The hero of the first book chooses so many disciplines before he sets out: `5`, or `5,weaponskill=sword`.
fn learn(series: &mut Series, said: &str) -> Result<(), Failure> {
    let first = &mut series.books[0];
    let wrong = |message: String| {
        Err(Failure::bad_input(message, "write --learn 5, or --learn 5,weaponskill=sword with a weapon of the book"))
    };
    if first.book.system.is_some() {
        return wrong(format!("`{}` has rules without disciplines", first.book.title));
    }
    let (number, weapon) = match said.split_once(',') {
        Some((number, rest)) => (number, Some(rest)),
        None => (said, None),
    };
    let Some(chosen) = number.trim().parse().ok().filter(|number| (1..=10).contains(number)) else {
        return wrong(format!("`{said}`: how many disciplines are chosen?"));
    };
    let weapon = match weapon.map(|rest| rest.trim().strip_prefix("weaponskill=")) {
        None => None,
        Some(Some(weapon)) if first.book.items.iter().any(|item| item.weapon.is_some() && item.name == weapon) => {
            Some(weapon.to_string())
        }
        Some(_) => return wrong(format!("`{said}`: weaponskill in which weapon?")),
    };
    first.learns = Learns { given: Vec::new(), chosen, weapon };
    first.book.hero.learns_anew();
    Ok(())
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
    if !solved.first.is_empty() {
        let _ = writeln!(out, "\nLearned first");
        for own in solved.first.iter().take(TOLD) {
            let _ = writeln!(
                out,
                "{:>10}  {}",
                percent_of(&own.win),
                said_disciplines(&own.disciplines, own.weaponskill.as_deref()).join(", ")
            );
        }
        let others = solved.first.len().saturating_sub(TOLD);
        if others > 0 {
            let _ = writeln!(out, "{others} others: --format json tells all");
        }
    }
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

/// What the run took.
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
            disciplines: said_disciplines(&own.disciplines, own.weaponskill.as_deref()),
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
