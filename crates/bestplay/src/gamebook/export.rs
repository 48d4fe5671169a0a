//! `bestplay gamebook export`.

use std::path::PathBuf;

use clap::Args;

use super::book_file;
use super::hero_args::QuestionArgs;
use super::unsolved::unsolved;
use crate::engine_args::LimitArgs;
use crate::output::{self, Failure};

/// Arguments of `export`.
#[derive(Args)]
pub struct ExportArgs {
    /// A built-in book (fire-on-the-water) or a file
    book: String,
    /// A page that plays the book in any browser, without a server and without the network
    #[arg(long, value_name = "FILE", required = true)]
    html: Option<PathBuf>,
    #[command(flatten)]
    question: QuestionArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

pub const EXAMPLES: &str = "\
The page holds the text of the sections, their choices, rolls and fights, and the hero's sheet; it is for the hero that the
arguments describe. It plays by the same compiled steps as `play`.

Examples:
  bestplay gamebook export my-book.kdl --html my-book.html
  bestplay gamebook export flight-from-the-dark --combat-skill 17 --html flight.html";

/// Writes a book for others.
pub fn run(args: &ExportArgs) -> Result<(), Failure> {
    args.limits.run(|_, budget| {
        let book = book_file::open(&args.book, budget)?;
        if let Some(path) = &args.html {
            let question = args.question.question(&book, false)?;
            let page = question.page(&book, budget).map_err(|error| unsolved(&error))?;
            output::write_file(path, |out| out.write_all(page.as_bytes()))?;
        }
        Ok(())
    })
}
