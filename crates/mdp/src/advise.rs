//! What to do now: every choice of one state with its value, best first.

use crate::model::{Choice, Model, StateId};
use crate::rational::{Rational, exactly};
use crate::settle::settle;
use crate::solve::{Solution, SolveError, SolveOptions, Value};

/// A choice and what it is worth if play is best from there on.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The number of the choice, in the order of the state's rules.
    pub choice: u32,
    /// Its value in the first objective.
    pub value: Value,
    /// Whether no other choice is better, all objectives considered in order.
    pub best: bool,
}

/// Every choice of a state, best first; what is equally good stays in the order of the rules. Empty
/// for a finished state.
///
/// Choices that a solution in floating point cannot tell apart are settled exactly here, by solving
/// what can be reached from this state through choices that could be best; `options` limits that.
///
/// # Errors
/// When a limit is reached while settling.
pub fn advise(
    model: &Model,
    solution: &Solution,
    state: StateId,
    options: &SolveOptions<'_>,
) -> Result<Vec<Advice>, SolveError> {
    let mut advice: Vec<Advice> = (0..)
        .zip(model.choices(state))
        .map(|(number, choice)| Advice {
            choice: number,
            value: solution.value_of_choice(model, 0, &choice),
            best: solution.best().contains(state, number),
        })
        .collect();
    if !solution.is_exact() && solution.best().count(state) > 1 {
        let settled = settle(model, solution.best(), state, options)?;
        for (advice, value) in advice.iter_mut().filter(|advice| advice.best).zip(settled) {
            advice.best = value.best;
            advice.value = value.value;
        }
    }
    advice.sort_by(|a, b| {
        // A total order, whichever of the values are exact.
        let decimal = a.value.decimal().total_cmp(&b.value.decimal());
        let value = decimal.then_with(|| a.value.exact.cmp(&b.value.exact));
        b.best.cmp(&a.best).then(options.sense.order(value).reverse())
    });
    Ok(advice)
}

impl Solution {
    /// What a choice is worth in one of the objectives (counted from 0), if play is best from there on.
    ///
    /// # Panics
    /// When there is no such objective.
    pub fn value_of_choice(&self, model: &Model, objective: usize, choice: &Choice<'_>) -> Value {
        let total = Rational::from(model.weights().total(choice.weights));
        let reward = choice
            .reward
            .filter(|_| objective == 0)
            .map_or(Rational::ZERO, |reward| model.rewards()[reward as usize].clone());
        let weights = model.weights().weight_list(choice.weights);
        let mean = |of: &dyn Fn(&Value) -> Option<Rational>| {
            let mut sum = Rational::ZERO;
            for (target, weight) in choice.targets.iter().zip(&weights) {
                sum += of(&self.value_in(objective, *target))? * Rational::from(weight.clone());
            }
            Some(sum / &total + &reward)
        };
        if let Some(value) = mean(&|value| value.exact.clone()) {
            return Value::exactly(value);
        }
        // One choice of one state: the bounds of its targets are put together without rounding.
        let lower = mean(&|value| exactly(value.lower)).map_or(f64::NEG_INFINITY, |value| crate::enclose(&value).0);
        let upper = mean(&|value| exactly(value.upper)).map_or(f64::INFINITY, |value| crate::enclose(&value).1);
        Value { lower, upper, exact: None }
    }
}
