//! `bestplay gamebook check`.

use std::io::Write;

use budget::Budget;
use clap::Args;
use gamebook::{Book, Lines, Problem, Problems, ReadError, Severity, check, check_hero, is_series, quiet};
use miette::{
    LabeledSpan, MietteDiagnostic, MietteError, MietteSpanContents, Report, Severity as MietteSeverity, SourceCode,
    SourceSpan, SpanContents,
};
use serde::Serialize;

mod watch;

use super::hero_args::HeroArgs;
use super::{book_file, series};
use crate::engine_args::LimitArgs;
use crate::output::{Failure, Format, print_json, print_with};
use crate::shown::{self, Escapes};

/// Arguments of `check`.
#[derive(Args)]
pub struct CheckArgs {
    /// A built-in book (fire-on-the-water), a file, or - for standard input
    book: String,
    /// The most problems that are shown; all are counted
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    max_problems: u32,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Check again on each save, and tell the odds of best play and of a reader who answers at random, until Ctrl-C
    #[arg(long, conflicts_with = "format")]
    watch: bool,
    /// Look also at what the book's own hero cannot do; the options below say of another
    #[arg(long, help_heading = "Hero")]
    own_hero: bool,
    #[command(flatten)]
    hero: HeroArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

impl CheckArgs {
    /// Whether a hero is to be looked at, too.
    fn asks_for_hero(&self) -> bool {
        self.own_hero || self.hero.is_given()
    }
}

pub const EXAMPLES: &str = "\
Errors (×) keep a book from being played: syntax, names, numbers, sections without an end, picks with gaps or
overlaps. Warnings (⚠) are what an author wants to know of a book that can be played: sections that are never
reached or from which no play ends or nothing can be won, choices and branches that are never possible, questions for
which a hero may have no answer, keys behind their own gates, losses that can heal, goods that nobody can pay, names that
nothing uses, rules of policies that no answer has to do with. Notes (☞) may well be meant, in a book of a series: items that are given
and never asked for, or asked for and never given. What is called impossible is so for every hero, whatever
disciplines, gold and declared items he sets out with. The whole book is looked at only when it has no errors.

A comment `// quiet: why` on a line, or alone on the line before it, silences its warnings and notes. `stub 71 72` at the
head of a draft stands for sections that are not written yet.

JSON: {\"format\": 1, \"file\", \"errors\", \"warnings\", \"notes\" (how many were found), \"silenced\", \"left_out\" (how many of them
are beyond --max-problems), \"problems\": [{\"severity\": \"error\", \"warning\" or \"note\", \"message\", \"help\" (or null),
\"line\", \"column\", \"end_line\", \"end_column\" (from 1; columns in characters; the end is the first character that
is not marked), \"text\" (what is marked)}]}: errors, warnings, notes, each in the order of the file.

--watch looks at the file, and at those beside it, ten times a second; odds that take more than a second are left out.

Exit code 0: no errors and no warnings; 1: warnings, no errors; 2: errors, or a file that cannot be read.

Examples:
  bestplay gamebook check fire-on-the-water
  bestplay gamebook check my-book.kdl --max-problems 5
  bestplay gamebook check my-book.kdl --own-hero
  bestplay gamebook check fire-on-the-water --gold 3 --disciplines hunting,healing
  bestplay gamebook check my-book.kdl --watch
  bestplay gamebook check my-book.kdl --format json | jq -r '.problems[] | \"\\(.line): \\(.message)\"'";

/// Checks a book and prints what is wrong with it.
pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    if args.watch { watch::run(args) } else { args.limits.run(|_, budget| found(args, budget)) }
}

fn found(args: &CheckArgs, budget: &Budget<'_>) -> Result<(), Failure> {
    let (name, text) = book_file::load(&args.book)?;
    if is_series(&text) && args.asks_for_hero() {
        return Err(Failure::bad_input("a series has no hero of its own", "name one of its books"));
    }
    let more = |book: &Book, known: &[Problem]| of_hero(args, book, known, budget);
    let (mut problems, silenced) = problems(&name, &text, &more, budget)?;
    problems.sort_by_key(|problem| (problem.severity, problem.span.start));
    let found = Found::new(&problems, silenced);
    problems.truncate(args.max_problems as usize);
    let left_out = found.errors + found.warnings + found.notes - problems.len();
    let source = Source::new(name, text);
    match args.format {
        Format::Text => print_with(Escapes::Coloured, |out| tell(out, &source, &problems, &found, left_out))?,
        Format::Json => print_json(&Answer {
            format: 1,
            file: &source.name,
            found: &found,
            left_out,
            problems: problems.iter().map(|problem| source.json(problem)).collect(),
        })?,
    }
    match (found.errors, found.warnings) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::Told(1)),
        _ => Err(Failure::Told(2)),
    }
}

/// What else is to be told of a book, of which these problems are known.
type More<'m> = dyn Fn(&Book, &[Problem]) -> Result<Vec<Problem>, Failure> + 'm;

