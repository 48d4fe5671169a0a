//! The types of systems of equations, and limits on their work.

use budget::{Budget, Stopped};

/// A sparse row: columns and their entries.
pub(crate) type Row<F> = Vec<(u32, F)>;

/// Why a matrix could not be eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EliminationError {
    /// A pivot is zero: singular, or singular modulo the prime.
    Singular,
    /// The triangles, or the digits of the solution, need more entries than allowed.
    TooLarge,
    /// The budget stopped the run.
    Stopped(Stopped),
}

/// How much work a system of equations may take.
#[derive(Clone, Copy)]
pub(crate) struct Effort<'a> {
    /// The most entries of the triangles, of 64 bytes each (an upper bound of their memory with everything that belongs
    /// to them).
    pub(crate) most_entries: usize,
    /// Checked again and again.
    pub(crate) budget: &'a Budget<'a>,
}

impl From<Stopped> for EliminationError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}
