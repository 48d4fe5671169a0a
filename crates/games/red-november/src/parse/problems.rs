//! What is wrong in a text, and where.

use std::fmt;
use std::ops::Range;

/// Something wrong in a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The place in the text, in bytes.
    pub span: Range<usize>,
    /// Line of the place, from 1.
    pub line: usize,
    /// Column of the place, from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

/// Everything that is wrong in a text, in the order of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems {
    /// The problems, [`MOST_PROBLEMS`] at most.
    pub list: Vec<Problem>,
    /// How many more there are.
    pub more: usize,
}

/// How many problems of one text are told.
pub const MOST_PROBLEMS: usize = 20;

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.list.iter().enumerate() {
            let end = if i > 0 { "\n" } else { "" };
            write!(f, "{end}line {}, column {}: {} ({})", problem.line, problem.column, problem.message, problem.help)?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
