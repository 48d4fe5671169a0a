//! What systems of equations are made of, and how much work one may be.

use budget::{Budget, Stopped};

/// A sparse row: columns and what stands there.
pub(crate) type Row<F> = Vec<(u32, F)>;

/// Why a matrix could not be eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EliminationError {
    /// A pivot is zero: singular, or singular modulo the prime.
    Singular,
    /// The triangles, or the digits of the solution, need more entries than allowed.
    TooLarge,
    /// The budget said stop.
    Stopped(Stopped),
}

/// How much work a system of equations may be.
#[derive(Clone, Copy)]
pub(crate) struct Effort<'a> {
    /// Entries of the triangles, of 64 bytes (a bound of what they take with all that belongs to them).
    pub(crate) most_entries: usize,
    /// Asked again and again whether to stop.
    pub(crate) budget: &'a Budget<'a>,
}

impl From<Stopped> for EliminationError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}
