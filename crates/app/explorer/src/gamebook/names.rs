//! What questions about books name: sections, goals, lists; and why they cannot be answered.

use gamebook::{ArgumentError, Book, CompileError, SectionNumber, SolveBookError};

use super::registry::OfferedBook;
use crate::question::Problem;

/// The most goals and items that are read.
const MOST_NAMES: usize = 200;

/// The problem of a list that names what there is not.
pub fn unlisted(error: ArgumentError) -> Problem {
    Problem::impossible(error.message, error.help)
}

/// The names of a list that are read.
pub fn names(list: &[String]) -> impl Iterator<Item = &str> {
    list.iter().take(MOST_NAMES).map(String::as_str)
}

pub fn unsolved(error: &SolveBookError) -> Problem {
    match error {
        SolveBookError::Stopped(stopped) | SolveBookError::StoppedWithBounds { stopped, .. } => {
            Problem::stopped(stopped)
        }
        SolveBookError::Engine(_) | SolveBookError::Shelf(_) => Problem::internal(error),
        SolveBookError::Hero(_) => Problem::impossible(error, "change the hero"),
        SolveBookError::NoSection(_) => Problem::impossible(error, "name a section of the book"),
        SolveBookError::NoBook { .. } => Problem::impossible(error, "name a book of the series"),
        SolveBookError::Endurance { .. } => {
            Problem::impossible(error, "say less, or give the hero the endurance with which he set out")
        }
        SolveBookError::Compile(CompileError::StateTooLarge(_)) => {
            Problem::impossible(error, "declare fewer items, flags and counters in the book")
        }
        SolveBookError::Compile(_) => Problem::impossible(error, "let the section do less"),
    }
}

/// The same of a book or a series that is walked through.
pub fn unsolved_of(offered: &OfferedBook, error: &SolveBookError) -> Problem {
    let problem = unsolved(error);
    if offered.series.is_none() || !problem.is_a_limit {
        return problem;
    }
    let message = format_args!("the whole series is too large for odds at every step: {}", problem.message);
    let help = "walk without the odds, start the Explorer with higher limits, or have bestplay gamebook solve tell the odds of the whole, part by part";
    Problem { is_a_limit: true, ..Problem::impossible(message, help) }
}

pub fn is_section(book: &Book, section: SectionNumber) -> Result<(), Problem> {
    if book.sections.contains_key(&section) {
        return Ok(());
    }
    let (first, last) = (book.sections.keys().next(), book.sections.keys().next_back());
    Err(Problem::impossible(
        format_args!("there is no section {section} in this book"),
        format_args!("its sections are {} to {}", first.unwrap_or(&0), last.unwrap_or(&0)),
    ))
}

pub fn goals(book: &Book, goals: &[SectionNumber]) -> Result<Vec<SectionNumber>, Problem> {
    if goals.len() > MOST_NAMES {
        return Err(Problem::impossible("there are too many goals", format_args!("name at most {MOST_NAMES}")));
    }
    goals.iter().try_for_each(|goal| is_section(book, *goal))?;
    Ok(if goals.is_empty() { book.goals.clone() } else { goals.to_vec() })
}
