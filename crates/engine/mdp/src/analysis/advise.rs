//! What to do now: every choice of one state with its value, the one to take first.

use budget::Budget;

use super::resolve_ties::settle;
use super::standing::Standing;
use crate::model::StateId;
use crate::numbers::Value;
use crate::solution::{Solution, SolveError};

/// A choice and what it is worth if play is best from there on.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The number of the choice, in the order of the state's rules.
    pub choice: u32,
    /// Its value in the first objective.
    pub value: Value,
    /// Whether no other choice is better, all objectives considered in order.
    pub best: bool,
    /// How it stands beside the one that is to be taken: who takes what stands first, wherever play comes to, attains the value.
    pub standing: Standing,
}

/// Every choice of a state: the one that is to be taken, what is equally good in the order of the rules (what only leads back
/// after the others), and the rest, best first. Empty for a finished state.
///
/// Choices that a solution in floating point cannot tell apart are settled exactly here, by solving
/// what can be reached from this state through choices that could be best: what is then called best is proved
/// to be. `budget` limits that; `None` for a budget of its own with the default limits.
///
/// # Errors
/// When the budget says stop while settling.
///
/// # Panics
/// When there is no such state.
pub fn advise(solution: &Solution, state: StateId, budget: Option<&Budget<'_>>) -> Result<Vec<Advice>, SolveError> {
    let mut advice: Vec<Advice> = (0..)
        .zip(solution.values_of_choices(0, state))
        .map(|(choice, value)| {
            let standing = solution.standing(state, choice);
            Advice { choice, value, best: standing.is_best(), standing }
        })
        .collect();
    if !solution.is_exact() && solution.best().count(state) > 1 && !solution.value(state).is_infinite() {
        let settled = settle(solution, state, budget)?;
        for (advice, (value, standing)) in advice.iter_mut().filter(|advice| advice.best).zip(settled) {
            *advice = Advice { choice: advice.choice, value, best: standing.is_best(), standing };
        }
    }
    advice.sort_by(|a, b| {
        // A total order, whichever of the values are exact.
        let decimal = a.value.decimal().total_cmp(&b.value.decimal());
        let value = decimal.then_with(|| a.value.exact.cmp(&b.value.exact));
        a.standing.cmp(&b.standing).then(solution.sense().order(value).reverse())
    });
    Ok(advice)
}
