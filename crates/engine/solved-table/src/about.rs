//! What a file that keeps a table is about, and why one cannot be used.

use std::fmt::{self, Display};

/// What all lines of a file have in common: they are of use only where all of it is the same.
#[derive(Clone, Debug)]
pub struct About {
    /// What it is about, each with what it is called: `book`, and `question` for all that was asked.
    pub same: Vec<(&'static str, String)>,
    /// What is to be said as then, for those who ask another question.
    pub say: &'static str,
}

/// Why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptError {
    /// Whether it is the wrong file, or the wrong question; else something failed on the way.
    pub is_bad_input: bool,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

impl Display for KeptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.help)
    }
}

impl std::error::Error for KeptError {}
