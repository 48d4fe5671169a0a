//! `bestplay gamebook solve`: a book is solved in one of several ways, of which each has a file of its own.

mod args;
mod best_play;
mod bounds;
mod part_by_part;
mod reader;
mod rolled;
mod sample;
mod sizes;
mod vary;

use gamebook::Reader;

use crate::gamebook::ink;
use crate::gamebook::input::book_file::{self, BookText};
use crate::output::Failure;

pub use args::{EXAMPLES, SolveArgs};

/// Solves a book and prints the answer.
pub fn run(args: &SolveArgs) -> Result<(), Failure> {
    if book_file::is_ink(&args.book) {
        let asked = args.asked_of_story()?;
        return args.engine.run(|run| ink::solve(&asked, run));
    }
    args.engine.run(|run| {
        let written = BookText::load(&args.book)?;
        match Way::asked(args, &written) {
            Way::Sample { plays } => sample::run(args, plays, &written, run),
            Way::Bounds => bounds::run(args, &written, run),
            Way::PartByPart => part_by_part::run(args, &written, run),
            Way::Vary => vary::run(args, &written, run),
            Way::Reader(reader) => reader::run(args, reader, &written, run),
            Way::Rolled => rolled::run(args, &written, run),
            Way::BestPlay => best_play::run(args, &written, run),
        }
    })
}

/// How a book is solved.
enum Way {
    /// It is not: so many plays are simulated.
    Sample { plays: u64 },
    /// A kinder game bounds it from above, and a policy from below.
    Bounds,
    /// Layer by layer: a series, or a book that may be too large for memory.
    PartByPart,
    /// Again and again, with other numbers in it.
    Vary,
    /// For a reader who does not play best.
    Reader(Reader),
    /// For every hero whom the book makes.
    Rolled,
    /// Whole, for one hero.
    BestPlay,
}

impl Way {
    /// The way that the arguments ask for. Where they ask for several, the first of these refuses the others.
    fn asked(args: &SolveArgs, written: &BookText) -> Self {
        if let Some(plays) = args.sample {
            Self::Sample { plays }
        } else if !args.forget.is_empty() {
            Self::Bounds
        } else if written.is_series() || args.state.is_some() || args.plays.is_some() || args.learn.is_some() {
            Self::PartByPart
        } else if args.varied.is_given() {
            Self::Vary
        } else if let Some(reader) = args.reader {
            Self::Reader(reader)
        } else if args.rolled {
            Self::Rolled
        } else {
            Self::BestPlay
        }
    }
}
