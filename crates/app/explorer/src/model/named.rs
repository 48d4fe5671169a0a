//! A model of a file and the words for its states and choices.

use std::sync::Arc;

use model_files::{ExplicitModel, StateSet};
use prism::States;

/// A model and what its states and choices are called.
pub struct Named {
    pub model: Arc<ExplicitModel>,
    /// What its variables are, where it has any.
    pub variables: Option<States>,
    /// The states of a PRISM model that are not followed further: play is over there, or nothing is left of a bound.
    pub cut: Option<StateSet>,
}

impl Named {
    /// A state in words.
    pub fn described(&self, state: u32) -> String {
        let labels = self.model.labels().iter().filter(|(_, states)| states.contains(state));
        let labels: Vec<&str> = labels.map(|(name, _)| name.as_str()).collect();
        let variables = self.variables.as_ref().map(|variables| variables.describe(state));
        match (variables, &labels[..]) {
            (Some(variables), []) => variables,
            (Some(variables), labels) => format!("{variables} ({})", labels.join(", ")),
            (None, labels) => labels.join(", "),
        }
    }

    /// What the choices of a state are called, in order.
    pub fn names(&self, state: u32) -> Vec<Option<String>> {
        self.model.choices(state).map(|choice| self.model.action(choice).map(String::from)).collect()
    }
}
