//! `bestplay gamebook play`.

mod args;
mod player_input;
mod story;
mod table;
mod terminal;
mod texts;

use std::cell::OnceCell;
use std::hash::{BuildHasher, RandomState};
use std::io;

use budget::Budget;
use gamebook::{Book, Play, Series};

use crate::gamebook::answer::draft;
use crate::gamebook::answer::unsolved::unsolved;
use crate::gamebook::input::book_file::{self, BookText};
use crate::gamebook::input::hero_args::describe;
use crate::gamebook::input::series_file;
use crate::output::{self, Failure};
use table::Table;
use terminal::{Stop, print};

pub use args::{EXAMPLES, PlayArgs};

/// Plays a book.
pub fn run(args: &PlayArgs) -> Result<(), Failure> {
    if args.book == "-" {
        return Err(Failure::bad_input(
            "the book cannot come from standard input: the answers do",
            "save it as my-book.kdl and name that",
        ));
    }
    let seed = args.seed.unwrap_or_else(any_seed);
    if book_file::is_ink(&args.book) {
        return ended(story::play(args, seed));
    }
    let solved = OnceCell::new();
    // Limits apply to computations; the player may think as long as he likes.
    let (book, series) = args.engine.run(|run| open(args, run.budget))?;
    let question = args.question.question(&book, args.engine.exact)?;
    if series.is_some() {
        series_file::goes_all_the_way(&book, &question)?;
        series_file::leaves_with_nothing(&question)?;
    }
    let machine = args.engine.run(|run| match &series {
        Some(series) => series.ready(&question, run.budget),
        None => question.machine(&book, run.budget),
    });
    let play = Play::of(&machine.map_err(|error| unsolved(&error))?, seed);
    let hello = format!("{}\n  {}\n  seed {seed}; type help for help\n", book.title, describe(&book, &question));
    let hello = draft::marked(book.draft, &hello);
    let (book, question, series) = (&book, &question, series.as_ref());
    let mut table = Table { args, book, series, question, solved: &solved, play, shown: None, rolls: 0 };
    ended(print(&hello).and_then(|()| table.play()))
}

/// What the end of a session means for the command.
fn ended(session: Result<(), Stop>) -> Result<(), Failure> {
    match session {
        Ok(()) => Ok(()),
        // Standard output was closed.
        Err(Stop::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(Stop::Output(error)) => Err(output::unprinted(&error)),
        Err(Stop::Input(error)) => {
            Err(Failure::failed(format_args!("cannot read the answers: {error}"), "give them on standard input"))
        }
        Err(Stop::Failed(failure)) => Err(failure),
    }
}

/// Reads a book, or a series with the book that describes it.
fn open(args: &PlayArgs, budget: &Budget<'_>) -> Result<(Book, Option<Series>), Failure> {
    let written = BookText::load(&args.book)?;
    if written.is_series() {
        let mut series = series_file::open(&written, budget)?;
        args.question.apply_to_later_books(&mut series)?;
        return Ok((series.as_one_book(), Some(series)));
    }
    Ok((written.book(budget)?, None))
}

/// A random seed.
fn any_seed() -> u64 {
    // Numbers that are easy to type again.
    RandomState::new().hash_one("seed") % 1_000_000
}
