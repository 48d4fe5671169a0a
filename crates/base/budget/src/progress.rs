//! How far a run has come, and who is told.

use std::ops::ControlFlow;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// What is done already, in the stage's [`unit`](Stage::unit).
    pub done: u64,
    /// What is known to be left. While exploring, more may turn up; 0 where nobody knows.
    pub waiting: u64,
    /// Bytes in use, as far as they are counted.
    pub memory: u64,
}

impl Progress {
    /// Nothing done yet.
    pub const NONE: Self = Self { stage: Stage::Reading, done: 0, waiting: 0, memory: 0 };
}

/// The stages of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading a file.
    Reading,
    /// Looking for mistakes and for what an author wants to know.
    Checking,
    /// Turning a book and a hero into a program.
    Compiling,
    /// Finding all states that can be reached.
    Exploring,
    /// Finding the order in which they can be solved.
    Ordering,
    /// Giving every state its value.
    Solving,
    /// Following best play: visit probabilities.
    Following,
    /// Playing with dice.
    Simulating,
    /// Solving a book for one hero after another.
    Heroes,
    /// Changing one number of a book after another.
    Numbers,
    /// Writing files.
    Writing,
}

impl Stage {
    /// What is being done, in one word: `exploring`.
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

    /// What [`Progress::done`] counts: `states`, `bytes`, ..., or nothing that has a name.
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

/// Told about progress every few milliseconds, from one thread at a time;
/// `ControlFlow::Break(())` stops the run.
pub type Watch<'a> = &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// A [`Watch`] that does not look.
pub const UNWATCHED: Watch<'static> = &|_| ControlFlow::Continue(());
