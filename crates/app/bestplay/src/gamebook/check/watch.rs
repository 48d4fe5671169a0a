//! `check --watch`: checks a book on each save, and prints its odds.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use gamebook::Question;

use super::args::CheckArgs;
use super::once::check_once;
use crate::arguments::engine_args::Run;
use crate::gamebook::answer::draft;
use crate::gamebook::glance::glance;
use crate::gamebook::input::book_file;
use crate::output::Failure;

/// The interval at which the files are checked.
const PAUSE: Duration = Duration::from_millis(100);
/// A file changed more recently may still be being written.
const MIN_AGE: Duration = Duration::from_millis(30);
/// The time limit for the odds.
const ODDS: Duration = Duration::from_secs(1);
/// The most files beside the book that are watched.
const MOST_FILES: usize = 200;

/// Checks a book on each save, until Ctrl-C.
pub(super) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let path = Path::new(&args.book);
    if !path.is_file() {
        return Err(Failure::bad_input("only a file can be watched", "name the file of a book, such as my-book.kdl"));
    }
    let mut seen = Vec::new();
    loop {
        if stamps(path) != seen {
            std::thread::sleep(MIN_AGE);
            seen = stamps(path);
            args.limits.run(|run| looked(args, run))?;
        }
        // Ending the process now interrupts nothing.
        std::thread::sleep(PAUSE);
    }
}

/// The modification times and lengths of the book and the files beside it, one of which may hold its rules.
fn stamps(path: &Path) -> Vec<(PathBuf, SystemTime, u64)> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let is_book = |own: &PathBuf| own.extension().is_some_and(|extension| extension == "kdl");
    let files = beside.filter(is_book).take(MOST_FILES).chain([path.to_path_buf()]);
    let mut found: Vec<_> = files
        .filter_map(|own| {
            let data = own.metadata().ok()?;
            Some((own, data.modified().ok()?, data.len()))
        })
        .collect();
    found.sort();
    found
}

/// Prints the problems, and the odds of a valid book.
fn looked(args: &CheckArgs, run: Run<'_>) -> Result<(), Failure> {
    let result = match check_once(args, run.budget) {
        Ok(()) | Err(Failure::Reported(1)) => odds(args, run),
        result => result,
    };
    match result {
        Ok(()) | Err(Failure::Reported(_)) => {}
        Err(interrupted @ Failure::Interrupted(_)) => return Err(interrupted),
        // The file may be missing for a moment; the next save is checked again.
        Err(failure) => failure.report(),
    }
    // Without a reader of standard output there is nothing to watch for.
    let mut out = std::io::stdout().lock();
    out.write_all(b"\n").and_then(|()| out.flush()).map_err(|_| Failure::Reported(0))
}

fn odds(args: &CheckArgs, run: Run<'_>) -> Result<(), Failure> {
    let book = book_file::open(&args.book, run.budget)?;
    let [best, random] = glance(&book, &Question::new(&book), ODDS, run)?;
    draft::print(book.draft, &format!("wins: best play {best}, at random {random}\n"))
}
