//! How a game is explored.

use budget::Budget;

/// How to [`explore`](crate::explore()).
///
/// ```
/// use budget::{Budget, Limits};
/// use mdp::ExploreOptions;
///
/// let budget = Budget::new(Limits { max_states: 1_000_000, ..Limits::default() });
/// let options = ExploreOptions::default().with_budget(&budget).with_threads(1);
/// assert_eq!(options.threads, Some(1));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ExploreOptions<'a> {
    /// Limits, and where progress is reported; `None` for a budget of its own with the default limits.
    pub budget: Option<&'a Budget<'a>>,
    /// How many threads; `None` for one on each core. The result is the same.
    pub threads: Option<usize>,
}

impl<'a> ExploreOptions<'a> {
    /// The same within this budget.
    #[must_use]
    pub fn with_budget(self, budget: &'a Budget<'a>) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// The same with this number of threads, at least 1.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads: Some(threads), ..self }
    }
}
