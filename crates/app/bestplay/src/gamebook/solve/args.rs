//! Arguments of `bestplay gamebook solve`.

use clap::Args;
use gamebook::{Book, Question};

use crate::arguments::engine_args::EngineArgs;
use crate::export::ExportArgs;
use crate::gamebook::ink;
use crate::gamebook::input::hero_args::{QuestionArgs, ReductionArgs};
use crate::output::{Failure, Format};

/// Arguments of `solve`.
#[derive(Args)]
pub struct SolveArgs {
    /// A built-in book (fire-on-the-water), a file, or a story (story.ink)
    pub book: String,
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Show how many states each reduction saves (explores the book once without each)
    #[arg(long)]
    pub explain_size: bool,
    #[command(flatten)]
    pub reductions: ReductionArgs,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    pub export: ExportArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay gamebook solve fire-on-the-water
  bestplay gamebook solve fire-on-the-water --combat-skill 19 --endurance 29 --items sommerswerd
  bestplay gamebook solve fire-on-the-water --goal 200 --exact
  bestplay gamebook solve my-book.kdl --disciplines hunting,weaponskill=sword --gold 20 --format json
  bestplay gamebook solve story.ink --goal \"gold >= 10\"

Other questions about the odds have commands of their own:
  series   several books in a row, or a book that is too large for memory
  rolled   the average over all rolled heroes
  learn    the best disciplines
  readers  readers who do not play best
  vary     the odds over numbers of the book
  bound    bounds on the odds of a book that is too large
  sample   simulated odds, without proof";

impl SolveArgs {
    /// The request for a story in ink, which has no hero and no reductions.
    pub fn asked_of_story(&self) -> Result<ink::Asked<'_>, Failure> {
        if self.explain_size || self.reductions.is_given() || self.export.is_asked() {
            return Err(Failure::bad_input(
                "a story in ink has no reductions, and its model is not exported",
                "leave all but --goal, --format, --exact and the limits out",
            ));
        }
        let Self { book: file, format, .. } = self;
        Ok(ink::Asked { file, goal: self.question.story_goal()?, exact: self.engine.exact, format: *format })
    }

    /// The question about a book, without the reductions that are switched off.
    pub fn asked(&self, book: &Book) -> Result<Question, Failure> {
        let question = self.question.of_whole_book(book, self.engine.exact)?;
        Ok(self.reductions.without(question))
    }
}
