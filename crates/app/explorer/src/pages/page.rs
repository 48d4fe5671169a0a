//! A page of a game, before the frame is put around it, and fields that pages share.

use super::address::Addressed;
use maud::{Markup, PreEscaped, html};
use serde_json::Value;

/// A page of a game.
pub struct Page {
    /// Its ES module.
    pub module: &'static str,
    /// One sentence under its title.
    pub lead: &'static str,
    /// How it is used and what its numbers mean, in paragraphs that open on a click.
    pub help: &'static [&'static str],
    /// What its address says.
    pub addressed: Addressed,
    pub content: Markup,
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

/// JSON for the page's module. Browsers do not run it; `<` is written so that it cannot end the element.
pub fn data(id: &str, value: &Value) -> Markup {
    let json = value.to_string().replace('<', "\\u003c");
    html! { script #(id) type="application/json" { (PreEscaped(json)) } }
}
