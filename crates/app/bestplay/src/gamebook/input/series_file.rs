//! Series of books by name or file, and restrictions of questions about them.

use budget::Budget;
use gamebook::{Book, Problem, Problems, Question, ReadSeriesError, Series, built_in, read_series};

use super::book_file::{self, BookText};
use crate::output::Failure;

/// Reads a series: its books are built in, or files beside it.
fn read(written: &BookText, budget: &Budget<'_>) -> Result<(Series, Vec<Problem>), ReadSeriesError> {
    let file = book_file::beside(&written.name);
    let beside = |name: &str| file(name).map_err(|error| format!("no book of this name is built in, and {error}"));
    let books = |name: &str| built_in(name).map_or_else(|| beside(name), |text| Ok(text.into()));
    read_series(&written.text, &books, &file, budget)
}

/// Reads a series; its errors end the command.
pub fn open(written: &BookText, budget: &Budget<'_>) -> Result<Series, Failure> {
    read(written, budget).map(|(series, _)| series).map_err(|error| unread(written, error))
}

/// The problems of the file of a series. The errors of its books end the command.
pub fn problems(written: &BookText, budget: &Budget<'_>) -> Result<Vec<Problem>, Failure> {
    match read(written, budget) {
        Ok((_, warnings)) => Ok(warnings),
        Err(ReadSeriesError::Series(Problems(problems))) => Ok(problems),
        Err(error) => Err(unread(written, error)),
    }
}

fn unread(written: &BookText, error: ReadSeriesError) -> Failure {
    match error {
        ReadSeriesError::Series(problems) => book_file::failure(&written.name, &written.text, &problems),
        ReadSeriesError::Book { name, text, problems } => book_file::failure(&name, &text, &problems),
        ReadSeriesError::Stopped(stopped) => stopped.into(),
    }
}

/// Rejects questions about a part of what is played, or solved part by part, from beginning to end.
pub fn goes_all_the_way(book: &Book, question: &Question) -> Result<(), Failure> {
    if question.start == book.start && question.goals == book.goals {
        return Ok(());
    }
    Err(Failure::bad_input(
        "a series is played and solved from its beginning to its end, and so is what is solved part by part",
        "leave --start and --goal out, or use `gamebook solve` for one book",
    ))
}

/// Rejects questions about what is carried out of one of several books.
pub fn leaves_with_nothing(question: &Question) -> Result<(), Failure> {
    if question.situation.leaving.is_empty() {
        return Ok(());
    }
    Err(Failure::bad_input(
        format_args!("--leave-with is asked of one book"),
        "leave it out: in a series what is carried is worth what later books make of it",
    ))
}
