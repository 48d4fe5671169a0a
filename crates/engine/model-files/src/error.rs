//! Errors in a file, with their position.

use std::fmt;

use budget::Stopped;

/// A position in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// The file as a whole.
    File,
    /// A line of a text file and a byte of that line, both counted from 1.
    Line {
        /// The line.
        line: u64,
        /// The byte within the line.
        column: u64,
    },
    /// A part of an archive.
    Part {
        /// The part's path in the archive.
        name: String,
    },
    /// An entry of a binary part of an archive.
    Entry {
        /// The part's path in the archive.
        name: String,
        /// Which entry, counted from 0.
        index: u64,
        /// Where it begins: the byte within the part, counted from 0.
        offset: u64,
    },
    /// An entry of an array that was given, counted from 0.
    Item {
        /// The array's name.
        array: &'static str,
        /// Which entry.
        index: u64,
    },
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("the file"),
            Self::Line { line, column } => write!(f, "line {line}, column {column}"),
            Self::Part { name } => f.write_str(name),
            Self::Entry { name, index, offset } => write!(f, "{name}, entry {index} (byte {offset})"),
            Self::Item { array, index } => write!(f, "{array}[{index}]"),
        }
    }
}

/// Why a model could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The file is damaged, or contains no supported model: where, what is wrong, and what would be right.
    Bad {
        /// Where in the file.
        place: Location,
        /// What is wrong.
        problem: String,
        /// What would be right.
        remedy: String,
    },
    /// The budget stopped the run: a limit, or an interruption.
    Stopped(Stopped),
}

impl From<Stopped> for ReadError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl ReadError {
    pub(crate) fn new(place: Location, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Bad { place, problem: problem.into(), remedy: remedy.into() }
    }

    pub(crate) fn file(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(Location::File, problem, remedy)
    }

    pub(crate) fn part(name: &str, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(Location::Part { name: name.into() }, problem, remedy)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bad { place, problem, remedy } => write!(f, "{place}: {problem} ({remedy})"),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}
