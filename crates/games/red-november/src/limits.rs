//! The limits of a search.

use std::fmt;

use crate::words::minutes;

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most states (gnome, rooms, and the relevant part of the path) that are visited. The search may also examine
    /// hatches [`LOOKS_PER_STATE`] times as often, which only boats of very many hatches need.
    pub states: usize,
    /// Memory, in bytes, counted so that the true use is less.
    pub bytes: usize,
}

impl Default for Limits {
    /// 250,000 states, some six times what any of many random boards of the boat in the box needs; one gibibyte.
    fn default() -> Self {
        Self { states: 250_000, bytes: 1 << 30 }
    }
}

/// How many examinations of a hatch [`Limits::states`] allows for each state.
pub const LOOKS_PER_STATE: usize = 200;

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::states`].
    States,
    /// [`LOOKS_PER_STATE`] for each of [`Limits::states`].
    Looks,
    /// [`Limits::bytes`].
    Bytes,
    /// The answer was no longer wanted.
    NotWanted,
}

/// A search that ended at a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitReached {
    /// The limit.
    pub limit: Limit,
    /// How many states had been visited.
    pub states: usize,
    /// All plans of up to this many minutes had been found, if any: a question with
    /// [`Question::within`](crate::Question::within) set to this will be answered.
    pub complete: Option<u32>,
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = match self.limit {
            Limit::States => "states",
            Limit::Looks => "looks at hatches",
            Limit::Bytes => "memory",
            Limit::NotWanted => return write!(f, "the search was stopped after {} states", self.states),
        };
        write!(f, "the search stopped at its limit of {limit} after {} states", self.states)?;
        match self.complete {
            Some(count) => write!(f, ", with all plans of up to {} found", minutes(count)),
            None => f.write_str(", before any plan was certain"),
        }
    }
}

impl std::error::Error for LimitReached {}
