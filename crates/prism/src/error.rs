//! What is wrong with a model, and where.

use std::fmt;

use budget::Stopped;
use model_files::BuildError;

/// A place in a text: line and column, from 1. Columns count characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Why a model could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The text is wrong, or asks for something that is not supported.
    Bad {
        /// Where; `None` when it is about the whole.
        at: Option<At>,
        /// What is wrong.
        problem: String,
        /// What would be right.
        remedy: String,
    },
    /// The run is to stop: a limit, or an interruption.
    Stopped(Stopped),
}

impl Error {
    pub(crate) fn new(at: At, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Bad { at: Some(at), problem: problem.into(), remedy: remedy.into() }
    }

    pub(crate) fn whole(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Bad { at: None, problem: problem.into(), remedy: remedy.into() }
    }
}

impl From<Stopped> for Error {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Stopped(stopped) => Self::Stopped(stopped),
            BuildError::Invalid(problem) => Self::whole(problem, "a smaller model"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bad { at: Some(At { line, column }), problem, remedy } => {
                write!(f, "line {line}, column {column}: {problem} ({remedy})")
            }
            Self::Bad { at: None, problem, remedy } => write!(f, "{problem} ({remedy})"),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl std::error::Error for Error {}
