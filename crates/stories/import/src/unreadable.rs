//! Why a file cannot be read.

use std::fmt;

use budget::Stopped;

/// A file that cannot be read, or that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The file is wrong.
    Wrong {
        /// What is wrong with it.
        message: String,
    },
    /// The run was to stop.
    Stopped(Stopped),
}

impl Unreadable {
    pub(crate) fn wrong(message: String) -> Self {
        Self::Wrong { message }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong { message } => f.write_str(message),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl std::error::Error for Unreadable {}
