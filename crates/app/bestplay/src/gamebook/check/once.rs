//! Checks a book once.

use std::io::{self, Write};

use anstream::AutoStream;
use budget::Budget;
use gamebook::{Book, Problem, Problems, ReadError, Severity, check, check_hero, quiet};
use serde::Serialize;

use super::args::CheckArgs;
use super::problem_json::ProblemJson;
use crate::diagnostic::Source;
use crate::gamebook::ink;
use crate::gamebook::input::book_file::{self, BookText};
use crate::gamebook::input::series_file;
use crate::output::{Failure, Format, print_json, print_with};
use crate::shown::Escapes;

/// Checks a book and prints its problems.
pub fn check_once(args: &CheckArgs, budget: &Budget<'_>) -> Result<(), Failure> {
    let written = BookText::load(&args.book)?;
    if book_file::is_ink(&written.name) && args.asks_for_hero() {
        return Err(Failure::bad_input("a story in ink has no hero", "leave all of the hero out"));
    }
    if written.is_series() && args.asks_for_hero() {
        return Err(Failure::bad_input("a series has no hero of its own", "name one of its books"));
    }
    let more = |book: &Book, known: &[Problem]| of_hero(args, book, known, budget);
    let (mut problems, silenced) = problems(&written, &more, budget)?;
    problems.sort_by_key(|problem| (problem.severity, problem.span.start));
    let found = Found::new(&problems, silenced);
    problems.truncate(args.max_problems as usize);
    let left_out = found.errors + found.warnings + found.notes - problems.len();
    let source = Source::new(written.name, written.text);
    match args.format {
        Format::Text => print_with(Escapes::Coloured, |out| write_problems(out, &source, &problems, &found, left_out))?,
        Format::Json => print_json(&Answer {
            format: 1,
            file: &source.name,
            found: &found,
            left_out,
            problems: problems.iter().map(|problem| ProblemJson::new(&source, problem)).collect(),
        })?,
    }
    match (found.errors, found.warnings) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::Reported(1)),
        _ => Err(Failure::Reported(2)),
    }
}

/// Further checks of a valid book, given the problems found so far.
type More<'m> = dyn Fn(&Book, &[Problem]) -> Result<Vec<Problem>, Failure> + 'm;

/// The problems of a text, and the number that its author has suppressed. `more` are further checks of a valid book.
pub fn problems(written: &BookText, more: &More<'_>, budget: &Budget<'_>) -> Result<(Vec<Problem>, usize), Failure> {
    let problems = if book_file::is_ink(&written.name) {
        ink::problems(&written.name, &written.text, budget)?
    } else if written.is_series() {
        series_file::problems(written, budget)?
    } else {
        match written.read(budget) {
            Ok((book, warnings)) => {
                let found = check(&book, budget)?;
                let mut problems: Vec<Problem> = warnings.into_iter().chain(found).collect();
                problems.extend(more(&book, &problems)?);
                problems
            }
            Err(ReadError::Problems(Problems(problems))) => problems,
            Err(ReadError::Stopped(stopped)) => return Err(stopped.into()),
        }
    };
    Ok(quiet(&written.text, problems))
}

/// The problems for one hero, without those at places that have one for all heroes.
fn of_hero(args: &CheckArgs, book: &Book, known: &[Problem], budget: &Budget<'_>) -> Result<Vec<Problem>, Failure> {
    if !args.asks_for_hero() {
        return Ok(Vec::new());
    }
    let mut problems = check_hero(book, &args.hero.question(book)?, budget)?;
    problems.retain(|own| known.iter().all(|other| other.span != own.span));
    Ok(problems)
}

/// The number of problems of each kind.
#[derive(Serialize)]
struct Found {
    errors: usize,
    warnings: usize,
    notes: usize,
    silenced: usize,
}

impl Found {
    fn new(problems: &[Problem], silenced: usize) -> Self {
        let count = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            silenced,
        }
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    format: u32,
    file: &'a str,
    #[serde(flatten)]
    found: &'a Found,
    left_out: usize,
    problems: Vec<ProblemJson<'a>>,
}

/// Writes the problems and their numbers.
fn write_problems(
    out: &mut dyn Write,
    source: &Source,
    problems: &[Problem],
    found: &Found,
    left_out: usize,
) -> io::Result<()> {
    let colours = AutoStream::choice(&io::stdout());
    for problem in problems {
        writeln!(out, "{}\n", book_file::diagnostic(source, problem).render(colours))?;
    }
    if left_out > 0 {
        writeln!(out, "{left_out} more: --max-problems shows more of them")?;
    }
    let counts: Vec<String> = [(found.errors, "error"), (found.warnings, "warning"), (found.notes, "note")]
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{number} {what}{}", if number == 1 { "" } else { "s" }))
        .collect();
    let counts = if counts.is_empty() { "no problems".into() } else { counts.join(", ") };
    let silenced = if found.silenced > 0 { format!(" ({} silenced)", found.silenced) } else { String::new() };
    writeln!(out, "{}: {counts}{silenced}", source.shown_name())
}
