//! How often a long loop asks its budget.

use budget::{Budget, Stopped};

/// Asks the budget at some of the states (or steps) that a loop goes through: often enough, and so seldom that
/// it costs nothing.
pub(crate) fn look(budget: &Budget<'_>, count: u32) -> Result<(), Stopped> {
    if count.is_multiple_of(1 << 10) { budget.check() } else { Ok(()) }
}
