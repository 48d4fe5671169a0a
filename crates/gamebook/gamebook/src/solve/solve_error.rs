//! Errors of solving a book.

use std::fmt;

use budget::{Reason, Stopped};
use mdp::{ExploreError, SolveError, Value};

use crate::book::HeroError;
use crate::lower::CompileError;
use crate::terms::SectionNumber;

/// Why a book could not be solved.
#[derive(Debug)]
pub enum SolveBookError {
    /// The hero cannot exist.
    Hero(HeroError),
    /// There is no such section.
    NoSection(SectionNumber),
    /// There is no such book in the series.
    NoBook {
        /// How many there are.
        books: usize,
    },
    /// The current ENDURANCE is 0 or above the maximum.
    Endurance {
        /// The value given.
        now: u8,
        /// The maximum.
        most: u16,
    },
    /// The book cannot be compiled for this hero.
    Compile(CompileError),
    /// The computation was stopped or reached a limit.
    Stopped(Stopped),
    /// The same, after bounds but before exact values were found.
    StoppedWithBounds {
        /// Why, and the progress of the run.
        stopped: Stopped,
        /// Bounds of the probability of winning.
        win: Value,
    },
    /// The engine failed.
    Engine(String),
    /// A part could not be stored or loaded.
    Shelf(String),
}

impl fmt::Display for SolveBookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hero(error) => write!(f, "{error}"),
            Self::NoSection(section) => write!(f, "there is no section {section}"),
            Self::NoBook { books } => write!(f, "there is no such book: the series has {books}"),
            Self::Endurance { now, most } => write!(f, "an endurance of {now}: this hero can have 1 to {most}"),
            Self::Compile(error) => write!(f, "{error}"),
            Self::Stopped(stopped) | Self::StoppedWithBounds { stopped, .. } => write!(f, "{stopped}"),
            Self::Engine(error) | Self::Shelf(error) => f.write_str(error),
        }
    }
}

impl std::error::Error for SolveBookError {}

impl SolveBookError {
    /// Whether the limit on states or memory was exceeded.
    pub(crate) fn is_too_large(&self) -> bool {
        matches!(self, Self::Stopped(Stopped { reason: Reason::States { .. } | Reason::Memory { .. }, .. }))
    }
}

impl From<Stopped> for SolveBookError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<CompileError> for SolveBookError {
    fn from(error: CompileError) -> Self {
        match error {
            CompileError::Stopped(stopped) => Self::Stopped(stopped),
            other => Self::Compile(other),
        }
    }
}

impl From<ExploreError> for SolveBookError {
    fn from(error: ExploreError) -> Self {
        match error {
            ExploreError::Stopped(stopped) => Self::Stopped(stopped),
            other => Self::Engine(other.to_string()),
        }
    }
}

impl From<SolveError> for SolveBookError {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Stopped(stopped) | SolveError::StoppedWithBounds { stopped, .. } => Self::Stopped(stopped),
            other => Self::Engine(other.to_string()),
        }
    }
}
