//! Reward models that can be asked about.

use std::fmt;

use mdp::Rational;
use model_files::{ExplicitModel, RewardModel};

/// Why a reward model cannot be asked about: what is wrong, and what would be right.
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
/// When the model has none of this name.
pub fn reward_model<'a>(model: &'a ExplicitModel, name: &str) -> Result<&'a RewardModel, Unusable> {
    let known: Vec<&str> = model.rewards().iter().map(RewardModel::name).collect();
    let known = if known.is_empty() { "it has none".into() } else { format!("it has: {}", known.join(", ")) };
    model
        .reward(name)
        .ok_or_else(|| Unusable { problem: format!("the model has no reward model `{name}`"), remedy: known })
}

/// The reward model of this name, whose rewards can be used up one by one.
///
/// # Errors
/// When the model has none of this name, or a reward is negative.
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
