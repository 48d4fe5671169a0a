//! Systems of linear equations: sparse elimination over any field, and exact solutions by lifting.

mod field;
mod fractions;
mod lift;
mod order;
mod triangles;

pub(crate) use lift::solve_exactly;
pub(crate) use order::order_within;
pub(crate) use triangles::Triangles;

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

/// An order in which to eliminate, whatever it costs.
pub(crate) fn elimination_order<F>(rows: &[Row<F>], effort: Effort<'_>) -> Vec<u32> {
    let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    let columns = |row: u32| rows[row as usize].iter().map(|(column, _)| *column);
    match order_within(count, columns, f64::INFINITY, effort.budget) {
        Ok(Some(order)) => order,
        // It will not be eliminated.
        Ok(None) | Err(_) => (0..count).collect(),
    }
}
