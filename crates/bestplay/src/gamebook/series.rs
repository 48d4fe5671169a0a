//! `bestplay gamebook solve` of a series of books.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use budget::Budget;
use gamebook::{
    Book, InMemory, Learns, Problem, Problems, Question, ReadSeriesError, Series, SeriesQuestion, Shelf,
    SolveBookError, SolvedSeries, built_in, read_series, said_disciplines,
};
use mdp::{ExploreOptions, Number, Rational, nearest};
use serde::Serialize;
use serde_json::{Map, Value};

use super::book_file;
use super::draft;
use super::hero_args::describe;
use super::state_folder::StateFolder;
use super::unsolved::{bounds_text, unsolved_draft};
use crate::memory;
use crate::numbers::{percent_near, percent_of};
use crate::output::{self, Failure, Format};

/// So many sets of disciplines are told in text.
const TOLD: usize = 10;

/// Reads a series: its books are built in, or files beside it.
fn read(name: &str, text: &str, budget: &Budget<'_>) -> Result<(Series, Vec<Problem>), ReadSeriesError> {
    let file = book_file::beside(name);
    let beside = |name: &str| file(name).map_err(|error| format!("no book of this name is built in, and {error}"));
    let books = |name: &str| built_in(name).map_or_else(|| beside(name), |text| Ok(text.into()));
    read_series(text, &books, &file, budget)
}

/// Reads a series that is to be used: its errors end the command.
pub fn open(name: &str, text: &str, budget: &Budget<'_>) -> Result<Series, Failure> {
    read(name, text, budget).map(|(series, _)| series).map_err(|error| unread(name, text, error))
}

/// What is wrong with the file of a series. The errors of its books end the command.
pub fn problems(name: &str, text: &str, budget: &Budget<'_>) -> Result<Vec<Problem>, Failure> {
    match read(name, text, budget) {
        Ok((_, warnings)) => Ok(warnings),
        Err(ReadSeriesError::Series(Problems(problems))) => Ok(problems),
        Err(error) => Err(unread(name, text, error)),
    }
}

fn unread(name: &str, text: &str, error: ReadSeriesError) -> Failure {
    match error {
        ReadSeriesError::Series(problems) => book_file::failure(name, text, &problems),
        ReadSeriesError::Book { name, text, problems } => book_file::failure(&name, &text, &problems),
        ReadSeriesError::Stopped(stopped) => stopped.into(),
    }
}

/// Solves a series and prints the answer. `question` is asked about its first book; what is finished is kept in `state`.
pub fn tell(
    series: &Series,
    question: &Question,
    (state, plays): (Option<&Path>, Option<(u64, u64)>),
    (format, threads): (Format, usize),
    options: &ExploreOptions<'_>,
) -> Result<(), Failure> {
    let began = Instant::now();
    let first = &series.books[0].book;
    goes_all_the_way(first, question)?;
    if series.books.len() > 1 {
        leaves_with_nothing(question)?;
    }
    let told = describe(first, question);
    let (times, seed) = plays.unwrap_or_default();
    let question = SeriesQuestion { plays: times, seed, ..series.asked(question) };
    let folder = state.map(StateFolder::at).transpose()?;
    let memory = InMemory::default();
    let shelf: &dyn Shelf = folder.as_ref().map_or(&memory, |folder| folder);
    let solved = series.solve(&question, shelf, options).map_err(|error| {
        let stopped = matches!(error, SolveBookError::Stopped(_) | SolveBookError::StoppedWithBounds { .. });
        let failure = unsolved_draft(draft::of_series(series), &error);
        match state {
            Some(state) if stopped && folder.as_ref().is_some_and(|own| own.is_whole().is_ok()) => {
                failure.keeping(state)
            }
            _ => failure,
        }
    })?;
    folder.as_ref().map_or(Ok(()), StateFolder::is_whole)?;
    let seconds = began.elapsed().as_secs_f64();
    let plays = plays.map(|(plays, seed)| PlaysJson { plays, won: solved.plays_won, seed });
    match format {
        Format::Text => output::print(&text(series, &told, &solved, plays.as_ref(), seconds)),
        Format::Json => {
            let draft = series.books.iter().map(|own| own.book.draft).sum();
            draft::print_json(draft, &json(series, &solved, plays, (seconds, threads)))
        }
    }
}

fn json(
    series: &Series,
    solved: &SolvedSeries,
    plays: Option<PlaysJson>,
    (seconds, threads): (f64, usize),
) -> AnswerJson {
    AnswerJson {
        format: 1,
        series: series.title.clone(),
        win: Number::from(&solved.win),
        books: series
            .books
            .iter()
            .zip(&solved.books)
            .zip(&solved.states)
            .map(|((book, own), states)| BookJson {
                book: book.name.clone(),
                title: book.book.title.clone(),
                reached: own.reached,
                win: own.win,
                states: *states,
                draft: book.book.draft.fields(),
            })
            .collect(),
        first: solved
            .first
            .iter()
            .map(|own| LearnedJson {
                disciplines: said_disciplines(&own.disciplines, own.weaponskill.as_deref()),
                win: Number::from(&own.win),
            })
            .collect(),
        plays,
        seconds,
        threads,
        peak_memory_bytes: memory::peak(),
    }
}

/// The hero of the first book chooses so many disciplines before he sets out: `5`, or `5,weaponskill=sword`.
pub fn learn(series: &mut Series, said: &str) -> Result<(), Failure> {
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

/// Refuses a question about a part of what is gone, or solved part by part, from its beginning to its end.
pub fn goes_all_the_way(book: &Book, question: &Question) -> Result<(), Failure> {
    if question.start == book.start && question.goals == book.goals {
        return Ok(());
    }
    Err(Failure::bad_input(
        format_args!(
            "a series is played and solved from its beginning to its end, and so is what is solved part by part"
        ),
        "leave --start and --goal out, or --state and --plays of a single book",
    ))
}

/// Refuses a question about what is carried out of the first of several books.
pub fn leaves_with_nothing(question: &Question) -> Result<(), Failure> {
    if question.situation.leaving.is_empty() {
        return Ok(());
    }
    Err(Failure::bad_input(
        format_args!("--leave-with is asked of one book"),
        "leave it out: in a series what is carried is worth what later books make of it",
    ))
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
    seconds: f64,
    threads: usize,
    peak_memory_bytes: Option<u64>,
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
