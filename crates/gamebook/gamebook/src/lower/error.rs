//! Errors of compilation.

use std::fmt;

use budget::Stopped;

use crate::book::LOCAL_NUMBERS;
use crate::program::{LAST_PLACE, StateTooLarge};
use crate::terms::SectionNumber;

/// The most parts of a section: nested choices between numbers multiply.
pub(crate) const MOST_PARTS: usize = 1 << 20;

/// Why a book could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileError {
    /// It has more to remember than a state can hold.
    StateTooLarge(StateTooLarge),
    /// It has more steps than a state can address.
    TooLarge {
        /// The section at which the limit was exceeded.
        section: SectionNumber,
    },
    /// A series has too many sections, over all sets of disciplines.
    TooLong {
        /// The number of books, over all sets of disciplines.
        stages: usize,
    },
    /// A name can take a value that is out of range.
    Number {
        /// The section.
        section: SectionNumber,
        /// The name.
        name: String,
        /// The value.
        number: i32,
    },
    /// A node of a system of rules has no meaning where it is used.
    Rules {
        /// The section of the node.
        section: SectionNumber,
        /// What is wrong.
        message: String,
    },
    /// What is to be forgotten decides a chance or the hero's health.
    Forgotten {
        /// The section in which it does.
        section: SectionNumber,
        /// Its name.
        name: String,
    },
    /// The computation was stopped or reached a limit.
    Stopped(Stopped),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StateTooLarge(error) => write!(f, "{error}"),
            Self::TooLarge { section } => write!(
                f,
                "section {section} is too large: choices between numbers within each other multiply ({MOST_PARTS} \
                 parts of a section and {} steps of a book are possible)",
                u64::from(LAST_PLACE) + 1
            ),
            Self::TooLong { stages } => write!(
                f,
                "the series is too long: with all that its hero can learn there are {stages} books; say what he learns"
            ),
            Self::Number { section, name, number } => {
                let (least, most) = (LOCAL_NUMBERS.start(), LOCAL_NUMBERS.end());
                write!(f, "in section {section} `{name}` could be {number}: {least} to {most} are possible")
            }
            Self::Rules { section, message } => write!(f, "in section {section}: {message}"),
            Self::Forgotten { section, name } => {
                write!(
                    f,
                    "`{name}` cannot be forgotten: in section {section} it decides a chance, or what is left of the hero's life"
                )
            }
            Self::Stopped(stopped) => write!(f, "{stopped}"),
        }
    }
}

impl std::error::Error for CompileError {}

impl From<Stopped> for CompileError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<StateTooLarge> for CompileError {
    fn from(error: StateTooLarge) -> Self {
        Self::StateTooLarge(error)
    }
}
