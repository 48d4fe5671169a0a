//! `bestplay gamebook report`.

mod html;
mod json;
mod text;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use gamebook::{Book, Question, Report, Variant, Worth};
use mdp::ExploreOptions;

use crate::arguments::engine_args::{EngineArgs, Run};
use crate::gamebook::answer::draft;
use crate::gamebook::answer::places::Lines;
use crate::gamebook::answer::too_large::unsolved_book;
use crate::gamebook::answer::unsolved::unsolved_draft;
use crate::gamebook::ink;
use crate::gamebook::input::book_file::{self, BookText};
use crate::gamebook::input::hero_args::QuestionArgs;
use crate::output::{self, Failure, Format};
use crate::shown::Escapes;

pub(super) use text::odds;

/// Arguments of `report`.
#[derive(Args)]
pub struct ReportArgs {
    /// A built-in book (fire-on-the-water), a file, or a story (story.ink)
    book: String,
    #[command(flatten)]
    question: QuestionArgs,
    /// A file to write in place of standard output: .html for a page to read and print, .json or .txt for the output of --format
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Leave out what items, disciplines and points are worth: each of them takes a solve of its own
    #[arg(long)]
    no_worth: bool,
    /// What is written to standard output
    #[arg(long, value_enum, default_value_t, conflicts_with = "output")]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
Best play and three readers: how often they win, how long they play, where they die. Choices that are never right,
sections from which the book cannot be won, loops with endless gains, and the worth of each item, discipline and point.

Examples:
  bestplay gamebook report my-book.kdl
  bestplay gamebook report my-book.kdl -o report.html
  bestplay gamebook report fire-on-the-water --no-worth
  bestplay gamebook report my-book.kdl --hero skill=9 --format json | jq '.never_right[] | \"\\(.line): \\(.label)\"'";

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Text,
    Json,
    Html,
}

/// A report with the context for printing it.
struct ReportView<'a> {
    book: &'a Book,
    question: &'a Question,
    lines: Lines,
    report: Report,
    /// `None` if not wanted.
    worths: Option<Vec<Worth>>,
    seconds: f64,
}

/// Reports on a book.
pub fn run(args: &ReportArgs) -> Result<(), Failure> {
    if book_file::is_ink(&args.book) {
        let asked = args.asked_of_story()?;
        return args.engine.run(|run| ink::report(&asked, run));
    }
    args.engine.run(|run| report(args, run))
}

impl ReportArgs {
    /// The request for a story in ink.
    fn asked_of_story(&self) -> Result<ink::Asked<'_>, Failure> {
        if self.output.is_some() || self.no_worth {
            return Err(Failure::bad_input(
                "a report on a story in ink is written to standard output, and nothing in it has a worth of its own",
                "leave --output and --no-worth out",
            ));
        }
        let Self { book: file, format, .. } = self;
        Ok(ink::Asked { file, goal: self.question.story_goal()?, exact: self.engine.exact, format: *format })
    }
}

fn report(args: &ReportArgs, run: Run<'_>) -> Result<(), Failure> {
    let written = written(args)?;
    let began = Instant::now();
    let text = BookText::load(&args.book)?;
    let book = text.book(run.budget)?;
    let question = args.question.question(&book, args.engine.exact)?;
    let report = Report::new(&book, &question, run.options);
    let report = report.map_err(|error| unsolved_book(&book, &question, &error, run.budget))?;
    let worths = if args.no_worth { None } else { Some(worths(&book, &question, run.options)?) };
    let lines = Lines::new(&text);
    let seconds = began.elapsed().as_secs_f64();
    let view = ReportView { book: &book, question: &question, lines, report, worths, seconds };
    let out = match written {
        Written::Text => draft::marked(book.draft, &view.text()),
        Written::Json => view.json_text()?,
        Written::Html => view.html(),
    };
    match output::in_place(args.output.as_deref()) {
        Some(file) => output::write_file(file, |to| to.write_all(out.as_bytes())),
        None if matches!(written, Written::Json) => {
            output::print_with(Escapes::Json, |to| to.write_all(out.as_bytes()))
        }
        None => output::print(&out),
    }
}

fn written(args: &ReportArgs) -> Result<Written, Failure> {
    let Some(file) = output::in_place(args.output.as_deref()) else {
        return Ok(if args.format == Format::Json { Written::Json } else { Written::Text });
    };
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html" | "htm") => Ok(Written::Html),
        Some("json") => Ok(Written::Json),
        Some("txt") => Ok(Written::Text),
        _ => Err(Failure::bad_input(
            format_args!("{} is neither .html nor .json nor .txt", file.display()),
            "name a file such as report.html",
        )),
    }
}

/// The worth of each item, discipline and point, the largest first.
fn worths(book: &Book, question: &Question, options: &ExploreOptions<'_>) -> Result<Vec<Worth>, Failure> {
    let plain = Question { exact: false, ..question.clone() };
    let worth =
        |variant: &Variant| variant.worth(book, options).map_err(|error| unsolved_draft(book.draft.warning(), &error));
    Variant::all(book, &plain).iter().map(worth).collect()
}

impl ReportView<'_> {
    /// The difference that a change makes to the odds.
    fn difference(&self, worth: &Worth) -> f64 {
        worth.win.decimal() - self.report.best.win.decimal()
    }

    /// All players with their names.
    fn players(&self) -> Vec<(String, &gamebook::Player)> {
        let readers = self.report.readers.iter().map(|(reader, own)| (reader.to_string(), own));
        std::iter::once(("best play".to_string(), &self.report.best)).chain(readers).collect()
    }

    /// The worths, the largest difference first.
    fn worths_by_size(&self) -> Vec<(&Worth, f64)> {
        let mut worths: Vec<(&Worth, f64)> =
            self.worths.iter().flatten().map(|own| (own, self.difference(own))).collect();
        worths.sort_by(|left, right| right.1.abs().total_cmp(&left.1.abs()));
        worths
    }

    /// The line of a declaration.
    fn line_of(&self, worth: &Worth) -> Option<usize> {
        let item = self.book.item(&worth.what)?;
        Some(self.lines.line(&self.book.items[item].span))
    }
}
