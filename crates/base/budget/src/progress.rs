//! The progress of a run, and the function that watches it.

use std::ops::ControlFlow;

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The current stage.
    pub stage: Stage,
    /// The work done, in the stage's [`unit`](Stage::unit).
    pub done: u64,
    /// The work known to be left: the frontier during exploration, which can still grow; 0 if unknown.
    pub waiting: u64,
    /// Bytes in use, as far as they are counted.
    pub memory: u64,
}

impl Progress {
    /// The progress at the beginning.
    pub const NONE: Self = Self { stage: Stage::Reading, done: 0, waiting: 0, memory: 0 };
}

/// The stages of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading a file.
    Reading,
    /// Checking a book for mistakes, and for information that an author wants.
    Checking,
    /// Compiling a book and a hero into a program.
    Compiling,
    /// Discovering all states that can be reached.
    Exploring,
    /// Computing the order in which they are solved.
    Ordering,
    /// Computing the value of every state.
    Solving,
    /// Computing visit probabilities under best play.
    Following,
    /// Simulating plays.
    Simulating,
    /// Solving a book for one hero after another.
    Heroes,
    /// Solving a book for one changed number after another.
    Numbers,
    /// Writing files.
    Writing,
}

impl Stage {
    /// The stage in one word: `exploring`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Checking => "checking",
            Self::Compiling => "compiling",
            Self::Exploring => "exploring",
            Self::Ordering => "ordering",
            Self::Solving => "solving",
            Self::Following => "following best play",
            Self::Simulating => "simulating",
            Self::Heroes => "solving for all heroes",
            Self::Numbers => "changing numbers",
            Self::Writing => "writing",
        }
    }

    /// The unit of [`Progress::done`]: `states`, `bytes`, ..., or empty.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Reading | Self::Writing => "bytes",
            Self::Checking | Self::Compiling => "",
            Self::Simulating => "plays",
            Self::Heroes => "heroes",
            Self::Numbers => "numbers",
            Self::Exploring | Self::Ordering | Self::Solving | Self::Following => "states",
        }
    }
}

/// Called with progress every few milliseconds, from one thread at a time; `ControlFlow::Break(())` stops the run.
pub type Watch<'a> = &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// A [`Watch`] that does nothing.
pub const UNWATCHED: Watch<'static> = &|_| ControlFlow::Continue(());
