//! `bestplay gamebook advise`.

use std::fmt::Write;

use clap::Args;
use gamebook::{Advice, Book, Question, SectionNumber, Series, Solved};
use mdp::{Number, Value};
use serde::Serialize;

use crate::arguments::engine_args::{EngineArgs, Run};
use crate::gamebook::answer::advice::{ChoiceJson, answer_text, star, win_texts};
use crate::gamebook::answer::draft;
use crate::gamebook::answer::too_large::unsolved_book;
use crate::gamebook::answer::unsolved::{bounds_text, unsolved_draft};
use crate::gamebook::ink;
use crate::gamebook::input::book_file::{self, BookText};
use crate::gamebook::input::hero_args::{HeroArgs, ReadingArgs, unlisted};
use crate::gamebook::input::series_file;
use crate::numbers::percent_of;
use crate::output::{Failure, Format};

/// Arguments of `advise`.
#[derive(Args)]
pub struct AdviseArgs {
    /// A built-in book (fire-on-the-water), a file, a series of books, of which the rest is solved in memory, or a story (story.ink)
    book: String,
    /// Of a series: the book in which the hero is, by its name there [default: the first]
    #[arg(long = "in", value_name = "BOOK")]
    of_series: Option<String>,
    /// The section in which the hero is; in a story the numbers of the choices so far (1,3), or `start`
    #[arg(long, value_name = "SECTION")]
    at: String,
    #[command(flatten)]
    hero: HeroArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    /// The start value of ENDURANCE, by Lone Wolf's own rules 20 to 29 [default: the book's hero's, or --endurance if that is more]
    #[arg(long, value_name = "N", help_heading = "Hero")]
    max_endurance: Option<u8>,
    /// The flags that are set (a password, a debt), by name
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Hero")]
    flags: Vec<String>,
    /// The sections in which the hero wins [default: the book's]
    #[arg(long, value_name = "SECTION", value_delimiter = ',')]
    goal: Vec<String>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay gamebook advise fire-on-the-water --at 200
  bestplay gamebook advise fire-on-the-water --at 337 --endurance 14 --items sword --gold 3
  bestplay gamebook advise fire-on-the-water --at 299 --items magic-spear --lost backpack --format json
  bestplay gamebook advise story.ink --at 1,3
  bestplay gamebook advise my-series.kdl --in the-tower.kdl --at 12 --items rope";

/// Solves the book from a section on and prints what can be done there.
pub fn run(args: &AdviseArgs) -> Result<(), Failure> {
    if book_file::is_ink(&args.book) {
        let asked = args.asked_of_story()?;
        return args.engine.run(|run| ink::advise(&asked, &args.at, run));
    }
    args.engine.run(|run| advise(args, run))
}

impl AdviseArgs {
    /// The request for a story in ink.
    fn asked_of_story(&self) -> Result<ink::Asked<'_>, Failure> {
        let Self { book: file, of_series, at: _, hero, reading, max_endurance, flags, goal, format, engine } = self;
        let of_hero = hero.is_given() || reading.is_given() || max_endurance.is_some() || !flags.is_empty();
        if of_series.is_some() || of_hero || goal.len() > 1 {
            return Err(Failure::bad_input(
                "a story in ink has no hero, no readings, no policies and one goal",
                "use --at 1,3 (the numbers of the choices so far) and --goal, and leave the rest out",
            ));
        }
        Ok(ink::Asked { file, goal: goal.first().map(String::as_str), exact: engine.exact, format: *format })
    }
}

fn advise(args: &AdviseArgs, run: Run<'_>) -> Result<(), Failure> {
    let written = BookText::load(&args.book)?;
    if written.is_series() {
        return advise_in_series(args, &series_file::open(&written, run.budget)?, run);
    }
    if args.of_series.is_some() {
        return Err(Failure::bad_input(
            format_args!("`{}` is one book", written.name),
            "leave --in out, or name a series",
        ));
    }
    let book = written.book(run.budget)?;
    let section = book_file::section(&book, &args.at)?;
    let question = args.hero.overrides().standing(&book, section, args.max_endurance, &args.flags);
    let mut question = question.map_err(unlisted)?;
    args.reading.apply(&book, &mut question.situation)?;
    question.exact = args.engine.exact;
    if !args.goal.is_empty() {
        question.goals = book_file::sections(&book, &args.goal)?;
    }
    let (solved, answers) = Solved::advised(&book, &question, run.options)
        .map_err(|error| unsolved_book(&book, &question, &error, run.budget))?;
    print_advice(args, &book, &question, &solved, &answers)
}

/// Advice in a book of a series: answers have the value of the whole series after them.
fn advise_in_series(args: &AdviseArgs, series: &Series, run: Run<'_>) -> Result<(), Failure> {
    let place = match &args.of_series {
        None => 0,
        Some(name) => series.books.iter().position(|own| own.name == *name).ok_or_else(|| {
            let names: Vec<&str> = series.books.iter().map(|own| own.name.as_str()).collect();
            Failure::bad_input(
                format_args!("there is no book `{name}` in this series"),
                format!("there are {}", names.join(", ")),
            )
        })?,
    };
    if !args.goal.is_empty() {
        return Err(Failure::bad_input(format_args!("a series is won by its last book"), "leave --goal out"));
    }
    let own = &series.books[place].book;
    let section = book_file::section(own, &args.at)?;
    let standing = args.hero.overrides().standing(own, section, args.max_endurance, &args.flags).map_err(unlisted)?;
    let whole = series.as_one_book();
    let start = series.first_numbers()[place].saturating_add(section);
    let mut question = Question { start, goals: whole.goals.clone(), exact: args.engine.exact, ..standing };
    args.reading.apply(own, &mut question.situation)?;
    let (solved, answers) =
        series.advised(&question, run.options).map_err(|error| unsolved_draft(whole.draft.warning(), &error))?;
    print_advice(args, &whole, &question, &solved, &answers)
}

fn print_advice(
    args: &AdviseArgs,
    book: &Book,
    question: &Question,
    solved: &Solved,
    answers: &[Advice],
) -> Result<(), Failure> {
    match args.format {
        Format::Text => draft::print(book.draft, &text(book, question.start, &solved.win(), answers)),
        Format::Json => {
            let answer = AnswerJson {
                format: 1,
                section: book_file::section_json(book, question.start),
                win: Number::from(&solved.win()),
                choices: answers.iter().map(|answer| ChoiceJson::new(book, answer)).collect(),
            };
            draft::print_json(book.draft, &answer)
        }
    }
}

fn text(book: &Book, section: SectionNumber, win: &Value, answers: &[Advice]) -> String {
    let mut out = String::new();
    let section = book.section_text(section);
    let _ = writeln!(out, "Section {section}: win {}  ({})\n", percent_of(win), bounds_text(win));
    if answers.is_empty() {
        let _ = writeln!(out, "A chance or the end comes before the first question here.");
    }
    for (answer, win) in answers.iter().zip(win_texts(answers)) {
        let _ = writeln!(out, "{} {win:>10}  {}", star(answer), answer_text(book, answer));
    }
    out
}

#[derive(Serialize)]
struct AnswerJson {
    format: u32,
    section: serde_json::Value,
    win: Number,
    choices: Vec<ChoiceJson>,
}
