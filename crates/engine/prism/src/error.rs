//! Errors in a model, with their position.

use std::fmt;

use budget::Stopped;
use model_files::BuildError;

/// A position in a text: line and column, from 1. Columns count characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The text.
    pub(crate) source: Source,
}

/// The text that a position refers to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Source {
    /// The model.
    #[default]
    Model,
    /// This constant (by its index in the list) that was given with the model, from this character of `NAME=VALUE` on.
    Constant(usize, u32),
    /// This expression (by its index in the list) in a request, from this character on.
    Expression(usize, u32),
}

/// Why a model could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The text is invalid, or requires something that is not supported.
    Bad {
        /// Where; `None` if it concerns the whole text.
        at: Option<At>,
        /// What is wrong.
        problem: String,
        /// What would be right.
        remedy: String,
    },
    /// Something given with the text is invalid.
    Given {
        /// What was given.
        what: Given,
        /// All of it: the expression, or `NAME=VALUE`.
        text: String,
        /// Where in it, in characters from 1.
        column: u32,
        /// What is wrong.
        problem: String,
        /// What would be right.
        remedy: String,
    },
    /// There is no state of the requested number.
    NoState {
        /// How many there are.
        states: u32,
    },
    /// The budget stopped the run: a limit, or an interruption.
    Stopped(Stopped),
}

/// Something given with a model's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// The value of a constant.
    Constant,
    /// An expression in a request.
    Expression,
}

impl Error {
    pub(crate) fn new(at: At, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Bad { at: Some(at), problem: problem.into(), remedy: remedy.into() }
    }

    /// The error for those who gave these constants and expressions: a position in one of them is reported with its
    /// text.
    pub(crate) fn for_given(self, constants: &[(&str, &str)], expressions: &[&str]) -> Self {
        let Self::Bad { at: Some(at), problem, remedy } = self else { return self };
        let (what, text, before) = match at.source {
            Source::Model => return Self::Bad { at: Some(at), problem, remedy },
            Source::Constant(place, from) => {
                let (name, value) = constants[place];
                (Given::Constant, format!("{name}={value}"), from as usize)
            }
            Source::Expression(place, from) => (Given::Expression, expressions[place].to_string(), from as usize),
        };
        // A text of several lines counts as one.
        let of_line = |line: &str| line.chars().count() + 1;
        let lines = text.chars().skip(before).collect::<String>();
        let earlier: usize = lines.split('\n').take(at.line as usize - 1).map(of_line).sum();
        let column = u32::try_from(before + earlier).unwrap_or(u32::MAX).saturating_add(at.column);
        Self::Given { what, text, column, problem, remedy }
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
            Self::Bad { at: Some(At { line, column, .. }), problem, remedy } => {
                write!(f, "line {line}, column {column}: {problem} ({remedy})")
            }
            Self::Bad { at: None, problem, remedy } => write!(f, "{problem} ({remedy})"),
            Self::Given { text, column, problem, remedy, .. } => {
                write!(f, "`{text}`, column {column}: {problem} ({remedy})")
            }
            Self::NoState { states } => write!(f, "there is no such state: the model has {states}, numbered from 0"),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl std::error::Error for Error {}
