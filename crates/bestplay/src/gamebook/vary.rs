//! `bestplay gamebook solve --vary`: the odds over numbers of the book.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use budget::Budget;
use clap::Args;
use gamebook::{Draft, NumberPlace, ReadError, SolveBookError, Solved, number_named, numbers};
use mdp::{ExploreOptions, Number, Value};
use serde::Serialize;

use super::book_file;
use super::curve::{Curve, drawn};
use super::draft;
use super::hero_args::QuestionArgs;
use super::places::Lines;
use super::unsolved::unsolved_draft;
use crate::numbers::percent_of;
use crate::output::{self, Failure, Format};
use crate::values::listed;

/// More books than this are not solved.
const MOST: usize = 2_000;

/// Arguments about numbers of the book that are varied.
#[derive(Args)]
pub struct VaryArgs {
    /// Solve the book for several values of a number in it: "30.fight.skill=15..22", "hero.gold=0,10,20",
    /// "30.fight.endurance=10..40/5". More than once for all combinations. `sensitivity` lists the numbers of a book
    #[arg(long, value_name = "NUMBER=VALUES", conflicts_with_all = ["explain_size", "reader", "rolled", "export_model", "export_policy"])]
    vary: Vec<String>,
    /// Draw the odds over the first number, with a line for each combination of the others
    #[arg(long, value_name = "FILE.svg", requires = "vary")]
    curve: Option<PathBuf>,
}

/// A number of the book, and what it is in turn.
struct Varied {
    place: NumberPlace,
    values: Vec<i64>,
}

/// What came of a combination of values.
struct Row {
    values: Vec<i64>,
    /// The odds, or what is wrong with such a book.
    win: Result<Value, String>,
}

impl VaryArgs {
    /// Whether anything is varied.
    pub fn is_given(&self) -> bool {
        !self.vary.is_empty()
    }

    /// Solves the book for all combinations and tells the odds.
    pub fn tell(
        &self,
        (name, text): (&str, &str),
        question: &QuestionArgs,
        (exact, format): (bool, Format),
        options: &ExploreOptions<'_>,
        budget: &Budget<'_>,
    ) -> Result<(), Failure> {
        let book = book_file::read_or_fail(name, text, budget)?;
        let all = numbers(text, budget)?;
        let varied = self.vary.iter().map(|own| varied(own, &all)).collect::<Result<Vec<_>, _>>()?;
        let places: BTreeSet<usize> = varied.iter().map(|own| own.place.span.start).collect();
        if places.len() < varied.len() {
            return Err(Failure::bad_input("the same number is varied twice", "give all its values at once: 0,10,20"));
        }
        let combinations = varied.iter().try_fold(1usize, |all, own| all.checked_mul(own.values.len()));
        if combinations.is_none_or(|all| all > MOST) {
            return Err(Failure::bad_input(
                format_args!("these are more than {MOST} books to solve"),
                "vary fewer numbers, or in larger steps: 0..50/10",
            ));
        }
        let mut rows = Vec::new();
        for values in combined(&varied) {
            let edited = edited(text, &varied, &values);
            let win = match book_file::read(name, &edited, budget) {
                Ok((book, _)) => match question.question(&book, exact) {
                    Ok(question) => match Solved::new(&book, &question, options) {
                        Ok(solved) => Ok(solved.win()),
                        Err(error @ (SolveBookError::Hero(_) | SolveBookError::Compile(_))) => Err(error.to_string()),
                        Err(error) => return Err(unsolved_draft(book.draft.said(), &error)),
                    },
                    // Such a hero cannot be.
                    Err(Failure::BadInput(report)) => Err(report.to_string()),
                    Err(failure) => return Err(failure),
                },
                Err(ReadError::Stopped(stopped)) => return Err(stopped.into()),
                Err(ReadError::Problems(problems)) => Err(problems.0.first().map_or_else(
                    || "this is no book".to_string(),
                    |problem| format!("line {}: {}", problem.position(&edited).0, problem.message),
                )),
            };
            rows.push(Row { values, win });
        }
        if let Some(file) = &self.curve {
            let picture = picture(&varied, &rows, book.draft);
            output::write_file(file, |out| out.write_all(picture.as_bytes()))?;
        }
        let lines = Lines::new(name, text);
        match format {
            Format::Text => draft::print(book.draft, &told(&book.title, &varied, &rows, &lines, exact)),
            Format::Json => draft::print_json(book.draft, &json(&book.title, &varied, &rows, &lines)),
        }
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
    let values = listed(list, i64::try_from(MOST).unwrap_or(i64::MAX))
        .map_err(|wrong| Failure::bad_input(format_args!("`{}` is no value", wrong.part), HELP))?;
    Ok(Varied { place: place.clone(), values })
}

/// All combinations of the values, the last number changing fastest.
fn combined(varied: &[Varied]) -> Vec<Vec<i64>> {
    varied.iter().fold(vec![Vec::new()], |all, own| {
        let with = |values: &Vec<i64>| -> Vec<Vec<i64>> {
            own.values.iter().map(|value| [&values[..], &[*value]].concat()).collect()
        };
        all.iter().flat_map(with).collect()
    })
}

/// The text with these values.
fn edited(text: &str, varied: &[Varied], values: &[i64]) -> String {
    let mut edits: Vec<(&NumberPlace, i64)> = varied.iter().map(|own| &own.place).zip(values.iter().copied()).collect();
    // From the end, so that places before stay where they are.
    edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.span.start));
    edits.iter().fold(text.to_string(), |text, (place, value)| place.replaced(&text, *value))
}

fn odds(row: &Row) -> String {
    match &row.win {
        Ok(win) => percent_of(win),
        Err(problem) => problem.clone(),
    }
}

fn told(title: &str, varied: &[Varied], rows: &[Row], lines: &Lines, exact: bool) -> String {
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
        let said = others.iter().zip(own.first().map_or(&[][..], |row| &row.values[1..]));
        let name: Vec<String> = said.map(|(other, value)| format!("{} {value}", other.place.name)).collect();
        let name = if name.is_empty() { "best play".into() } else { name.join(", ") };
        Curve { name, points: own.iter().map(|row| row.win.as_ref().ok().map(Value::decimal)).collect() }
    });
    drawn(&first.place.name, &names, &curves.collect::<Vec<_>>(), draft.said().as_deref())
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
