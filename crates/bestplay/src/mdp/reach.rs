//! From a model file's states and a goal to the engine's model, and back.

use mdp::{BuildError, Built, ModelBuilder, Rational, Sense, Solution, SolveError, SolveOptions, Value, solve};
use model_files::{ExplicitModel, RewardModel, StateSet, Weights};

use super::graph::{Graph, NONE};

/// What is asked: the best probability of reaching the goal, or the best expected total reward
/// until then.
pub struct Question<'a> {
    pub model: &'a ExplicitModel,
    pub goal: StateSet,
    pub sense: Sense,
    pub reward: Option<&'a RewardModel>,
}

/// Every state's value.
pub struct Answer {
    built: Built,
    solution: Solution,
    /// The states whose expected reward is infinite.
    infinite: Option<StateSet>,
}

impl Answer {
    /// The value of a state of the file; `None`: infinite.
    pub fn value(&self, state: u32) -> Option<Value> {
        let infinite = self.infinite.as_ref().is_some_and(|infinite| infinite.contains(state));
        (!infinite).then(|| self.solution.value(self.built.number_of(state)))
    }

    /// The best choice of a state of the file, counted within the state; none where play is over or
    /// nothing helps.
    pub fn choice(&self, question: &Question<'_>, state: u32) -> Option<u32> {
        let number = self.solution.policy().choice(self.built.number_of(state))?;
        // The engine knows only the choices that were given to it.
        question
            .open_choices(state, self.infinite.as_ref())
            .nth(number as usize)
            .map(|choice| choice - question.model.choices(state).start)
    }
}

/// Why there is no answer.
pub enum Unanswered {
    Build(BuildError),
    Solve(SolveError),
}

impl From<BuildError> for Unanswered {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl From<SolveError> for Unanswered {
    fn from(error: SolveError) -> Self {
        Self::Solve(error)
    }
}

impl<'a> Question<'a> {
    /// The states from which the expected reward is infinite: some policy (for the maximum) or
    /// every policy (for the minimum) misses the goal with positive probability.
    fn infinite(&self) -> Option<StateSet> {
        self.reward?;
        let graph = Graph::new(self.model, &self.goal);
        let states = self.model.states();
        Some(match self.sense {
            Sense::Max => {
                let ranks = graph.unavoidable();
                let to_avoiding = graph.distances(|state| ranks[state as usize] == NONE, |_| true);
                StateSet::from_fn(states, |state| to_avoiding.ranks[state as usize] != NONE)
            }
            Sense::Min => {
                let stages = graph.stages();
                StateSet::from_fn(states, |state| stages[state as usize] != 0)
            }
        })
    }

    /// The choices of a state that do not lead to states with infinite value.
    fn open_choices<'b>(
        &'b self,
        state: u32,
        infinite: Option<&'b StateSet>,
    ) -> impl Iterator<Item = u32> + use<'a, 'b> {
        let finite = move |choice: &u32| {
            infinite.is_none_or(|set| !self.model.outcomes(*choice).0.iter().any(|target| set.contains(*target)))
        };
        self.model.choices(state).filter(finite)
    }

    /// Gives every state its value.
    pub fn answer(&self, options: &SolveOptions<'_>) -> Result<Answer, Unanswered> {
        let infinite = self.infinite();
        let built = self.build(infinite.as_ref())?;
        let solution = solve(&built.model, &SolveOptions { sense: self.sense, ..*options })?;
        Ok(Answer { built, solution, infinite })
    }

    fn build(&self, infinite: Option<&StateSet>) -> Result<Built, BuildError> {
        let model = self.model;
        let words = model.choice_count() as usize + model.transitions() as usize;
        let mut builder = ModelBuilder::with_capacity(model.states() as usize, words);
        let weights = model
            .distributions()
            .iter()
            .map(|weights| match weights {
                Weights::Small { weights, .. } => builder.weights(weights),
                Weights::Large { weights, .. } => builder.large_weights(weights),
            })
            .collect::<Result<Vec<_>, _>>()?;
        let at_goal = if self.reward.is_some() { Rational::ZERO } else { Rational::ONE };
        for state in 0..model.states() {
            let over = model.choices(state).is_empty() || infinite.is_some_and(|set| set.contains(state));
            if self.goal.contains(state) {
                builder.finished(std::slice::from_ref(&at_goal))?;
                continue;
            }
            if over {
                builder.finished(&[Rational::ZERO])?;
                continue;
            }
            for choice in self.open_choices(state, infinite) {
                if let Some(reward) = self.reward {
                    builder.reward(&(reward.of_state(state) + reward.of_choice(choice)))?;
                }
                let (targets, distribution) = model.outcomes(choice);
                builder.choice(weights[distribution as usize], targets)?;
            }
            builder.finish_state()?;
        }
        builder.build()
    }
}
