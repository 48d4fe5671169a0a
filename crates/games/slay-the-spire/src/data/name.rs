//! Names as people write them, and error messages for unknown names.

use std::fmt;

/// A name with hyphens, in lower case: `Shrug_It_Off` and `shrug it off` are `shrug-it-off`.
pub(crate) fn normal(text: &str) -> String {
    // A name as long as a file is cut, as it is only displayed.
    let part = |c: char| if c == '_' || c == ' ' { '-' } else { c.to_ascii_lowercase() };
    text.trim().chars().take(60).map(part).filter(|c| *c != '\'').collect()
}

/// The beginning of a text as it is printed in a message.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

/// An unknown name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    text: String,
}

impl UnknownName {
    /// There is nothing of this kind with this name; the known names are for a suggestion.
    pub(crate) fn new<'a>(sort: &str, name: &str, names: impl Iterator<Item = &'a str> + Clone) -> Self {
        let like = |other: &str| strsim::jaro_winkler(other, name);
        let near = names.clone().max_by(|a, b| like(a).total_cmp(&like(b))).filter(|other| like(other) > 0.75);
        let shown = name.escape_debug();
        let text = match near {
            Some(near) => format!("no {sort} is called '{shown}'; did you mean {near}?"),
            None => format!("no {sort} is called '{shown}'; there are {}", names.collect::<Vec<_>>().join(", ")),
        };
        Self { text }
    }

    /// The game has it, but it is not modelled.
    pub(crate) fn left_out(sort: &str, name: &str, why: &str) -> Self {
        Self { text: format!("the {sort} {name} is not modelled: {why}") }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for UnknownName {}
