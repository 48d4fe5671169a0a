//! Arguments of `bestplay gamebook play`.

use clap::{Args, ValueEnum};

use crate::arguments::engine_args::EngineArgs;
use crate::gamebook::input::hero_args::QuestionArgs;

/// Arguments of `play`.
#[derive(Args)]
pub struct PlayArgs {
    /// A built-in book (fire-on-the-water), a file, a series of books (lone-wolf-kai, or a file), or a story in ink
    pub book: String,
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Who picks the random numbers, or rolls the dice
    #[arg(long, value_enum, default_value_t)]
    pub picks: Picks,
    /// The seed of the dice: the same seed and answers give the same play [default: random]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Solve the book at once, and show the odds with every question
    #[arg(long)]
    pub hints: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// Who picks the random numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Picks {
    /// They are rolled
    #[default]
    Rolled,
    /// Every number is asked for: Enter rolls it
    Typed,
}

pub const EXAMPLES: &str = "\
At the prompt: the number of an answer, or hint, sheet, roll, undo, restart, help, quit; the first letter is enough.
The end of the input ends the play.

Examples:
  bestplay gamebook play fire-on-the-water
  bestplay gamebook play fire-on-the-water --combat-skill 19 --items sommerswerd --hints
  bestplay gamebook play my-book.kdl --picks typed
  bestplay gamebook play lone-wolf-kai
  bestplay gamebook play story.ink --goal \"gold >= 10\" --hints
  printf '1\\n2\\n' | bestplay gamebook play my-book.kdl --seed 7";
