//! Builds the engine's model from a model file's states and a goal.

use std::ops::Range;

use budget::{Budget, Stage};
use mdp::{BuildError, Built, ModelBuilder, Rational, WeightsId};
use model_files::{ExplicitModel, Outcomes, StateSet, Weights};

use crate::question::{Question, open_choices};

/// The reward of a choice (by its number in the model) of a state, including the state's.
pub(crate) type Earns<'a> = dyn Fn(u32, u32) -> Rational + 'a;

impl Question<'_> {
    /// The engine's model with the rewards of `earns`; without it the probability of the goal is the value.
    pub(crate) fn build(
        &self,
        infinite: Option<&StateSet>,
        earns: Option<&Earns<'_>>,
        budget: &Budget<'_>,
    ) -> Result<Built, BuildError> {
        budget.more_memory(engine_bytes(self.model))?;
        budget.memory(self.model.bytes() + engine_bytes(self.model))?;
        let mut build = ModelBuild::new(self.model, &self.goal, infinite, earns, budget)?;
        build.until = self.until.as_ref();
        build.add(self.model, 0..self.model.states())?;
        build.builder.build(Some(budget))
    }
}

/// Bytes that the engine's model takes before it is put in order: 8 for a state, 4 for a choice, for a
/// transition and for a reward.
pub(crate) fn engine_bytes(model: &ExplicitModel) -> u64 {
    let words = 2 * u64::from(model.choice_count()) + u64::from(model.transitions());
    8 * u64::from(model.states()) + 4 * words + model.distributions().bytes()
}

/// The engine's model while it is being built.
pub(crate) struct ModelBuild<'a> {
    pub(crate) builder: ModelBuilder,
    /// The engine's numbers of the file's weight vectors.
    weights: Vec<WeightsId>,
    goal: &'a StateSet,
    until: Option<&'a StateSet>,
    infinite: Option<&'a StateSet>,
    earns: Option<&'a Earns<'a>>,
    budget: &'a Budget<'a>,
}

impl<'a> ModelBuild<'a> {
    pub(crate) fn new(
        model: &ExplicitModel,
        goal: &'a StateSet,
        infinite: Option<&'a StateSet>,
        earns: Option<&'a Earns<'a>>,
        budget: &'a Budget<'a>,
    ) -> Result<Self, BuildError> {
        let words = model.choice_count() as usize + model.transitions() as usize;
        let mut builder = ModelBuilder::with_capacity(model.states() as usize, words);
        let weights = model.distributions().iter().map(|weights| {
            budget.step(Stage::Ordering, 0, model.states().into())?;
            match weights {
                Weights::Small { weights, .. } => builder.weights(weights),
                Weights::Large { weights, .. } => builder.large_weights(weights),
            }
        });
        let weights = weights.collect::<Result<Vec<_>, _>>()?;
        Ok(Self { builder, weights, goal, until: None, infinite, earns, budget })
    }

    /// Adds the next states.
    pub(crate) fn add(&mut self, model: &impl Outcomes, states: Range<u32>) -> Result<(), BuildError> {
        let Self { builder, weights, goal, until, infinite, earns, budget } = self;
        let at_goal = if earns.is_some() { Rational::ZERO } else { Rational::ONE };
        for state in states {
            budget.step(Stage::Ordering, state.into(), 0)?;
            // Where every choice leads to the state itself play is as good as over: no cycle has to be solved.
            let stays = |choice: u32| model.outcomes(choice).0.iter().all(|target| *target == state);
            let blocked = until.is_some_and(|until| !until.contains(state));
            let over = blocked || infinite.is_some_and(|set| set.contains(state)) || model.choices(state).all(stays);
            if goal.contains(state) {
                builder.finished(std::slice::from_ref(&at_goal))?;
                continue;
            }
            if over {
                builder.finished(&[Rational::ZERO])?;
                continue;
            }
            for choice in open_choices(model, state, *infinite) {
                if let Some(earns) = earns {
                    builder.reward(&earns(state, choice))?;
                }
                let (targets, distribution) = model.outcomes(choice);
                builder.choice(weights[distribution as usize], targets)?;
            }
            builder.finish_state()?;
        }
        Ok(())
    }
}
