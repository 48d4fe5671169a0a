//! A question about a model of a file, as sets of its states.

use budget::Budget;
use model_files::{ExplicitModel, Expression, ExpressionError, RewardModel, StateSet};
use model_questions::{Question, bounded_reward_model, reward_model};
use prism::over_labels;

use super::named::Named;
use super::question::ModelQuestion;
use crate::question::Problem;

/// What was asked, as sets of states.
pub struct Sets {
    pub goal: StateSet,
    pub until: Option<StateSet>,
}

impl Sets {
    pub fn new(model: &ExplicitModel, asked: &ModelQuestion, budget: &Budget<'_>) -> Result<Self, Problem> {
        let goal = states(model, &asked.goal, "goal", budget)?;
        let until = Some(&asked.until).filter(|until| !until.is_empty());
        let until = until.map(|until| states(model, until, "until", budget)).transpose()?;
        Ok(Self { goal, until })
    }

    pub fn bytes(&self) -> u64 {
        self.goal.bytes() + self.until.as_ref().map_or(0, StateSet::bytes)
    }

    /// How play is over in a state, in words; `None` where it goes on.
    pub fn end(&self, Named { model, cut, .. }: &Named, state: u32) -> Option<&'static str> {
        let is_cut = cut.as_ref().is_some_and(|cut| cut.contains(state));
        let stays = |choice: u32| model.outcomes(choice).0.iter().all(|target| *target == state);
        if self.goal.contains(state) {
            Some("The goal is reached")
        } else if self.until.as_ref().is_some_and(|until| !until.contains(state)) {
            Some("This state may not lie on the way to the goal")
        } else if !is_cut && model.choices(state).all(stays) {
            Some("Play stays here, and this is no goal")
        } else {
            None
        }
    }
}

/// The states that an expression describes.
fn states(model: &ExplicitModel, text: &str, what: &str, budget: &Budget<'_>) -> Result<StateSet, Problem> {
    let states = Expression::parse(&over_labels(model, text)).and_then(|expression| expression.states(model, budget));
    states.map_err(|error| match error {
        ExpressionError::Stopped(stopped) => Problem::stopped(&stopped),
        ExpressionError::Bad { column, problem, remedy } => {
            Problem::impossible(format_args!("{what}, column {column}: {problem}"), remedy)
        }
    })
}

/// The reward model that is asked for, if one is.
pub fn rewards<'m>(model: &'m ExplicitModel, asked: &ModelQuestion) -> Result<Option<&'m RewardModel>, Problem> {
    let name = Some(asked.reward.as_str()).filter(|name| !name.is_empty());
    // A situation's value is the engine's own: with bounds no reward may be negative.
    let find = if asked.is_bounded() { bounded_reward_model } else { reward_model };
    let found = name.map(|name| find(model, name)).transpose();
    found.map_err(|unusable| Problem::impossible(unusable.problem, unusable.remedy))
}

/// What is asked of a model, as the engine gets it.
pub fn question<'m>(model: &'m ExplicitModel, sets: &Sets, asked: &ModelQuestion) -> Result<Question<'m>, Problem> {
    Ok(Question {
        model,
        goal: sets.goal.clone(),
        until: sets.until.clone(),
        sense: asked.sense.into(),
        reward: rewards(model, asked)?,
    })
}
