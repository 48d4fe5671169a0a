//! Reading books, with all checks.

use budget::Budget;

use super::check::gaps;
use crate::book::{Book, Series};
use crate::lower::fits;
use crate::syntax::{Beside, Checks, Elsewhere, Problem, Problems, ReadError, ReadSeriesError, read_among, read_books};

/// The checks that the reader takes from the compiler and from `check`.
const CHECKS: Checks = Checks { fits: |book| fits(book).map_err(|error| error.to_string()), gaps };

/// Reads a book.
///
/// ```
/// let text = r#"
///     book "Heads" format=1 rules="lone-wolf"
///     start 1
///     goal 2
///     hero { combat-skill 15; endurance 25; }
///     section 1 { pick { when 0 4 { goto 2; }; else { death "tails"; }; }; }
///     section 2 { victory; }
/// "#;
/// let (book, warnings) = gamebook::read(text)?;
/// assert_eq!((book.title.as_str(), book.sections.len()), ("Heads", 2));
/// assert!(warnings.is_empty());
/// # Ok::<(), gamebook::Problems>(())
/// ```
///
/// # Errors
/// All errors and warnings, in the order of the text.
pub fn read(text: &str) -> Result<(Book, Vec<Problem>), Problems> {
    match read_within(text, &Budget::unlimited()) {
        Ok(read) => Ok(read),
        Err(ReadError::Problems(problems)) => Err(problems),
        // There is no budget to exhaust.
        Err(ReadError::Stopped(stopped)) => Err(Problems(vec![Problem::error(0..0, stopped.to_string())])),
    }
}

/// [`read`] within a budget.
///
/// # Errors
/// All errors of the book; or the budget is exhausted.
pub fn read_within(text: &str, budget: &Budget<'_>) -> Result<(Book, Vec<Problem>), ReadError> {
    read_beside(text, &|_| Err("no file can be read here".into()), budget)
}

/// [`read_within`] for a book whose system of rules may be in a file beside it, which `beside` reads.
///
/// # Errors
/// All errors of the book or the system; or the budget is exhausted.
pub fn read_beside(text: &str, beside: Beside<'_>, budget: &Budget<'_>) -> Result<(Book, Vec<Problem>), ReadError> {
    read_among(text, Elsewhere::default(), CHECKS, beside, budget)
}

/// Reads a series. `books` returns the text of each book by its name in the series, `beside` the files that a book names.
///
/// ```
/// use budget::Budget;
/// use gamebook::read_series;
///
/// let book = |section: &str| format!(
///     "book \"Coin\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 2\nhero {{ combat-skill 15; endurance 25; }}
/// section 1 {{ {section} }}
/// section 2 {{ victory; }}");
/// let text = "series \"Two coins\" format=1\nbook \"heads\"\nbook \"gold\"\n";
/// let books = |name: &str| match name {
///     "heads" => Ok(book("pick { when 0 4 { gain gold 3; goto 2; }; else { death \"tails\"; }; }")),
///     "gold" => Ok(book("if \"gold >= 3\" { goto 2; }; else { death \"poor\"; }")),
///     other => Err(format!("there is no {other}")),
/// };
/// let (series, _) = read_series(text, &books, &|_| Err("no other files".into()), &Budget::unlimited())?;
/// assert_eq!((series.title.as_str(), series.books.len()), ("Two coins", 2));
/// # Ok::<(), gamebook::ReadSeriesError>(())
/// ```
///
/// # Errors
/// All errors of the series, or of the first book with errors; or the budget is exhausted.
pub fn read_series(
    text: &str,
    books: &dyn Fn(&str) -> Result<String, String>,
    beside: Beside<'_>,
    budget: &Budget<'_>,
) -> Result<(Series, Vec<Problem>), ReadSeriesError> {
    read_books(text, CHECKS, books, beside, budget)
}
