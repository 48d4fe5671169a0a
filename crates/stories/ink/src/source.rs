//! Why a text is not a story.

use std::fmt;

/// Why a text is not a story that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// The file, as named by the caller or by an `INCLUDE`.
    pub file: String,
    /// The line in that file, from 1, if it is known. Lines of a file that includes others are counted from the last
    /// `INCLUDE`, as the compiler counts them.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl SourceError {
    pub(crate) fn new(file: &str, line: Option<usize>, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, message } = self;
        match line {
            Some(line) => write!(f, "{file}:{line}: {message}"),
            None => write!(f, "{file}: {message}"),
        }
    }
}

impl std::error::Error for SourceError {}
