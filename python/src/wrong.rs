//! Turns errors of the engine into exceptions of Python.

use std::fmt::Display;

use budget::{Reason, Stopped};
use gamebook::{ArgumentError, SolveBookError};
use mdp::{BuildError, SolveError};
use model_files::{ExpressionError, ReadError};
use model_questions::{Unprepared, Unusable};
use pyo3::PyErr;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyRuntimeError, PyTimeoutError, PyValueError};

/// Why there is no answer.
#[derive(Debug)]
pub enum Wrong {
    /// The input: `ValueError`.
    Bad(String),
    /// A limit stopped the run; with the result known by then.
    Stopped(Stopped, Option<String>),
    /// Something else.
    Failed(String),
}

impl Wrong {
    /// An error of the input, with help.
    pub fn bad(message: impl Display, help: impl Display) -> Self {
        Self::Bad(format!("{message} ({help})"))
    }
}

impl From<Wrong> for PyErr {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Bad(problem) => PyValueError::new_err(problem),
            Wrong::Failed(problem) => PyRuntimeError::new_err(problem),
            Wrong::Stopped(stopped, known) => {
                let known = known.map(|known| format!("; known by then: {known}")).unwrap_or_default();
                let help = |limit: &str| format!("{stopped}{known} (raise {limit}, or ask about less)");
                match stopped.reason {
                    Reason::Interrupted => PyKeyboardInterrupt::new_err(()),
                    Reason::States { .. } => PyValueError::new_err(help("max_states")),
                    Reason::Memory { .. } => PyMemoryError::new_err(help("max_memory")),
                    Reason::Time { .. } => PyTimeoutError::new_err(help("max_time")),
                }
            }
        }
    }
}

impl From<Stopped> for Wrong {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped, None)
    }
}

impl From<BuildError> for Wrong {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Stopped(stopped) => stopped.into(),
            error => Self::Bad(error.to_string()),
        }
    }
}

impl From<model_files::BuildError> for Wrong {
    fn from(error: model_files::BuildError) -> Self {
        match error {
            model_files::BuildError::Stopped(stopped) => stopped.into(),
            error @ model_files::BuildError::Invalid(_) => Self::Bad(error.to_string()),
        }
    }
}

impl From<ReadError> for Wrong {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Stopped(stopped) => stopped.into(),
            error @ ReadError::Bad { .. } => Self::Bad(error.to_string()),
        }
    }
}

impl From<ExpressionError> for Wrong {
    fn from(error: ExpressionError) -> Self {
        match error {
            ExpressionError::Stopped(stopped) => stopped.into(),
            error @ ExpressionError::Bad { .. } => Self::Bad(error.to_string()),
        }
    }
}

impl From<Unprepared> for Wrong {
    fn from(error: Unprepared) -> Self {
        match error {
            Unprepared::Build(error) => error.into(),
            Unprepared::Undefined(unusable) => unusable.into(),
        }
    }
}

impl From<Unusable> for Wrong {
    fn from(unusable: Unusable) -> Self {
        Self::Bad(unusable.to_string())
    }
}

impl From<ArgumentError> for Wrong {
    fn from(error: ArgumentError) -> Self {
        Self::bad(&error.message, &error.help)
    }
}

impl From<SolveError> for Wrong {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Stopped(stopped) | SolveError::StoppedWithBounds { stopped, .. } => stopped.into(),
            SolveError::NegativeReward
            | SolveError::InfiniteTotal
            | SolveError::NeverLeaves { .. }
            | SolveError::ValueTooLarge
            | SolveError::Precision { .. } => Self::Bad(error.to_string()),
            SolveError::SccTooLarge { .. } | SolveError::TooLarge => {
                Self::Failed(format!("{error} (raise max_memory, or leave out exact)"))
            }
        }
    }
}

impl From<SolveBookError> for Wrong {
    fn from(error: SolveBookError) -> Self {
        match error {
            SolveBookError::Stopped(stopped) => stopped.into(),
            SolveBookError::StoppedWithBounds { stopped, win } => {
                let known = format!("the probability to win is between {} and {}", win.lower, win.upper);
                Self::Stopped(stopped, Some(known))
            }
            SolveBookError::Engine(problem) | SolveBookError::Shelf(problem) => Self::Failed(problem),
            SolveBookError::Hero(_) => Self::bad(error, "give what the rules and the book allow"),
            SolveBookError::NoSection(_) => Self::bad(error, "name a section of the book"),
            SolveBookError::NoBook { .. } => Self::bad(error, "name a book of the series"),
            SolveBookError::Endurance { .. } => Self::bad(error, "give max_endurance for a hero who began with more"),
            SolveBookError::Compile(_) => {
                Self::bad(error, "let the section do less, or declare fewer items and counters")
            }
        }
    }
}
