//! The interval of a choice whose probabilities floating point cannot represent well.

use super::objective::Objective;
use crate::model::{Choice, StateId};
use crate::numbers::{Rational, enclose, exactly};
use crate::solution::INFINITE;

/// The interval of one choice, rounded once: for probabilities that floating point cannot represent well.
#[cold]
pub(crate) fn interval_in_fractions(
    objective: &Objective<'_>,
    choice: &Choice<'_>,
    of: impl Fn(StateId) -> (f64, f64),
) -> (f64, f64) {
    if choice.targets.iter().any(|target| INFINITE == <[f64; 2]>::from(of(target))) {
        return INFINITE.into();
    }
    let weights = objective.model.weights();
    let reward = objective.reward(choice).and(choice.reward).map(|reward| &objective.model.rewards()[reward as usize]);
    let end = |which: fn((f64, f64)) -> f64| -> Option<Rational> {
        let list = weights.weight_list(choice.weights);
        let sum = choice.targets.iter().zip(list).try_fold(Rational::ZERO, |sum, (target, weight)| {
            Some(sum + exactly(which(of(target)))? * Rational::from(weight))
        })?;
        let mean = sum / Rational::from(weights.total(choice.weights));
        Some(reward.map_or(mean.clone(), |reward| mean + reward))
    };
    // `None` where an end is infinite.
    let lower = end(|ends| ends.0).map_or(0.0, |lower| enclose(&lower).0);
    let upper = end(|ends| ends.1).map_or(f64::INFINITY, |upper| enclose(&upper).1);
    (lower, upper)
}
