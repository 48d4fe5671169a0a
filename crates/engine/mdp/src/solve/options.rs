//! Options of solving a model.

use budget::Budget;

use super::method::Method;
use crate::explore::ExploreOptions;
use crate::solution::Sense;

/// Options of [`solve`](crate::solve()).
///
/// ```
/// use mdp::{ExploreOptions, Sense, SolveOptions};
///
/// let threads = ExploreOptions::default().with_threads(2);
/// let options = SolveOptions::from(threads).with_sense(Sense::Min).with_exact(true);
/// assert!(options.exact && options.threads == Some(2));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SolveOptions<'a> {
    /// Whether to compute every value exactly, and to prove every set of best choices. Otherwise values are bounds in
    /// floating point, and all choices with overlapping bounds count as best. A game with several ordered payoffs is
    /// always solved exactly.
    pub exact: bool,
    /// Whether values are maximised or minimised.
    pub sense: Sense,
    /// The limits and the receiver of progress. The limit on memory includes the model. `None` stands for the default limits.
    pub budget: Option<&'a Budget<'a>>,
    /// The number of threads; `None` for one on each core. The result is the same.
    pub threads: Option<usize>,
    /// Whether a play that never ends has an infinite total, even if it earns nothing. PRISM and Storm define the
    /// expected total until a goal in this way, which suits costs of reaching a goal. Otherwise the total of such a play
    /// is the sum of its rewards.
    pub must_end: bool,
    /// The method for strongly connected components.
    pub method: Method,
    /// The target for the relative difference between the bounds of a value in a strongly connected component; a smaller
    /// one takes longer. Rounding alone leaves about 1e-16 for each level of the model. The target may be missed: the
    /// bounds show what was attained.
    pub precision: f64,
}

/// The default precision of [`SolveOptions`].
pub const PRECISION: f64 = 1e-9;

impl Default for SolveOptions<'_> {
    fn default() -> Self {
        Self {
            exact: false,
            sense: Sense::default(),
            budget: None,
            threads: None,
            must_end: false,
            method: Method::default(),
            precision: PRECISION,
        }
    }
}

impl<'a> SolveOptions<'a> {
    /// Exact values, otherwise the default.
    pub fn exact() -> Self {
        Self::default().with_exact(true)
    }

    /// The same, exactly or in floating point.
    #[must_use]
    pub fn with_exact(self, exact: bool) -> Self {
        Self { exact, ..self }
    }

    /// The same with values maximised or minimised.
    #[must_use]
    pub fn with_sense(self, sense: Sense) -> Self {
        Self { sense, ..self }
    }

    /// The same within this budget.
    #[must_use]
    pub fn with_budget(self, budget: &'a Budget<'a>) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// The same where play must end, or need not: see [`must_end`](Self::must_end).
    ///
    /// ```
    /// use mdp::{Distribution, Game, Sense, SolveOptions, Turn, ratio, solve_game_with};
    ///
    /// /// From room 0 a ferry leads to the goal for three coins; to walk to and fro between the rooms costs nothing.
    /// struct Island;
    ///
    /// impl Game for Island {
    ///     type State = u8;
    ///     type Action = ();
    ///
    ///     fn starts(&self) -> Vec<Distribution<u8>> {
    ///         vec![Distribution::certain(0)]
    ///     }
    ///
    ///     fn rules(&self, room: &u8, turn: &mut Turn<u8>) {
    ///         match room {
    ///             0 => {
    ///                 turn.to(1);
    ///                 turn.earn(3).to(2);
    ///             }
    ///             1 => turn.to(0),
    ///             _ => turn.end(0),
    ///         }
    ///     }
    /// }
    ///
    /// let least = SolveOptions::exact().with_sense(Sense::Min);
    /// assert_eq!(solve_game_with(&Island, &least)?.start_value().exact, Some(ratio(0, 1)));
    /// assert_eq!(solve_game_with(&Island, &least.with_must_end(true))?.start_value().exact, Some(ratio(3, 1)));
    /// # Ok::<(), mdp::GameError>(())
    /// ```
    #[must_use]
    pub fn with_must_end(self, must_end: bool) -> Self {
        Self { must_end, ..self }
    }

    /// The same with this method for strongly connected components.
    #[must_use]
    pub fn with_method(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// The same with this [`precision`](Self::precision).
    #[must_use]
    pub fn with_precision(self, precision: f64) -> Self {
        Self { precision, ..self }
    }

    /// The same with this number of threads, at least 1.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads: Some(threads), ..self }
    }
}

impl<'a> From<ExploreOptions<'a>> for SolveOptions<'a> {
    /// The default with the same budget and threads.
    fn from(options: ExploreOptions<'a>) -> Self {
        Self { budget: options.budget, threads: options.threads, ..Self::default() }
    }
}
