//! A model that has been read.

use model_files::{ExplicitModel, StateSet};

use super::states::States;

/// A model that has been read.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The model.
    pub model: ExplicitModel,
    /// The values of its variables in all of its states.
    pub states: States,
    /// The states whose choices are left out because play is over there. They have no rewards.
    pub cut: StateSet,
}
