//! What to do now: every choice of one state with its value, the one to take first.

use budget::Budget;

use super::resolve_ties::resolve_ties;
use super::standing::Standing;
use crate::model::StateId;
use crate::numbers::Value;
use crate::solution::{Solution, SolveError};

/// A choice and its value if play is optimal afterwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The number of the choice, in the order of the state's rules.
    pub choice: u32,
    /// Its value in the first objective.
    pub value: Value,
    /// Whether no other choice is better, all objectives considered in order.
    pub best: bool,
    /// How it compares with the choice to take: always taking the first choice of the list, in every state, attains the
    /// value.
    pub standing: Standing,
}

/// Every choice of a state: the one to take, then the equally good ones in the order of the rules (those that only lead
/// back last), then the rest, best first. Empty for a finished state.
///
/// Ties that a solution in floating point cannot resolve are resolved exactly here, by solving the states that can be reached from this one through choices that
/// could be best; so the choices reported as best are proved to be. `budget` limits that; `None` for a budget of its
/// own with the default limits.
///
/// # Errors
/// When the budget stops the run while ties are resolved.
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
        let resolved = resolve_ties(solution, state, budget)?;
        for (advice, (value, standing)) in advice.iter_mut().filter(|advice| advice.best).zip(resolved) {
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
