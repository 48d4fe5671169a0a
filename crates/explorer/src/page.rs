//! A page of a game, before the frame is put around it, and fields that pages share.

use maud::{Markup, html};
use serde_json::Value;

use crate::problem::Problem;

/// A page of a game.
pub struct Page {
    /// Its ES module.
    pub module: &'static str,
    /// One sentence under its title.
    pub lead: &'static str,
    /// The state with which it begins, and the one that its bare address means.
    pub state: Value,
    pub template: Value,
    /// What is wrong with its address.
    pub problem: Option<Problem>,
    pub content: Markup,
}

impl Page {
    /// A page with the state that its address describes; with that of its bare address where the address is wrong.
    pub fn new(
        module: &'static str,
        lead: &'static str,
        template: Value,
        state: Result<Value, Problem>,
        content: Markup,
    ) -> Self {
        let (state, problem) = match state {
            Ok(state) => (state, None),
            Err(problem) => (template.clone(), Some(problem)),
        };
        Self { module, lead, state, template, problem, content }
    }
}

/// A field for a whole number.
pub fn number_field(name: &str, label: &str, least: u32, most: u32) -> Markup {
    html! {
        div.field {
            label for=(name) { (label) }
            input id=(name) name=(name) type="number" inputmode="numeric" min=(least) max=(most) required;
        }
    }
}

/// A field for yes or no.
pub fn switch_field(name: &str, label: &str) -> Markup {
    html! { label.switch { input id=(name) name=(name) type="checkbox"; " " (label) } }
}
