//! Systems of linear equations: sparse elimination over any field, and exact solutions by lifting.

mod digits;
mod field;
mod integers;
mod lift;
mod order;
mod remainder;
mod system;
mod triangles;

pub(crate) use lift::solve_exactly;
pub(crate) use order::{elimination_order, order_within};
pub(crate) use system::{Effort, EliminationError, Row};
