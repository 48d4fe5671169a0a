//! Where what is solved comes from.

use serde::Serialize;

use super::question::ModelQuestion;
use super::solved::Solved;
use crate::question::{Problem, Run};

/// Where what is solved comes from.
pub trait Source: Send + Sync {
    /// What can be known before anything is solved.
    fn about(&self) -> About;

    /// Refuses questions that cannot be asked of it.
    fn check(&self, question: &ModelQuestion) -> Result<(), Problem>;

    /// The solution, and how many bytes it takes.
    fn solve(&self, question: &ModelQuestion, run: &Run<'_>) -> Result<(Box<dyn Solved>, u64), Problem>;
}

/// What can be known of a model before anything is solved.
#[derive(Clone, Debug, Serialize)]
pub struct About {
    /// `model`, which is asked for a goal, or `game`, which pays.
    pub kind: &'static str,
    /// The names of its labels, and of its reward models.
    pub labels: Vec<String>,
    pub rewards: Vec<String>,
    /// `null` where the states are still to be found.
    pub states: Option<u32>,
}
