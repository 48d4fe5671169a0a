//! `bestplay gamebook solve`: a book or a story solved whole, for best play.

mod args;
mod best_play;
mod sizes;

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
    args.engine.run(|run| best_play::run(args, &BookText::load(&args.book)?, run))
}
