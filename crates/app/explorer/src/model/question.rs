//! What is asked of a model.

use crate::question::Problem;
use mdp::Sense;
use model_questions::RewardBound;
use serde::{Deserialize, Serialize};

/// The most bounds on rewards.
const MOST_BOUNDS: usize = 8;

/// What is asked of a model.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelQuestion {
    /// Its name; empty: the first.
    pub model: String,
    /// The states that are to be reached; a game has none.
    pub goal: String,
    /// The only states that may lie on the way; empty: all may.
    pub until: String,
    pub sense: Direction,
    /// The reward model whose total until the goal is asked for; empty: the probability of the goal is.
    pub reward: String,
    pub exact: bool,
    /// The most steps to the goal.
    pub within: Option<u64>,
    /// Bounds on totals of reward models on the way to it: `cost=12`.
    pub bounds: Vec<String>,
}

impl ModelQuestion {
    /// Whether steps or rewards are bounded.
    pub fn is_bounded(&self) -> bool {
        self.within.is_some() || !self.bounds.is_empty()
    }

    /// The bounds on rewards that are asked for.
    pub fn reward_bounds(&self) -> Result<Vec<RewardBound>, Problem> {
        if self.bounds.len() > MOST_BOUNDS {
            let message = format_args!("there are {} bounds on rewards", self.bounds.len());
            return Err(Problem::impossible(message, format_args!("say at most {MOST_BOUNDS}")));
        }
        let read = |text: &String| {
            let wrong = |error: String| Problem::impossible(format_args!("the bound {text:?}: {error}"), "say cost=12");
            text.parse::<RewardBound>().map_err(wrong)
        };
        self.bounds.iter().map(read).collect()
    }
}

/// Which way values are optimised.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    #[default]
    Max,
    Min,
}

impl From<Direction> for Sense {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Max => Self::Max,
            Direction::Min => Self::Min,
        }
    }
}
