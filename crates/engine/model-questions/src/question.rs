//! The question about a model.

use mdp::{Rational, Sense};
use model_files::{ExplicitModel, Outcomes, RewardModel, StateSet};

/// A question: the best probability of reaching the goal, or the best expected total reward until then.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The model.
    pub model: &'a ExplicitModel,
    /// The states where play ends, reached.
    pub goal: StateSet,
    /// The only states through which play may pass; `None`: all. Not with rewards.
    pub until: Option<StateSet>,
    /// Whether the value is maximised or minimised.
    pub sense: Sense,
    /// The rewards until the goal, for an expected total. `None`: for the probability of the goal.
    pub reward: Option<&'a RewardModel>,
}

impl Question<'_> {
    /// Whether play is over in a state that is not a goal, because it may not pass through it.
    pub(crate) fn is_over(&self, state: u32) -> bool {
        self.until.as_ref().is_some_and(|until| !until.contains(state))
    }
}

/// The reward of a choice of a state.
pub(crate) fn earned(reward: &RewardModel, state: u32, choice: u32) -> Rational {
    reward.of_state(state) + reward.of_choice(choice)
}

/// The choices of a state that do not lead to states with infinite value.
pub(crate) fn open_choices<'a>(
    model: &'a impl Outcomes,
    state: u32,
    infinite: Option<&'a StateSet>,
) -> impl Iterator<Item = u32> {
    let finite = move |choice: &u32| {
        infinite.is_none_or(|set| !model.outcomes(*choice).0.iter().any(|target| set.contains(*target)))
    };
    model.choices(state).filter(finite)
}
