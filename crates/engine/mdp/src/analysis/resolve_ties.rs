//! Resolves ties that floating point cannot resolve.

use budget::{Budget, Stage};
use rustc_hash::FxHashMap;

use super::standing::Standing;
use crate::builder::{BuildError, Built, ModelBuilder};
use crate::model::StateId;
use crate::numbers::{Value, exactly};
use crate::solution::{Solution, SolveError};
use crate::solve::{SolveOptions, solve};
use crate::support::id;

/// The candidates of one state with their exact values, and how each compares with the choice to take. Choices that are
/// not candidates are proved to be worse.
pub(crate) fn resolve_ties(
    solution: &Solution,
    state: StateId,
    budget: Option<&Budget<'_>>,
) -> Result<Vec<(Value, Standing)>, SolveError> {
    let submodel = CandidateSubmodel::new(solution, &[state], budget)?;
    let new = submodel.number_of(state);
    let standing = |choice| submodel.solution.standing(new, choice);
    Ok(submodel.solution.values_of_choices(0, new).zip(0..).map(|(value, choice)| (value, standing(choice))).collect())
}

/// The exact values of some states in the first objective, even if the solution is in floating point: the states that
/// can be reached from them through choices that could be best are solved exactly. This separates equal values from
/// nearly equal ones.
///
/// `budget` limits that (its limit on states counts the states reached); `None` for a budget of its own with the
/// default limits.
///
/// ```
/// use mdp::advanced::exact_values_of;
/// use mdp::{ModelBuilder, Rational, SolveOptions, ratio, solve};
///
/// let mut builder = ModelBuilder::new();
/// let third = builder.weights(&[1, 2])?;
/// builder.choice(third, &[1, 2])?;
/// builder.finish_state()?;
/// builder.finished(&[Rational::ONE])?;
/// builder.finished(&[Rational::ZERO])?;
/// let built = builder.build(None)?;
/// let solution = solve(&built.model, &SolveOptions::default())?;
/// let start = built.number_of(0);
/// assert_eq!(solution.value(start).exact, None);
/// assert_eq!(exact_values_of(&solution, &[start], None)?[0].exact, Some(ratio(1, 3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the budget stops the run.
///
/// # Panics
/// When there is no such state.
pub fn exact_values_of(
    solution: &Solution,
    states: &[StateId],
    budget: Option<&Budget<'_>>,
) -> Result<Vec<Value>, SolveError> {
    let submodel = CandidateSubmodel::new(solution, states, budget)?;
    Ok(states.iter().map(|state| submodel.solution.value(submodel.number_of(*state))).collect())
}

/// The states that can be reached from some states through candidates, solved exactly. Choices that are not candidates
/// are proved to be worse, so leaving them out changes no value.
struct CandidateSubmodel {
    /// The number that each state had when the small model was built.
    numbers: FxHashMap<StateId, StateId>,
    built: Built,
    solution: Solution,
}

impl CandidateSubmodel {
    fn new(solution: &Solution, roots: &[StateId], budget: Option<&Budget<'_>>) -> Result<Self, SolveError> {
        let (model, candidates) = (solution.model(), solution.best());
        let own = Budget::default();
        let budget = budget.unwrap_or(&own);
        let mut numbers: FxHashMap<StateId, StateId> = FxHashMap::default();
        let mut states = Vec::new();
        let number = |old: StateId, numbers: &mut FxHashMap<StateId, StateId>, states: &mut Vec<StateId>| {
            *numbers.entry(old).or_insert_with(|| {
                states.push(old);
                id(states.len() - 1)
            })
        };
        for root in roots {
            number(*root, &mut numbers, &mut states);
        }
        let mut builder = ModelBuilder::new();
        let mut targets = Vec::new();
        let mut next = 0;
        let too_large = |_: BuildError| SolveError::TooLarge;
        while let Some(old) = states.get(next).copied() {
            next += 1;
            if let Some(payoff) = model.payoff(old) {
                let paid = solution.ends().and_then(|ends| ends.of(old));
                let paid = paid.map(|paid| exactly(paid).ok_or(SolveError::ValueTooLarge)).transpose()?;
                builder.finished(paid.as_ref().map_or(payoff, std::slice::from_ref)).map_err(too_large)?;
                continue;
            }
            for (_, choice) in (0..).zip(model.choices(old)).filter(|(number, _)| candidates.contains(old, *number)) {
                targets.clear();
                targets.extend(choice.targets.iter().map(|target| number(target, &mut numbers, &mut states)));
                if let Some(reward) = choice.reward {
                    builder.reward(&model.rewards()[reward as usize]).map_err(too_large)?;
                }
                let weights = builder.large_weights(&model.weights().weight_list(choice.weights)).map_err(too_large)?;
                builder.choice(weights, &targets).map_err(too_large)?;
            }
            builder.finish_state().map_err(too_large)?;
            let needed = builder.bytes() + (states.len() * 24) as u64 + model.bytes();
            budget.states(states.len() as u64)?;
            budget.step(Stage::Exploring, next as u64, (states.len() - next) as u64)?;
            budget.memory(needed)?;
        }
        let built = builder.build(Some(budget)).map_err(|error| match error {
            BuildError::Stopped(stopped) => SolveError::Stopped(stopped),
            _ => SolveError::TooLarge,
        })?;
        let options = SolveOptions::exact().with_sense(solution.sense()).with_must_end(solution.must_end());
        let options = options.with_budget(budget);
        let solution = solve(&built.model, &options)?;
        Ok(Self { numbers, built, solution })
    }

    /// The number of one of the roots in the small model.
    fn number_of(&self, root: StateId) -> StateId {
        self.built.number_of(self.numbers[&root])
    }
}
