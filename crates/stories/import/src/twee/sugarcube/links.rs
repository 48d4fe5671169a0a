//! `<<link>>`, `<<button>>` and their relatives.

use super::arguments::{Argument, arguments};
use super::goto::{goto_last, without_words};
use crate::story::{Dialect, Step, every_step, leaves};
use crate::twee::markup::target_of;

/// A link with its content.
pub(super) fn link(name: &str, words: &str, mut body: Vec<Step>, line: usize) -> Vec<Step> {
    let todo = |what: String| vec![Step::Todo { line, what }];
    let arguments = arguments(words, line);
    // `<<link>>` and `<<button>>` do not show the output of their content.
    let shows = !matches!(name, "link" | "button");
    let (label, target) = match arguments.as_deref() {
        Some([Argument::Text(label) | Argument::Word(label)]) => ((*label).to_string(), None),
        Some(
            [
                Argument::Text(label) | Argument::Word(label),
                Argument::Text("t8n" | "transition") | Argument::Word("t8n" | "transition"),
            ],
        ) if shows => ((*label).to_string(), None),
        Some([Argument::Code]) => (name.to_string(), None),
        Some([Argument::Text(label), Argument::Text(target)]) if !shows => {
            ((*label).to_string(), Some(vec![target_of(target, Dialect::SugarCube, line)]))
        }
        Some([Argument::Text(label), Argument::Word(target)]) if !shows && target.starts_with(['$', '_']) => {
            ((*label).to_string(), Some(vec![target_of(target, Dialect::SugarCube, line)]))
        }
        Some([Argument::Word(label), Argument::Text(target)]) if !shows && label.starts_with(['$', '_']) => {
            ((*label).to_string(), Some(vec![target_of(target, Dialect::SugarCube, line)]))
        }
        Some([Argument::Link(label, own)]) if !shows => (label.clone(), Some(own.clone())),
        _ => {
            return todo(format!("<<{name} {words}>>"));
        }
    };
    if !shows {
        body = without_words(body);
    }
    goto_last(&mut body);
    let body = match target {
        Some(mut own) => {
            let mut goes = false;
            every_step(&body, &mut |own| goes |= matches!(own, Step::Goto { .. }));
            if goes {
                return todo(format!("<<goto>> in a <<{name}>> that leads on"));
            }
            // The setter of a link comes first.
            let last = own.pop();
            own.append(&mut body);
            own.extend(last);
            own
        }
        None => body,
    };
    if leaves(&body) {
        vec![Step::Link { label, body }]
    } else if body.iter().all(|own| matches!(own, Step::Text(_))) {
        Vec::new()
    } else {
        vec![Step::Click { label, body, once: shows }]
    }
}
