//! Queries on a solution of the engine, by its own numbers of states and choices.

use mdp::{Advice, Distribution, Model, Rational, Solution, Weight, advise};

use super::solved::{Advised, Worth};
use super::unsolved::unsolved;
use crate::question::{Problem, Run};

/// How many states, choices and outcomes of choices there are.
pub fn counts(model: &Model) -> [u64; 3] {
    let counts = model.counts();
    [counts.states, counts.choices, counts.transitions]
}

/// How many choices a state has.
pub fn choices(model: &Model, state: u32) -> u32 {
    u32::try_from(model.choices(state).count()).expect("choices have numbers of 32 bits")
}

/// What a choice earns at once.
pub fn earns(model: &Model, state: u32, choice: u32) -> Rational {
    let reward = model.choice(state, choice).and_then(|choice| choice.reward);
    reward.map_or(Rational::ZERO, |reward| model.rewards()[reward as usize].clone())
}

/// Where a choice can lead.
pub fn outcomes(model: &Model, state: u32, choice: u32) -> Result<Distribution<u32>, Problem> {
    let choice = model.choice(state, choice);
    let choice = choice.ok_or_else(|| Problem::internal("a choice that was counted is not there"))?;
    let weights = model.weights().weight_list(choice.weights).into_iter().map(Weight);
    Distribution::weighted(choice.targets.iter().zip(weights)).map_err(Problem::internal)
}

/// What a choice is worth.
pub fn worth(solution: &Solution, state: u32, choice: u32) -> Worth {
    solution.values_of_choices(0, state).nth(choice as usize).map_or(Worth::Unknown, |value| value.finite().into())
}

/// Whether [`advised`] has ties to resolve in a state.
pub fn is_open(solution: &Solution, state: u32) -> bool {
    !solution.is_exact() && solution.best().count(state) > 1
}

/// All choices of a state, the one to take first. Choices whose bounds overlap are compared exactly.
pub fn advised(solution: &Solution, state: u32, run: Option<&Run<'_>>) -> Result<Vec<Advised>, Problem> {
    let advice = advise(solution, state, run.map(|run| run.budget)).map_err(|error| unsolved(&error))?;
    let advised = |Advice { choice, value, standing, .. }| Advised { choice, worth: value.finite().into(), standing };
    Ok(advice.into_iter().map(advised).collect())
}
