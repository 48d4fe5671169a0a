//! `bestplay gamebook check`.

mod args;
mod once;
mod problem_json;
mod watch;

use crate::output::Failure;

pub use args::{CheckArgs, EXAMPLES};
pub use once::problems;

/// Checks a book and prints its problems.
pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    if args.watch { watch::run(args) } else { args.limits.run(|run| once::check_once(args, run.budget)) }
}
