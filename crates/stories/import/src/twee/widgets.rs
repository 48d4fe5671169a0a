//! Widgets: macros that a story defines itself.

use super::markup::{Markup, Widget, Widgets};
use crate::story::{Dialect, Expression, expression};

/// Adds the widgets of a passage; returns whether it has nothing else in it.
pub(super) fn define(text: &str, first_line: usize, widgets: &mut Widgets) -> bool {
    let mut rest = text;
    let mut is_all = true;
    while let Some(begin) = rest.find("<<widget ") {
        is_all &= is_blank(&rest[..begin]);
        let line = first_line + text[..text.len() - rest.len() + begin].matches('\n').count();
        let inner = &rest[begin + "<<widget ".len()..];
        let (Some(head), Some(end)) =
            (inner.find(">>"), inner.find("<</widget>>").or_else(|| inner.find("<<endwidget>>")))
        else {
            return false;
        };
        if head > end {
            return false;
        }
        let name: Vec<&str> = inner[..head].split_whitespace().collect();
        rest = &inner[end + inner[end..].find(">>").unwrap_or(0) + 2..];
        let [name] = name[..] else {
            is_all = false;
            continue;
        };
        let name = name.trim_matches(['"', '\'']);
        let body = inner[head + 2..end].to_string();
        is_all &= widgets.by_name.insert(name.into(), Widget { body, line }).is_none();
    }
    is_all && is_blank(rest)
}

/// Whether a text has only comments and blanks.
fn is_blank(text: &str) -> bool {
    let widgets = Widgets::default();
    let mut markup = Markup::new(Dialect::SugarCube, text, 1, &widgets);
    while let Some(own) = markup.rest().chars().next() {
        if !own.is_whitespace() && !markup.passed() {
            return false;
        }
        if own.is_whitespace() {
            markup.at += own.len_utf8();
        }
    }
    true
}

impl Widget {
    /// The text that a call expands to; `None` where its arguments are not plain values, or are read other than by their
    /// positions.
    pub(super) fn called(&self, arguments: &str) -> Option<String> {
        let mut body = self.body.clone();
        let mut rest = arguments.trim();
        let mut place = 0;
        while !rest.is_empty() {
            let end = match rest.chars().next() {
                Some(quote @ ('"' | '\'')) => crate::story::end_of_text(rest, quote)? + 1,
                _ => rest.find(char::is_whitespace).unwrap_or(rest.len()),
            };
            let own = &rest[..end];
            // The variable could change before the widget reads it.
            if !matches!(
                expression(own, Dialect::SugarCube),
                Ok(Expression::Number(_) | Expression::Text(_) | Expression::Boolean(_))
            ) {
                return None;
            }
            for name in ["_args", "$args"] {
                body = body.replace(&format!("{name}[{place}]"), own);
            }
            place += 1;
            rest = rest[end..].trim_start();
        }
        (!body.contains("_args") && !body.contains("$args") && !body.contains("_contents")).then_some(body)
    }
}
