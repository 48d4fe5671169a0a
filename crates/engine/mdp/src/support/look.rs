//! How often a long loop checks its budget.

use budget::{Budget, Stopped};

/// Checks the budget at some of the states (or steps) of a loop: often enough, and so rarely that it costs nothing.
pub(crate) fn look(budget: &Budget<'_>, count: u32) -> Result<(), Stopped> {
    if count.is_multiple_of(1 << 10) { budget.check() } else { Ok(()) }
}
