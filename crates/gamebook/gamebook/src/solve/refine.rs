//! The exact value of the start alone.
//!
//! Once all values are bounded, only the states that optimal play may reach, by answers that may be optimal, need exact values;
//! chains of single answers are skipped. This leaves a much smaller model.

use budget::{Budget, Stage};
use mdp::{
    BuildError, Built, Distribution, Model, ModelBuilder, Solution, SolveError, SolveOptions, StateId, Value,
    WeightsId, solve,
};
use rustc_hash::FxHashMap;

use super::solve_error::SolveBookError;

/// The exact values of the states that optimal play may reach.
#[derive(Debug)]
pub(crate) struct Refined {
    /// For each state of the full model its counterpart in the small model, or `NONE`.
    numbers: Vec<StateId>,
    built: Built,
    solution: Solution,
}

const NONE: StateId = StateId::MAX;

impl Refined {
    /// Solves the part of the model that is reachable by answers that may be optimal.
    pub(crate) fn new(
        model: &Model,
        solution: &Solution,
        start: &Distribution<StateId>,
        options: &SolveOptions<'_>,
    ) -> Result<Self, SolveBookError> {
        let own = Budget::default();
        let budget = options.budget.unwrap_or(&own);
        budget.memory(model.bytes() + u64::from(model.states()) * size_of::<StateId>() as u64)?;
        let mut numbers = vec![NONE; model.states() as usize];
        let mut weights: FxHashMap<WeightsId, WeightsId> = FxHashMap::default();
        let mut states = Vec::new();
        let mut builder = ModelBuilder::new();
        let mut targets = Vec::new();
        let number = |state: StateId, numbers: &mut Vec<StateId>, states: &mut Vec<StateId>| {
            let state = decided(model, solution, state);
            if numbers[state as usize] == NONE {
                // There are no more than in the model.
                numbers[state as usize] = StateId::try_from(states.len()).unwrap_or(NONE);
                states.push(state);
            }
            numbers[state as usize]
        };
        for (state, _) in start.iter() {
            number(*state, &mut numbers, &mut states);
        }
        let too_large = |error: BuildError| match error {
            BuildError::Stopped(stopped) => SolveBookError::Stopped(stopped),
            error => SolveBookError::Engine(error.to_string()),
        };
        let mut next = 0;
        while let Some(old) = states.get(next).copied() {
            next += 1;
            if let Some(payoff) = model.payoff(old) {
                builder.finished(payoff).map_err(too_large)?;
                continue;
            }
            let best = solution.best();
            for (_, choice) in (0..).zip(model.choices(old)).filter(|(own, _)| best.contains(old, *own)) {
                targets.clear();
                for target in choice.targets.iter() {
                    targets.push(number(target, &mut numbers, &mut states));
                }
                let own = match weights.get(&choice.weights) {
                    Some(own) => *own,
                    None => {
                        let list = model.weights().weight_list(choice.weights);
                        let own = builder.large_weights(&list).map_err(too_large)?;
                        weights.insert(choice.weights, own);
                        own
                    }
                };
                builder.choice(own, &targets).map_err(too_large)?;
            }
            builder.finish_state().map_err(too_large)?;
            budget.step(Stage::Exploring, next as u64, (states.len() - next) as u64)?;
            budget.memory(builder.bytes() + model.bytes() + numbers.len() as u64 * 8)?;
        }
        let built = builder.build(Some(budget)).map_err(too_large)?;
        let refined = solve(&built.model, &options.with_exact(true));
        let refined = refined.map_err(|error| match error {
            SolveError::StoppedWithBounds { stopped, .. } => {
                SolveBookError::StoppedWithBounds { stopped, win: solution.value_of(start) }
            }
            error => error.into(),
        })?;
        Ok(Self { numbers, built, solution: refined })
    }

    /// The exact value of a state, if optimal play may reach it.
    pub(crate) fn value(&self, model: &Model, solution: &Solution, state: StateId) -> Option<Value> {
        let number = self.numbers[decided(model, solution, state) as usize];
        (number != NONE).then(|| self.solution.value(self.built.number_of(number)))
    }
}

/// Follows a state while a single optimal answer leads to a single successor.
fn decided(model: &Model, solution: &Solution, mut state: StateId) -> StateId {
    // The bound ends loops, which are solved as such.
    for _ in 0..64 {
        let best = solution.best();
        if model.payoff(state).is_some() || best.count(state) != 1 {
            break;
        }
        let choice = best.first(state).and_then(|first| model.choice(state, first));
        match choice.and_then(|choice| choice.targets.only()) {
            Some(next) if next != state => state = next,
            _ => break,
        }
    }
    state
}
