//! `bestplay gamebook heroes`: the odds of all heroes that the rules can make.

mod choice;
mod table;
mod text;
pub mod work;

use std::path::PathBuf;

use clap::Args;
use gamebook::{OPTIONS_TO_REPEAT, Question, hero_layout, heroes_asked};

use crate::arguments::engine_args::{EngineArgs, Run};
use crate::arguments::table_args::TableArgs;
use crate::gamebook::answer::draft;
use crate::gamebook::input::book_file;
use crate::gamebook::input::hero_args::WayArgs;
use crate::output::{self, Failure, Format};
use crate::shown::Escapes;
use crate::table_file::TableFile;
use choice::ChoiceArgs;
use table::{Asked, Table};

/// Arguments of `heroes`.
#[derive(Args)]
pub struct HeroesArgs {
    /// A built-in book (fire-on-the-water) or a file
    book: String,
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    way: WayArgs,
    #[command(flatten)]
    table: TableArgs,
    /// Draw what the best set wins with each roll
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    svg: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay gamebook heroes fire-on-the-water --state heroes.sqlite --csv heroes.csv
  bestplay gamebook heroes fire-on-the-water --vary combat-skill=15 --vary endurance=20..29/3
  bestplay gamebook heroes my-book.kdl --disciplines hunting,weaponskill=sword --disciplines hunting,healing --vary gold=0,10,20
  bestplay gamebook heroes my-book.kdl --items sword,meal=2 --items chainmail --vary endurance=25
  bestplay gamebook heroes warlock-of-firetop-mountain --vary luck=7 --format json";

/// Solves a book for all heroes and prints a table.
pub fn run(args: &HeroesArgs) -> Result<(), Failure> {
    args.engine.run(|run| heroes(args, run))
}

fn heroes(args: &HeroesArgs, run: Run<'_>) -> Result<(), Failure> {
    let book = book_file::open(&args.book, run.budget)?;
    let mut question = Question { exact: args.engine.exact, ..Question::new(&book) };
    args.way.apply(&book, &mut question)?;
    let choice = args.choice.choice(&book, &mut question)?;
    let groups = choice.groups(&book, &question);
    let groups = groups.map_err(|error| Failure::bad_input(error, "see --help for what a hero can be"))?;
    let numbers: Vec<_> = choice.numbers.iter().map(|(made, _)| *made).collect();
    let layout = hero_layout(&book, &numbers, question.exact);
    let (mut keep, known) =
        TableFile::open(args.table.state.as_deref(), &layout, || heroes_asked(&book, &question), OPTIONS_TO_REPEAT)?;
    let found = work::all(&book, &groups, known, run, &mut |rows| keep.add(rows));
    let found = found.map_err(|failure| match &args.table.state {
        Some(path) => failure.helping(&format!("{} keeps them: the same command goes on", path.display())),
        None => failure.helping("with --state FILE they are kept, and the same command goes on"),
    })?;
    keep.is_still_there()?;
    let asked = Asked { book: &book, question: &question, choice: &choice };
    let table = Table::new(asked, layout, &groups, &found);
    args.table.write(&table.roster, args.svg.as_deref())?;
    match args.format {
        Format::Text => draft::print(book.draft, &text::text(&table)),
        Format::Json => output::print_with(Escapes::Json, |out| table.write_json(out)),
    }
}
