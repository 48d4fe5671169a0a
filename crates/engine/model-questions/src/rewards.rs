//! Reward models that questions can use.

use std::fmt;

use mdp::Rational;
use model_files::{ExplicitModel, RewardModel};

/// Why a reward model cannot be used: what is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// What is wrong.
    pub problem: String,
    /// What would be right.
    pub remedy: String,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.problem, self.remedy)
    }
}

impl std::error::Error for Unusable {}

/// The reward model of this name.
///
/// # Errors
/// When there is no such reward model.
pub fn reward_model<'a>(model: &'a ExplicitModel, name: &str) -> Result<&'a RewardModel, Unusable> {
    let known: Vec<&str> = model.rewards().iter().map(RewardModel::name).collect();
    let known = if known.is_empty() { "it has none".into() } else { format!("it has: {}", known.join(", ")) };
    model
        .reward(name)
        .ok_or_else(|| Unusable { problem: format!("the model has no reward model `{name}`"), remedy: known })
}

/// The reward model of this name, for use with a bound.
///
/// # Errors
/// When there is no such reward model, or a reward is negative.
pub fn bounded_reward_model<'a>(model: &'a ExplicitModel, name: &str) -> Result<&'a RewardModel, Unusable> {
    let reward = reward_model(model, name)?;
    match reward.values().iter().find(|value| **value < Rational::ZERO) {
        None => Ok(reward),
        Some(value) => Err(Unusable {
            problem: format!("the reward model `{name}` has a negative reward: {value}"),
            remedy: "what is bounded is never given back: rewards of at least 0".into(),
        }),
    }
}
