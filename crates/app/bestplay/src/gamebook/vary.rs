//! `bestplay gamebook vary`: the odds over numbers of the book.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use gamebook::{Draft, NumberPlace, ReadError, SolveBookError, Solved, number_named, numbers};
use mdp::{Number, Value};
use serde::Serialize;

use crate::arguments::engine_args::{EngineArgs, Run};
use crate::gamebook::answer::curve::{Curve, drawn};
use crate::gamebook::answer::draft;
use crate::gamebook::answer::places::Lines;
use crate::gamebook::answer::unsolved::unsolved_draft;
use crate::gamebook::input::book_file::BookText;
use crate::gamebook::input::hero_args::QuestionArgs;
use crate::numbers::percent_of;
use crate::output::{self, Failure, Format};
use crate::values::listed;

/// The most books in one run.
const MOST: u16 = 2_000;

/// Arguments of `vary`.
#[derive(Args)]
pub struct VaryArgs {
    /// A built-in book (fire-on-the-water) or a file
    book: String,
    /// A number of the book and its values: 30.fight.skill=15..22, hero.gold=0,10,20, 30.fight.endurance=10..40/5. Several
    /// numbers: all combinations. `sensitivity` lists the numbers of a book
    #[arg(value_name = "NUMBER=VALUES", required = true)]
    numbers: Vec<String>,
    /// Draw the odds over the first number, with a line for each combination of the others
    #[arg(long, value_name = "FILE.svg")]
    curve: Option<PathBuf>,
    #[command(flatten)]
    question: QuestionArgs,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay gamebook vary flight-from-the-dark hero.gold=0,10,20
  bestplay gamebook vary my-book.kdl 30.fight.skill=15..22 hero.gold=0,10,20 --curve odds.svg
  bestplay gamebook vary my-book.kdl 30.fight.endurance=10..40/5 --combat-skill 12 --exact";

/// A number of the book and its values.
struct Varied {
    place: NumberPlace,
    values: Vec<i64>,
}

/// The result of a combination of values.
struct Row {
    values: Vec<i64>,
    /// The odds, or the error of such a book.
    win: Result<Value, String>,
}

/// Solves a book for all combinations of values and prints the odds.
pub fn run(args: &VaryArgs) -> Result<(), Failure> {
    args.engine.run(|run| vary(args, &BookText::load(&args.book)?, run))
}

fn vary(args: &VaryArgs, written: &BookText, run: Run<'_>) -> Result<(), Failure> {
    let book = written.book(run.budget)?;
    let all = numbers(&written.text, run.budget)?;
    let varied = all_varied(&args.numbers, &all)?;
    let row = |values: Vec<i64>| {
        let win = win(args, &edited(written, &varied, &values), run)?;
        Ok(Row { values, win })
    };
    let rows = combined(&varied).into_iter().map(row).collect::<Result<Vec<Row>, Failure>>()?;
    if let Some(file) = &args.curve {
        let picture = picture(&varied, &rows, book.draft);
        output::write_file(file, |out| out.write_all(picture.as_bytes()))?;
    }
    let lines = Lines::new(written);
    match args.format {
        Format::Text => draft::print(book.draft, &text(&book.title, &varied, &rows, &lines, args.engine.exact)),
        Format::Json => draft::print_json(book.draft, &json(&book.title, &varied, &rows, &lines)),
    }
}

/// The numbers that the arguments vary, unless there are too many combinations.
fn all_varied(arguments: &[String], all: &[NumberPlace]) -> Result<Vec<Varied>, Failure> {
    let varied = arguments.iter().map(|own| varied(own, all)).collect::<Result<Vec<_>, _>>()?;
    let places: BTreeSet<usize> = varied.iter().map(|own| own.place.span.start).collect();
    if places.len() < varied.len() {
        return Err(Failure::bad_input("the same number is varied twice", "give all its values at once: 0,10,20"));
    }
    let combinations = varied.iter().try_fold(1usize, |all, own| all.checked_mul(own.values.len()));
    if combinations.is_none_or(|all| all > MOST.into()) {
        return Err(Failure::bad_input(
            format_args!("these are more than {MOST} books to solve"),
            "vary fewer numbers, or in larger steps: 0..50/10",
        ));
    }
    Ok(varied)
}

/// The odds of an edited book, or its error.
fn win(args: &VaryArgs, edited: &BookText, run: Run<'_>) -> Result<Result<Value, String>, Failure> {
    let book = match edited.read(run.budget) {
        Ok((book, _)) => book,
        Err(ReadError::Stopped(stopped)) => return Err(stopped.into()),
        Err(ReadError::Problems(problems)) => {
            let first = problems
                .0
                .first()
                .map(|problem| format!("line {}: {}", problem.position(&edited.text).0, problem.message));
            return Ok(Err(first.unwrap_or_else(|| "this is no book".to_string())));
        }
    };
    let question = match args.question.question(&book, args.engine.exact) {
        Ok(question) => question,
        // The hero is impossible.
        Err(Failure::BadInput(report)) => return Ok(Err(report.to_string())),
        Err(failure) => return Err(failure),
    };
    match Solved::new(&book, &question, run.options) {
        Ok(solved) => Ok(Ok(solved.win())),
        Err(error @ (SolveBookError::Hero(_) | SolveBookError::Compile(_))) => Ok(Err(error.to_string())),
        Err(error) => Err(unsolved_draft(book.draft.warning(), &error)),
    }
}

/// The number and the values of an argument.
fn varied(argument: &str, all: &[NumberPlace]) -> Result<Varied, Failure> {
    const HELP: &str = "write NUMBER=VALUES: 30.fight.skill=15..22, hero.gold=0,10,20, 30.fight.endurance=10..40/5";
    let (name, list) =
        argument.rsplit_once('=').ok_or_else(|| Failure::bad_input(format_args!("`{argument}` has no `=`"), HELP))?;
    let place = number_named(all, name.trim()).map_err(|error| {
        Failure::bad_input(format_args!("`{name}`: {error}"), "`bestplay gamebook sensitivity BOOK` lists the numbers")
    })?;
    let values = listed(list, MOST.into())
        .map_err(|wrong| Failure::bad_input(format_args!("`{}` is no value", wrong.part), HELP))?;
    Ok(Varied { place: place.clone(), values })
}

/// All combinations of the values, the last number varying fastest.
fn combined(varied: &[Varied]) -> Vec<Vec<i64>> {
    varied.iter().fold(vec![Vec::new()], |all, own| {
        let with = |values: &Vec<i64>| -> Vec<Vec<i64>> {
            own.values.iter().map(|value| [&values[..], &[*value]].concat()).collect()
        };
        all.iter().flat_map(with).collect()
    })
}

/// The book with these values.
fn edited(written: &BookText, varied: &[Varied], values: &[i64]) -> BookText {
    let mut edits: Vec<(&NumberPlace, i64)> = varied.iter().map(|own| &own.place).zip(values.iter().copied()).collect();
    // From the end, so that earlier positions stay valid.
    edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.span.start));
    let text = edits.iter().fold(written.text.clone(), |text, (place, value)| place.replaced(&text, *value));
    BookText { name: written.name.clone(), text }
}

