//! A question with the engine's model.

use budget::{Budget, Stopped};
use mdp::{BuildError, Built, Sense, SolveOptions, solve};
use model_files::{ExplicitModel, RewardModel, StateSet};

use crate::answer::Answer;
use crate::build::{ModelBuild, engine_bytes};
use crate::graph::Graph;
use crate::infinite::Infinite;
use crate::question::{Question, earned};
use crate::raised::{Raised, is_signed, on_the_way};
use crate::rewards::Unusable;
use crate::unanswered::{Unanswered, answered};
use crate::unprepared::Unprepared;

/// A question with the engine's model.
#[derive(Debug)]
pub struct Prepared {
    built: Built,
    infinite: Option<Infinite>,
    raised: Option<Raised>,
    sense: Sense,
}

impl Prepared {
    /// Computes the value of every state.
    ///
    /// # Errors
    /// When the budget stops the run, or a component is too large; with the bounds known so far.
    pub fn answer(self, options: &SolveOptions<'_>) -> Result<Answer, Box<Unanswered<Answer>>> {
        // A play that never reaches the goal has no finite total, even if it earns nothing.
        let must_end = self.infinite.is_some();
        let solved = solve(&self.built.model, &options.with_sense(self.sense).with_must_end(must_end));
        answered(solved, |solution| Answer {
            built: self.built,
            solution,
            infinite: self.infinite,
            raised: self.raised,
        })
    }
}

impl Question<'_> {
    /// The states from which the expected reward is infinite.
    fn infinite(&self, sense: Sense, budget: &Budget<'_>) -> Result<Infinite, Stopped> {
        let graph = Graph::new(self.model, &self.goal, None, budget)?;
        Infinite::new(&graph, self.model.states(), sense)
    }

    /// Builds the engine's model of the question, whose play ends at the goal, in solving order.
    ///
    /// # Errors
    /// When the budget stops the run, or the model is too large for the engine. When a reward is negative, and the goal
    /// can be missed: such a total is not defined.
    pub fn prepare(&self, budget: &Budget<'_>) -> Result<Prepared, Unprepared> {
        let Some(reward) = self.reward else {
            return Ok(Prepared {
                built: self.build(None, None, budget)?,
                infinite: None,
                raised: None,
                sense: self.sense,
            });
        };
        let signed = is_signed(self);
        // With negative rewards no policy may miss the goal, in either sense.
        let infinite = self.infinite(if signed { Sense::Max } else { self.sense }, budget)?;
        let raised = if signed {
            if let Some(state) = on_the_way(self, infinite.states(), budget)? {
                return Err(Unprepared::Undefined(undefined(reward, state)));
            }
            Some(Raised::new(self, reward, infinite.states(), budget)?)
        } else {
            None
        };
        let earns = |state: u32, choice: u32| match &raised {
            Some(raised) => raised.earned(self.model, reward, state, choice),
            None => earned(reward, state, choice),
        };
        let built = self.build(Some(infinite.states()), Some(&earns), budget)?;
        Ok(Prepared { built, infinite: Some(infinite), raised, sense: self.sense })
    }
}

/// The error for a total with negative rewards that is undefined.
fn undefined(reward: &RewardModel, state: u32) -> Unusable {
    let name = reward.name();
    Unusable {
        problem: format!(
            "the reward model `{name}` has negative rewards, and from state {state} the goal can be missed"
        ),
        remedy: "with negative rewards a total is defined where the goal is reached for certain, whatever is chosen"
            .into(),
    }
}

/// A question for a probability, which consumes its model: parts of it that have been converted are released.
///
/// # Errors
/// As [`Question::prepare`].
pub fn prepare_and_drop(
    model: ExplicitModel,
    goal: &StateSet,
    sense: Sense,
    budget: &Budget<'_>,
) -> Result<Prepared, BuildError> {
    /// Few enough that each is large enough to be released at once.
    const BLOCKS: u32 = 8;
    budget.memory(engine_bytes(&model) + model.bytes() / u64::from(BLOCKS))?;
    let more = engine_bytes(&model) / u64::from(BLOCKS);
    let mut build = ModelBuild::new(&model, goal, None, None, budget)?;
    for block in model.into_blocks(BLOCKS) {
        budget.more_memory(more)?;
        build.add(&block, block.states())?;
    }
    Ok(Prepared { built: build.builder.build(Some(budget))?, infinite: None, raised: None, sense })
}
