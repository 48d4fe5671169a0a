//! Entries that are refused.

use budget::Stopped;

/// Why an entry is refused.
pub(super) enum Refused {
    /// What is wrong, and what would be right.
    Entry(String, String),
    Stopped(Stopped),
}

impl From<Stopped> for Refused {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

pub(super) fn refused<T>(problem: impl Into<String>, remedy: impl Into<String>) -> Result<T, Refused> {
    Err(Refused::Entry(problem.into(), remedy.into()))
}
