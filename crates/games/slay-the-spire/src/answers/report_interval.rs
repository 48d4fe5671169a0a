//! Time reserved for the report when a run is stopped early.

use budget::Budget;

/// The share of a time limit after which the search for best play must leave the rest to simulation.
const SEARCH: f64 = 0.78;
/// The share of a time limit after which the simulation of the rest must end: adding up the results of a large run
/// takes time, too.
const PLAY: f64 = 0.93;

/// Runs `work` with two budgets that end before `budget`: one to search for best play, a longer one to simulate what
/// the search left open. Then there is time left to report bounds.
pub(crate) fn leaving_time<T>(budget: &Budget<'_>, work: impl FnOnce(&Budget<'_>, &Budget<'_>) -> T) -> T {
    let rest = budget.part(PLAY);
    work(&rest.part(SEARCH), &rest)
}

#[cfg(test)]
mod tests;
