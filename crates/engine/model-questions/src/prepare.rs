//! A question as the engine gets it.

use budget::{Budget, Stopped};
use mdp::{BuildError, Built, Sense, SolveOptions, solve};
use model_files::{ExplicitModel, RewardModel, StateSet};

use crate::answer::Answer;
use crate::build::{Making, engine_bytes};
use crate::graph::Graph;
use crate::infinite::Infinite;
use crate::question::{Question, earned};
use crate::raised::{Raised, is_signed, on_the_way};
use crate::rewards::Unusable;
use crate::unanswered::{Unanswered, answered};
use crate::unprepared::Unprepared;

/// A question as the engine gets it.
#[derive(Debug)]
pub struct Prepared {
    built: Built,
    infinite: Option<Infinite>,
    raised: Option<Raised>,
    sense: Sense,
}

impl Prepared {
    /// Gives every state its value.
    ///
    /// # Errors
    /// When the budget says stop, or a cyclic part is too large; with what is known all the same.
    pub fn answer(self, options: &SolveOptions<'_>) -> Result<Answer, Box<Unanswered<Answer>>> {
        // Who never reaches the goal has no finite total, though nothing is earned on the way.
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

    /// Puts the question to the engine: a model whose play ends at the goal, in solving order.
    ///
    /// # Errors
    /// When the budget says stop, or the model has more than the engine can number. When a reward is negative, and the goal
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
        // With negative rewards no policy may miss the goal, whichever is wanted.
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

/// Why a total with negative rewards has no value.
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

/// A question for a probability, with its model for good: what has been put to the engine is given back to
/// the system.
///
/// # Errors
/// As [`Question::prepare`].
pub fn prepare_and_drop(
    model: ExplicitModel,
    goal: &StateSet,
    sense: Sense,
    budget: &Budget<'_>,
) -> Result<Prepared, BuildError> {
    /// So few that each is large enough to be given back at once.
    const BLOCKS: u32 = 8;
    budget.memory(engine_bytes(&model) + model.bytes() / u64::from(BLOCKS))?;
    let more = engine_bytes(&model) / u64::from(BLOCKS);
    let mut making = Making::new(&model, goal, None, None, budget)?;
    for block in model.into_blocks(BLOCKS) {
        budget.more_memory(more)?;
        making.add(&block, block.states())?;
    }
    Ok(Prepared { built: making.builder.build(Some(budget))?, infinite: None, raised: None, sense })
}
