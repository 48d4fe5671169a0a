//! How far a run may go, and how it tells how far it has come.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// What a run may use. It stops with an error, never with the machine out of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States; at most 4,294,967,294.
    pub max_states: u64,
    /// Bytes for everything that grows with the model.
    pub max_memory: u64,
}

impl Default for Limits {
    /// All states that have a number, and 4 GiB.
    fn default() -> Self {
        Self { max_states: u64::from(u32::MAX) - 1, max_memory: 4 << 30 }
    }
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// States found (exploring) or finished (solving).
    pub done: u64,
    /// States still to expand (exploring) or to solve. While exploring, more may turn up.
    pub waiting: u64,
    /// Bytes in use.
    pub memory: u64,
}

/// The stages of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Finding all states that can be reached.
    Exploring,
    /// Finding the order in which they can be solved.
    Ordering,
    /// Giving every state its value.
    Solving,
}

/// Told about progress every few milliseconds, from one thread at a time;
/// `ControlFlow::Break(())` stops the run.
pub type Watch<'a> = &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// A [`Watch`] that does not look.
pub const UNWATCHED: Watch<'static> = &|_| ControlFlow::Continue(());

/// Asks a [`Watch`] from inside of long steps, on any thread, until it interrupts.
pub(crate) struct Interrupts<'a> {
    watch: Watch<'a>,
    progress: Mutex<Progress>,
    interrupted: AtomicBool,
}

impl<'a> Interrupts<'a> {
    pub(crate) fn new(watch: Watch<'a>, progress: Progress) -> Self {
        Self { watch, progress: Mutex::new(progress), interrupted: AtomicBool::new(false) }
    }

    /// Whether to stop. While one thread asks, the others go on.
    pub(crate) fn interrupted(&self) -> bool {
        if let Ok(progress) = self.progress.try_lock()
            && (self.watch)(*progress).is_break()
        {
            self.interrupted.store(true, Ordering::Relaxed);
        }
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Says how far the run has come, and asks.
    pub(crate) fn advance(&self, progress: Progress) -> Result<(), Stopped> {
        if let Ok(mut known) = self.progress.lock() {
            *known = progress;
        }
        self.check()
    }

    /// An error when the run is to stop.
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        if !self.interrupted() {
            return Ok(());
        }
        let progress = *self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        Err(Stopped::Interrupted { progress })
    }
}

/// A run that stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// More than [`Limits::max_states`] states.
    TooManyStates {
        /// The limit.
        limit: u64,
        /// How far the run came.
        progress: Progress,
    },
    /// More than [`Limits::max_memory`] bytes.
    TooMuchMemory {
        /// The limit in bytes.
        limit: u64,
        /// Bytes that the next step needs.
        needed: u64,
        /// How far the run came.
        progress: Progress,
    },
    /// The [`Watch`] said so.
    Interrupted {
        /// How far the run came.
        progress: Progress,
    },
}

impl Stopped {
    /// How far the run came.
    pub fn progress(&self) -> Progress {
        match self {
            Self::TooManyStates { progress, .. }
            | Self::TooMuchMemory { progress, .. }
            | Self::Interrupted { progress } => *progress,
        }
    }
}

/// A number of bytes as people read it: `1.5 GB`. Powers of 1000.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "kB", "MB", "GB", "TB"];
    let mut value = count as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 || value >= 100.0 {
        format!("{value:.0} {}", UNITS[unit])
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { stage, done, waiting, .. } = self.progress();
        match self {
            Self::TooManyStates { limit, .. } => write!(f, "the limit of {limit} states is reached")?,
            Self::TooMuchMemory { limit, needed, .. } => {
                write!(f, "the limit of {} of memory is reached ({} needed to go on)", bytes(*limit), bytes(*needed))?;
            }
            Self::Interrupted { .. } => f.write_str("interrupted")?,
        }
        match stage {
            Stage::Exploring => write!(f, ": {done} states found, {waiting} of them still to expand"),
            Stage::Ordering => write!(f, ": {done} states found, before putting them in order"),
            Stage::Solving => write!(f, ": {done} states solved, {waiting} to go"),
        }
    }
}

impl std::error::Error for Stopped {}