fn odds(row: &Row) -> String {
    match &row.win {
        Ok(win) => percent_of(win),
        Err(problem) => problem.clone(),
    }
}

fn text(title: &str, varied: &[Varied], rows: &[Row], lines: &Lines, exact: bool) -> String {
    let mut out = format!("{title}\n");
    for own in varied {
        let line = lines.line(&own.place.span);
        let _ = writeln!(out, "  {} (line {line} of {}), now {}", own.place.name, lines.name(), own.place.value);
    }
    out.push('\n');
    if let ([down, across], false) = (varied, exact) {
        let _ = write!(out, "{:>12}", "");
        for value in &across.values {
            let _ = write!(out, " {value:>11}");
        }
        let _ = writeln!(out, "   {}", across.place.name);
        for (value, row) in down.values.iter().zip(rows.chunks(across.values.len())) {
            let _ = write!(out, "{value:>12}");
            for own in row {
                let _ = write!(out, " {:>11}", if own.win.is_ok() { odds(own) } else { "no book".into() });
            }
            out.push('\n');
        }
        let _ = writeln!(out, "{}", down.place.name);
        return out;
    }
    for row in rows {
        for value in &row.values {
            let _ = write!(out, "{value:>12}");
        }
        let exact = row.win.as_ref().ok().and_then(|win| win.exact.as_ref()).filter(|_| exact);
        let exact = exact.map_or_else(String::new, |exact| format!("  {}", mdp::fraction_text(exact)));
        let _ = writeln!(out, "  {:>11}{exact}", odds(row));
    }
    out
}

fn picture(varied: &[Varied], rows: &[Row], draft: Draft) -> String {
    let Some((first, others)) = varied.split_first() else { return String::new() };
    let names: Vec<String> = first.values.iter().map(ToString::to_string).collect();
    let each = rows.len() / first.values.len().max(1);
    let curves = (0..each).map(|place| {
        let own: Vec<&Row> = rows.iter().skip(place).step_by(each.max(1)).collect();
        let named = others.iter().zip(own.first().map_or(&[][..], |row| &row.values[1..]));
        let name: Vec<String> = named.map(|(other, value)| format!("{} {value}", other.place.name)).collect();
        let name = if name.is_empty() { "best play".into() } else { name.join(", ") };
        Curve { name, points: own.iter().map(|row| row.win.as_ref().ok().map(Value::decimal)).collect() }
    });
    drawn(&first.place.name, &names, &curves.collect::<Vec<_>>(), draft.warning().as_deref())
}

#[derive(Serialize)]
struct VaryJson {
    format: u32,
    book: String,
    vary: Vec<VariedJson>,
    results: Vec<RowJson>,
}

#[derive(Serialize)]
struct VariedJson {
    number: String,
    line: usize,
    now: i64,
    values: Vec<i64>,
}

#[derive(Serialize)]
struct RowJson {
    values: Vec<i64>,
    win: Option<Number>,
    problem: Option<String>,
}

fn json(title: &str, varied: &[Varied], rows: &[Row], lines: &Lines) -> VaryJson {
    let number = |own: &Varied| VariedJson {
        number: own.place.name.clone(),
        line: lines.line(&own.place.span),
        now: own.place.value,
        values: own.values.clone(),
    };
    let row = |own: &Row| RowJson {
        values: own.values.clone(),
        win: own.win.as_ref().ok().map(Number::from),
        problem: own.win.as_ref().err().cloned(),
    };
    VaryJson {
        format: 1,
        book: title.into(),
        vary: varied.iter().map(number).collect(),
        results: rows.iter().map(row).collect(),
    }
}
