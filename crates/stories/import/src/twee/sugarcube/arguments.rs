//! The arguments of macros: texts, links, pictures, and code.

use crate::story::{Dialect, Step, end_of_text};
use crate::twee::markup::{Markup, Widgets};

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument<'t> {
    /// In quotes.
    Text(&'t str),
    /// A word, a number or a variable.
    Word(&'t str),
    /// Between backquotes.
    Code,
    /// A link, also of a picture: its label and its steps.
    Link(String, Vec<Step>),
}

/// The arguments of a macro; `None` where they are not clear.
pub(super) fn arguments(text: &str, line: usize) -> Option<Vec<Argument<'_>>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => {
                let end = end_of_text(rest, first)?;
                found.push(Argument::Text(&rest[1..end]));
                end + 1
            }
            '`' => {
                found.push(Argument::Code);
                rest[1..].find('`')? + 2
            }
            '[' => {
                let widgets = Widgets::default();
                let mut inner = Markup::new(Dialect::SugarCube, rest, line, &widgets);
                let link = if rest.starts_with("[[") { inner.link()? } else { inner.picture()?.pop()? };
                let Step::Link { label, body } = link else { return None };
                found.push(Argument::Link(label, body));
                inner.at
            }
            _ => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                found.push(Argument::Word(&rest[..end]));
                end
            }
        };
        rest = rest[length..].trim_start();
    }
    Some(found)
}
