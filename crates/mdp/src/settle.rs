//! Choices that floating point cannot tell apart, settled exactly.

use budget::{Budget, Stage};
use rustc_hash::FxHashMap;

use crate::builder::{BuildError, ModelBuilder};
use crate::model::StateId;
use crate::places::id;
use crate::solution::Solution;
use crate::solve::{SolveOptions, solve};
use crate::solve_error::SolveError;
use crate::value::Value;

/// The candidates of one state with their exact values, and whether each is best: the part of the model that
/// can be reached from it through candidates is solved exactly. Choices that are no candidates are proved to be
/// worse, so leaving them out changes no value.
pub(crate) fn settle(
    solution: &Solution,
    state: StateId,
    budget: Option<&Budget<'_>>,
) -> Result<Vec<(Value, bool)>, SolveError> {
    let (model, candidates) = (solution.model(), solution.best());
    let own = Budget::default();
    let budget = budget.unwrap_or(&own);
    let mut numbers: FxHashMap<StateId, StateId> = FxHashMap::default();
    let mut states = vec![state];
    numbers.insert(state, 0);
    let mut builder = ModelBuilder::new();
    let mut targets = Vec::new();
    let mut next = 0;
    let too_large = |_: BuildError| SolveError::TooLarge;
    while let Some(old) = states.get(next).copied() {
        next += 1;
        if let Some(payoff) = model.payoff(old) {
            builder.finished(payoff).map_err(too_large)?;
            continue;
        }
        for (_, choice) in (0..).zip(model.choices(old)).filter(|(number, _)| candidates.contains(old, *number)) {
            targets.clear();
            for target in choice.targets {
                let new = *numbers.entry(*target).or_insert_with(|| {
                    states.push(*target);
                    id(states.len() - 1)
                });
                targets.push(new);
            }
            if let Some(reward) = choice.reward {
                builder.reward(&model.rewards()[reward as usize]).map_err(too_large)?;
            }
            let weights = builder.large_weights(&model.weights().weight_list(choice.weights)).map_err(too_large)?;
            builder.choice(weights, &targets).map_err(too_large)?;
        }
        builder.finish_state().map_err(too_large)?;
        let needed = builder.bytes() + (states.len() * 24) as u64 + model.bytes();
        budget.step(Stage::Exploring, next as u64, (states.len() - next) as u64)?;
        budget.memory(needed)?;
    }
    let built = builder.build(Some(budget)).map_err(|error| match error {
        BuildError::Stopped(stopped) => SolveError::Stopped(stopped),
        _ => SolveError::TooLarge,
    })?;
    let options = SolveOptions::exact().with_sense(solution.sense()).with_budget(budget);
    let settled = solve(&built.model, &options)?;
    let new = built.number_of(0);
    let best = |place| settled.best().contains(new, place);
    Ok(settled.values_of_choices(0, new).zip(0..).map(|(value, place)| (value, best(place))).collect())
}
