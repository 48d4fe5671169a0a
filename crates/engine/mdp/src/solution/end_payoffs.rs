//! Payoffs of finished states in place of the model's.

use std::sync::Arc;

use crate::model::StateId;

/// Payoffs of single finished states, in place of those of their model: for models whose payoff table should stay
/// small.
///
/// ```
/// use mdp::advanced::{EndPayoffs, solve_with};
/// use mdp::{ModelBuilder, Rational, SolveOptions};
///
/// // A coin decides between two ends.
/// let mut builder = ModelBuilder::new();
/// let coin = builder.weights(&[1, 1])?;
/// builder.choice(coin, &[1, 2])?;
/// builder.finish_state()?;
/// builder.finished(&[Rational::ZERO])?;
/// builder.finished(&[Rational::ZERO])?;
/// let model = builder.build(None)?.model;
/// let ends = EndPayoffs::new(&[(1, 0.25), (2, 0.75)]);
/// assert_eq!(solve_with(&model, &ends, &SolveOptions::default())?.value(0).decimal(), 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct EndPayoffs {
    /// The first state that pays.
    first: StateId,
    /// The payoffs of that state and those after it; negative where the model's payoff applies. Solutions share them.
    paid: Arc<[f64]>,
    /// The smallest payoff above 0, and the largest.
    pub(crate) smallest: Option<f64>,
    pub(crate) largest: f64,
}

impl EndPayoffs {
    /// Finished states with their payoffs.
    ///
    /// # Panics
    /// When one is negative or not a number.
    pub fn new(paid: &[(StateId, f64)]) -> Self {
        let numbers = || paid.iter().map(|(state, _)| *state);
        let (Some(first), Some(last)) = (numbers().min(), numbers().max()) else { return Self::default() };
        let mut ends = Self { first, ..Self::default() };
        let mut all = vec![-1.0; (last - first) as usize + 1];
        for &(state, paid) in paid {
            assert!(paid >= 0.0, "a finished state pays at least 0");
            all[(state - first) as usize] = paid;
            ends.largest = ends.largest.max(paid);
            if paid > 0.0 {
                ends.smallest = Some(ends.smallest.map_or(paid, |least| least.min(paid)));
            }
        }
        ends.paid = all.into();
        ends
    }

    /// The payoff of a state, if it differs from the model's.
    pub(crate) fn of(&self, state: StateId) -> Option<f64> {
        let index = state.checked_sub(self.first)?;
        self.paid.get(index as usize).copied().filter(|paid| *paid >= 0.0)
    }

    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&self.paid[..]) as u64
    }
}
