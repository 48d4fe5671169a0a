//! Errors in a text, with their positions.

use std::fmt;
use std::ops::Range;

/// An error in a text, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The range in the text, in bytes.
    pub span: Range<usize>,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

/// All errors in a text, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems {
    /// The problems, [`MOST_PROBLEMS`] at most.
    pub list: Vec<Problem>,
    /// How many more there are.
    pub more: usize,
}

/// The most problems of one text that are reported.
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
