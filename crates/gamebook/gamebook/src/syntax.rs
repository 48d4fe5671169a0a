//! Parsing: from the text of a book file to a [`Book`], with checks of syntax, names and ranges. All problems are reported at
//! once, each with its place and a suggestion. Also parses lists of names from arguments.
//!
//! The module knows no registers: checks that need a program are passed in as [`Checks`]. It opens no files.

mod arguments;
mod bounds;
mod endings;
mod expression;
mod head;
mod heads;
mod hero_creation;
mod inherited;
mod kdl;
mod kinder;
mod lone_wolf;
mod misplaced_words;
mod names;
mod numbers;
mod parse_lists;
mod policy;
mod problem;
mod ranges;
mod reader;
mod sections;
mod series;
mod system;
mod system_hero;
mod text_lines;

use budget::{Budget, Stopped};

use crate::book::Book;
use kdl::Parsed;
use reader::Reader;
use system::Asked;

pub use arguments::ArgumentError;
pub(crate) use kdl::{arguments, children, entry_span, long_texts, name_span, parse_kdl};
pub(crate) use parse_lists::{disciplines_text, items_text, or_none};
pub use parse_lists::{
    policy_named, read_disciplines, read_flags, read_forgets, read_items, read_leaving, read_readings, read_skills,
    read_system_flags,
};
pub use policy::read_policy;
pub(crate) use problem::{MOST_PROBLEMS, ProblemList};
pub use problem::{Problem, Problems, Severity, did_you_mean};
pub(crate) use reader::Elsewhere;
pub(crate) use series::read_books;
pub use series::{ReadSeriesError, is_series};
pub use system::Beside;
pub use system_hero::read_values;
pub use text_lines::Lines;

/// Why a book could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The errors in it.
    Problems(Problems),
    /// The computation was stopped or reached a limit.
    Stopped(Stopped),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Problems(problems) => write!(f, "{problems}"),
            Self::Stopped(stopped) => write!(f, "{stopped}"),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<Stopped> for ReadError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// Checks of a Lone Wolf book that need more than its text.
#[derive(Clone, Copy)]
pub(crate) struct Checks {
    /// Whether a state can hold everything that must be remembered; else the reason.
    pub fits: fn(&Book) -> Result<(), String>,
    /// Adds the errors of picks whose cases leave a gap.
    pub gaps: fn(&Book, &mut ProblemList, &Budget<'_>) -> Result<(), Stopped>,
}

/// Reads a book of a series: in Lone Wolf its hero can have items that the book does not declare, and books with a system of
/// rules share the sheet.
pub(crate) fn read_among(
    text: &str,
    elsewhere: Elsewhere,
    checks: Checks,
    beside: Beside<'_>,
    budget: &Budget<'_>,
) -> Result<(Book, Vec<Problem>), ReadError> {
    let Parsed { nodes, problems, missing } = parse_kdl(text, budget)?;
    let mut reader = Reader { text, problems, missing, elsewhere, ..Reader::default() };
    reader.mark.nodes(&nodes);
    let mut book = match reader.asked(&nodes, beside, budget)? {
        Asked::LoneWolf(kai) => {
            reader.kai = kai;
            reader.book(&nodes, checks, budget)?
        }
        Asked::System(name, rules) => reader.system_book(&nodes, &name, *rules, budget)?,
        Asked::Unknown => None,
    };
    if let Some(book) = book.as_mut() {
        if reader.problems.errors() == 0 {
            reader.kinder_nodes(&nodes, book);
        }
        book.draft += reader.draft();
        book.mark = reader.mark.number();
    }
    reader.report_more_todos();
    let problems = reader.problems.sorted();
    match book {
        Some(book) if problems.iter().all(|problem| problem.severity != Severity::Error) => Ok((book, problems)),
        _ => Err(ReadError::Problems(Problems(problems))),
    }
}
