//! `(link:)` and its relatives.

use crate::story::{Dialect, Step, every_step, expression, leaves};
use crate::twee::markup::{held, in_quotes, target_of};

/// `(link-goto: "label", "passage")`
pub(super) fn link_goto(arguments: &str, line: usize) -> Option<Step> {
    let Some((label, target)) = label_and_target(arguments) else {
        let (label, rest) = in_quotes(arguments)?;
        let target = held(rest.trim().strip_prefix(',')?, Dialect::Harlowe, line, false)?;
        return Some(Step::Link { label: label.into(), body: vec![target] });
    };
    let target = target.unwrap_or_else(|| label.clone());
    Some(Step::Link { label, body: vec![target_of(&target, Dialect::Harlowe, line)] })
}

/// A label, and a target after a comma.
fn label_and_target(arguments: &str) -> Option<(String, Option<String>)> {
    let Some((label, rest)) = in_quotes(arguments) else {
        // Any value can be a label.
        return expression(arguments, Dialect::Harlowe).is_ok().then(|| (arguments.into(), None));
    };
    match rest.trim() {
        "" => Some((label.into(), None)),
        rest => {
            let (target, rest) = in_quotes(rest.strip_prefix(',')?)?;
            rest.trim().is_empty().then(|| (label.into(), Some(target.into())))
        }
    }
}

/// A link with the hook attached to it; `None` where it is not understood.
pub(super) fn link(name: &str, arguments: &str, body: Option<Vec<Step>>, line: usize) -> Option<Vec<Step>> {
    let (label, target) = label_and_target(arguments)?;
    if name == "linkrevealgoto" {
        let mut body = body?;
        let mut leads = false;
        every_step(&body, &mut |own| leads |= matches!(own, Step::Goto { .. }));
        if leads {
            return None;
        }
        // Its links are gone before anyone can follow them.
        body.retain(|own| !matches!(own, Step::Link { .. } | Step::Click { .. }));
        body.push(target_of(&target.unwrap_or_else(|| label.clone()), Dialect::Harlowe, line));
        return Some(vec![Step::Link { label, body }]);
    }
    let body = body.filter(|_| target.is_none())?;
    if leaves(&body) {
        return Some(vec![Step::Link { label, body }]);
    }
    let once = !matches!(name, "linkrepeat" | "linkrerun");
    let mut brings = false;
    every_step(&body, &mut |own| brings |= matches!(own, Step::Link { .. } | Step::Click { .. }));
    if brings && !once {
        return None;
    }
    let happens = !body.iter().all(|own| matches!(own, Step::Text(_)));
    Some(if happens { vec![Step::Click { label, body, once }] } else { Vec::new() })
}
