//! `bestplay gamebook compile`.

use clap::Args;

use crate::arguments::engine_args::EngineArgs;
use crate::gamebook::answer::unsolved::unsolved;
use crate::gamebook::input::book_file;
use crate::gamebook::input::hero_args::QuestionArgs;
use crate::output::{self, Failure};

/// Arguments of `compile`.
#[derive(Args)]
pub struct CompileArgs {
    /// A built-in book (fire-on-the-water) or a file
    book: String,
    /// Only this section
    #[arg(long, value_name = "SECTION")]
    section: Option<String>,
    #[command(flatten)]
    question: QuestionArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
Every line is a step: its number, its instruction, and the number of the next step. Registers hold what the hero has, flags,
counters and the numbers of a fight; [a test] is 1 if the test holds, and otherwise 0. A section begins at \"enter\".

Examples:
  bestplay gamebook compile fire-on-the-water --section 12
  bestplay gamebook compile my-book.kdl --disciplines hunting,healing | less";

/// Prints the program to which a book is compiled.
pub fn run(args: &CompileArgs) -> Result<(), Failure> {
    args.engine.run(|run| {
        let book = book_file::open(&args.book, run.budget)?;
        let question = args.question.question(&book, args.engine.exact)?;
        let section = args.section.as_ref().map(|name| book_file::section(&book, name)).transpose()?;
        let steps = question.listing(&book, section, run.budget);
        output::print(&steps.map_err(|error| unsolved(&error))?)
    })
}
