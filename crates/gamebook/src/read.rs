//! From the text of a book file to a [`Book`]: syntax, names, ranges. All problems at once.

mod battle;
mod blocks;
mod bounds;
mod chance;
mod declared;
mod elsewhere;
mod endings;
mod fight_system;
mod goods;
mod head;
mod heads;
mod hero;
mod inherited;
mod items;
mod kai;
mod kinder;
mod limits;
mod long_text;
mod making;
mod names;
mod newline;
mod nodes;
mod numbers;
mod parcels;
mod pieces;
mod policy;
mod ranges;
mod reader;
mod roll;
mod rules;
mod scan;
mod scope;
mod sections;
mod series;
mod shared;
mod short;
mod steps;
pub(crate) mod syntax;
mod system;
mod table;
mod unused;
mod unused_rules;

use budget::{Budget, Stopped};

use crate::book::Book;
use crate::problem::{Problem, Problems, Severity};
use reader::{Elsewhere, Reader};
use syntax::{Parsed, parse_kdl};
use system::Asked;

pub(crate) use pieces::long_texts;
pub use policy::read_policy;
pub use series::{ReadSeriesError, is_series, read_series};
pub use system::Beside;

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
/// Everything that is wrong with it, warnings included, in the order of the text.
pub fn read(text: &str) -> Result<(Book, Vec<Problem>), Problems> {
    match read_within(text, &Budget::unlimited()) {
        Ok(read) => Ok(read),
        Err(ReadError::Problems(problems)) => Err(problems),
        // Nobody says stop.
        Err(ReadError::Stopped(stopped)) => Err(Problems(vec![Problem::error(0..0, stopped.to_string())])),
    }
}

/// Why a book was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// Everything that is wrong with it.
    Problems(Problems),
    /// A limit was reached, or somebody stopped it.
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

/// [`read`] within a budget.
///
/// # Errors
/// Everything that is wrong with the book; or the budget says stop.
pub fn read_within(text: &str, budget: &Budget<'_>) -> Result<(Book, Vec<Problem>), ReadError> {
    read_beside(text, &|_| Err("no file can be read here".into()), budget)
}

/// [`read_within`] for a book whose system of rules may lie in a file beside it, which `beside` reads.
///
/// # Errors
/// Everything that is wrong with the book or with the system; or the budget says stop.
pub fn read_beside(text: &str, beside: Beside<'_>, budget: &Budget<'_>) -> Result<(Book, Vec<Problem>), ReadError> {
    read_among(text, Elsewhere::default(), beside, budget)
}

/// Reads a book of several with the same hero: in those of Lone Wolf he can have things that this one does not declare, and
/// those of a system of rules know what the others have on his sheet.
fn read_among(
    text: &str,
    elsewhere: Elsewhere,
    beside: Beside<'_>,
    budget: &Budget<'_>,
) -> Result<(Book, Vec<Problem>), ReadError> {
    let Parsed { nodes, problems, missing } = parse_kdl(text, budget)?;
    let mut reader = Reader { text, problems, missing, elsewhere, ..Reader::default() };
    reader.mark.nodes(&nodes);
    let mut book = match reader.asked(&nodes, beside, budget)? {
        Asked::LoneWolf(kai) => {
            reader.kai = kai;
            reader.book(&nodes, budget)?
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
    reader.untold_todos();
    let problems = reader.problems.sorted();
    match book {
        Some(book) if problems.iter().all(|problem| problem.severity != Severity::Error) => Ok((book, problems)),
        _ => Err(ReadError::Problems(Problems(problems))),
    }
}
