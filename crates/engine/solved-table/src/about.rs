//! The subject of a file that stores a table, and why a file cannot be used.

use std::fmt::{self, Display};

/// What all lines of a file have in common: they can be used only if all of it is the same.
#[derive(Clone, Debug)]
pub struct About {
    /// The subject, as pairs of a name and a text: `book`, and `question` for the whole request.
    pub same: Vec<(&'static str, String)>,
    /// What the user must repeat to use the file, for an error message.
    pub repeat: &'static str,
}

/// Why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFileError {
    /// Whether it is the wrong file, or the wrong question; otherwise an operation failed.
    pub is_bad_input: bool,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

impl Display for TableFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.help)
    }
}

impl std::error::Error for TableFileError {}
