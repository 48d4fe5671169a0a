//! A run that was stopped before its end.

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

use crate::limits::bytes;
use crate::progress::{Progress, Stage};

/// A run that was stopped before its end: the reason, and its progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The reason.
    pub reason: Reason,
    /// The progress.
    pub progress: Progress,
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// More than [`Limits::max_states`](crate::Limits::max_states) states.
    States {
        /// The limit.
        limit: u64,
    },
    /// More than [`Limits::max_memory`](crate::Limits::max_memory) bytes.
    Memory {
        /// The limit in bytes.
        limit: u64,
        /// Bytes in use, with what the next step needs.
        needed: u64,
    },
    /// Longer than [`Limits::max_time`](crate::Limits::max_time).
    Time {
        /// The limit.
        limit: Duration,
    },
    /// The [`Watch`](crate::Watch) interrupted the run.
    Interrupted,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::States { limit } => write!(f, "the limit of {limit} states is reached")?,
            Reason::Memory { limit, needed } => {
                write!(f, "the limit of {} of memory is reached ({} needed to go on)", bytes(limit), bytes(needed))?;
            }
            Reason::Time { limit } => write!(f, "the limit of {} s is reached", limit.as_secs_f64())?,
            Reason::Interrupted => f.write_str("interrupted")?,
        }
        let Progress { stage, done, waiting, .. } = self.progress;
        match stage {
            Stage::Exploring => write!(f, ": {done} states found, {waiting} of them still to expand"),
            Stage::Ordering => write!(f, ": {done} states found, before putting them in order"),
            Stage::Solving => write!(f, ": {done} states solved, {waiting} to go"),
            _ => {
                write!(f, ": {}", stage.name())?;
                let (space, unit) = if stage.unit().is_empty() { ("", "") } else { (" ", stage.unit()) };
                if done > 0 || waiting > 0 {
                    write!(f, ", {done}{space}{unit} done")?;
                }
                if waiting > 0 {
                    write!(f, ", {waiting} to go")?;
                }
                Ok(())
            }
        }
    }
}

impl Error for Stopped {}

/// For readers and writers, whose errors are those of input and output. [`Stopped::behind`] recovers the reason.
impl From<Stopped> for io::Error {
    fn from(stopped: Stopped) -> Self {
        Self::other(stopped)
    }
}

impl Stopped {
    /// The stop that is the cause of an error, if it is one.
    ///
    /// ```
    /// use budget::{Budget, Limits, Stopped};
    ///
    /// let budget = Budget::new(Limits { max_states: 1, ..Limits::default() });
    /// let stopped = budget.states(2).unwrap_err();
    /// let error = std::io::Error::other(std::io::Error::from(stopped));
    /// assert_eq!(Stopped::behind(&error), Some(stopped));
    /// assert_eq!(Stopped::behind(&std::io::Error::other("the disk is full")), None);
    /// ```
    pub fn behind(error: &(dyn Error + 'static)) -> Option<Self> {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if let Some(stopped) = error.downcast_ref::<Self>() {
                return Some(*stopped);
            }
            // The source of an error of input and output is the source of the error that it contains.
            let held = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
            cause = match held {
                Some(held) => Some(held),
                None => error.source(),
            };
        }
        None
    }
}
