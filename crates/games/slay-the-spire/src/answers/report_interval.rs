//! Time to tell what was found, when a run is over before its end.

use budget::Budget;

/// The share of a limit on time that looking for best play may take before what it left open is played out.
const SEARCH: f64 = 0.78;
/// The share that may be over when what was left open has been played out: to add up what a large run found takes its
/// time, too.
const PLAY: f64 = 0.93;

/// Does `work` with two budgets whose time is over before that of `budget`: one to look for best play, a longer one to
/// play out what that left open. Then bounds can still be told.
pub(crate) fn leaving_time<T>(budget: &Budget<'_>, work: impl FnOnce(&Budget<'_>, &Budget<'_>) -> T) -> T {
    let rest = budget.part(PLAY);
    work(&rest.part(SEARCH), &rest)
}

#[cfg(test)]
mod tests;
