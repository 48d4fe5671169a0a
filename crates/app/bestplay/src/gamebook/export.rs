//! `bestplay gamebook export`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use gamebook::{Book, Twee};

use crate::arguments::engine_args::LimitArgs;
use crate::gamebook::answer::unsolved::unsolved;
use crate::gamebook::input::book_file;
use crate::gamebook::input::hero_args::QuestionArgs;
use crate::output::{self, Failure};

/// Arguments of `export`.
#[derive(Args)]
pub struct ExportArgs {
    /// A built-in book (fire-on-the-water) or a file
    book: String,
    /// A page that plays the book in any browser, without a server and without the network
    #[arg(long, value_name = "FILE", required_unless_present = "twee")]
    html: Option<PathBuf>,
    /// A story in Twee 3, for Twine
    #[arg(long, value_name = "FILE")]
    twee: Option<PathBuf>,
    #[command(flatten)]
    question: QuestionArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

pub const EXAMPLES: &str = "\
The page holds the text of the sections, their choices, rolls and fights, and the hero's sheet; it is for the hero that the
arguments describe. It plays by the same compiled steps as `play`.

The story in Twee has the book's own hero. Fights, shops, loops and whatever else SugarCube cannot express are described in words;
their number is printed.

Examples:
  bestplay gamebook export my-book.kdl --twee my-book.twee
  bestplay gamebook export my-book.kdl --html my-book.html
  bestplay gamebook export flight-from-the-dark --combat-skill 17 --html flight.html";

/// Writes a book for others.
pub fn run(args: &ExportArgs) -> Result<(), Failure> {
    args.limits.run(|run| {
        let book = book_file::open(&args.book, run.budget)?;
        if let Some(path) = &args.html {
            let question = args.question.question(&book, false)?;
            let page = question.page(&book, run.budget).map_err(|error| unsolved(&error))?;
            output::write_file(path, |out| out.write_all(page.as_bytes()))?;
        }
        if let Some(path) = &args.twee {
            let twee = book.twee();
            output::write_file(path, |out| out.write_all(twee.text.as_bytes()))?;
            return print_words(&book, &twee);
        }
        Ok(())
    })
}

/// Prints what the story only describes in words.
fn print_words(book: &Book, twee: &Twee) -> Result<(), Failure> {
    const SHOWN: usize = 10;
    if twee.in_words.is_empty() {
        return Ok(());
    }
    let mut text = format!("{} things are only described in words:\n", twee.in_words.len());
    for (section, what) in twee.in_words.iter().take(SHOWN) {
        let _ = writeln!(text, "  section {}: {what}", book.section_text(*section));
    }
    if twee.in_words.len() > SHOWN {
        let _ = writeln!(text, "  and {} more", twee.in_words.len() - SHOWN);
    }
    output::print(&text)
}