/// What is wrong with a text, and how much of that its author has silenced. `more`: what else is to be told of a book that can
/// be played.
pub fn problems(
    name: &str,
    text: &str,
    more: &More<'_>,
    budget: &Budget<'_>,
) -> Result<(Vec<Problem>, usize), Failure> {
    let problems = if is_series(text) {
        series::problems(name, text, budget)?
    } else {
        match book_file::read(name, text, budget) {
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
    Ok(quiet(text, problems))
}

/// What is to be told of one hero: what is told of all heroes at the same place is enough.
fn of_hero(args: &CheckArgs, book: &Book, known: &[Problem], budget: &Budget<'_>) -> Result<Vec<Problem>, Failure> {
    if !args.asks_for_hero() {
        return Ok(Vec::new());
    }
    let mut told = check_hero(book, &args.hero.question(book)?, budget)?;
    told.retain(|own| known.iter().all(|other| other.span != own.span));
    Ok(told)
}

/// How many problems there are of each kind.
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

#[derive(Serialize)]
struct ProblemJson<'a> {
    severity: &'static str,
    message: &'a str,
    help: Option<&'a str>,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    text: &'a str,
}

/// The problems one by one, and how many there are.
fn tell(
    out: &mut dyn Write,
    source: &Source,
    problems: &[Problem],
    found: &Found,
    left_out: usize,
) -> std::io::Result<()> {
    for problem in problems {
        writeln!(out, "{:?}", source.report(problem))?;
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
    writeln!(out, "{}: {counts}{silenced}", source.shown_name)
}

/// The text of a book, with its lines, so that a thousand problems are placed quickly.
struct Source {
    name: String,
    /// The name without what would disturb a terminal; it may be longer.
    shown_name: String,
    text: String,
    /// The text without what would disturb a terminal; as long as the text.
    shown: String,
    lines: Lines,
}

/// A longer line is not shown: its place is told in numbers.
const LONGEST_LINE: usize = 240;
/// More of a marked text is not quoted in JSON, in bytes.
const LONGEST_QUOTE: usize = 1000;

impl Source {
    fn new(name: String, text: String) -> Self {
        let lines = Lines::new(&text);
        let (shown_name, shown) = (shown::line(&name), shown::in_place(&text));
        Self { name, shown_name, text, shown, lines }
    }

    /// What a problem marks, within the text and between characters.
    fn span(&self, problem: &Problem) -> std::ops::Range<usize> {
        let start = self.text.floor_char_boundary(problem.span.start.min(self.text.len()));
        start..self.text.ceil_char_boundary(problem.span.end.clamp(start, self.text.len()))
    }

    fn json<'a>(&'a self, problem: &'a Problem) -> ProblemJson<'a> {
        let span = self.span(problem);
        let ((line, column), (end_line, end_column)) =
            (self.lines.position(&self.text, span.start), self.lines.position(&self.text, span.end));
        let quoted = self.text.floor_char_boundary(span.end.min(span.start + LONGEST_QUOTE)).max(span.start);
        ProblemJson {
            severity: match problem.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            },
            message: &problem.message,
            help: problem.help.as_deref(),
            line,
            column,
            end_line,
            end_column,
            text: &self.text[span.start..quoted],
        }
    }

    /// A problem as it is shown to people.
    fn report(&self, problem: &Problem) -> Report {
        let span = self.span(problem);
        let line_number = self.lines.line(span.start);
        let line = self.lines.range(&self.text, line_number);
        let severity = match problem.severity {
            Severity::Error => MietteSeverity::Error,
            Severity::Warning => MietteSeverity::Warning,
            Severity::Note => MietteSeverity::Advice,
        };
        let message = shown::line(&problem.message);
        let can_be_shown = line.len() <= LONGEST_LINE;
        let message = if can_be_shown {
            message
        } else {
            let (line, column) = self.lines.position(&self.text, span.start);
            format!("{}:{line}:{column}: {message}", self.shown_name)
        };
        let mut diagnostic = MietteDiagnostic::new(message).with_severity(severity);
        if let Some(help) = &problem.help {
            diagnostic = diagnostic.with_help(shown::line(help));
        }
        if !can_be_shown {
            return Report::new(diagnostic);
        }
        // What goes on for lines is marked in its first.
        let marked = span.start..span.end.min(line.end).max(span.start);
        let diagnostic = diagnostic.with_label(LabeledSpan::new_with_span(None, marked));
        Report::new(diagnostic).with_source_code(Excerpt {
            name: self.shown_name.clone(),
            text: self.shown[line.clone()].to_string(),
            start: line.start,
            line: line_number - 1,
        })
    }
}

/// One line of a book.
#[derive(Debug)]
struct Excerpt {
    name: String,
    text: String,
    /// Where the line begins in the book.
    start: usize,
    /// Its number, from 0.
    line: usize,
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        // Asked for a place with lines around it, the answer is the line; asked for the place alone, it is
        // the place with its column.
        let at = span.offset().checked_sub(self.start).filter(|at| self.text.is_char_boundary(*at));
        let at = at.ok_or(MietteError::OutOfBounds)?;
        let (data, span, column) = if before == 0 && after == 0 {
            (&self.text[at..], *span, self.text[..at].chars().count())
        } else {
            (&self.text[..], SourceSpan::new(self.start.into(), self.text.len()), 0)
        };
        let contents = MietteSpanContents::new_named(self.name.clone(), data.as_bytes(), span, self.line, column, 1);
        Ok(Box::new(contents))
    }
}
