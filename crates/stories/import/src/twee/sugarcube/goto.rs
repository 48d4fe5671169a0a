//! Steps after a `<<goto>>`, and steps whose output is not shown.

use crate::story::{Step, count_steps};

/// The most steps after a `<<goto>>` that are read, in all branches together.
const MOST_AFTER: usize = 100_000;

/// Moves each `<<goto>>` behind the steps after it, since those are still done.
pub(crate) fn goto_last(steps: &mut Vec<Step>) {
    goto_last_within(steps, &mut { MOST_AFTER });
}

fn goto_last_within(steps: &mut Vec<Step>, room: &mut usize) {
    let mut reversed: Vec<Step> = Vec::new();
    let mut leads = false;
    for mut step in std::mem::take(steps).into_iter().rev() {
        if let Some(line) = goes(std::slice::from_ref(&step)) {
            if leads {
                // Both would be entered, one after the other.
                reversed.push(Step::Todo { line, what: "a second <<goto>> after <<goto>>".into() });
                continue;
            }
            leads = true;
            reversed.reverse();
            let after = std::mem::take(&mut reversed);
            let count = count_steps(&after);
            match &mut step {
                Step::If(_, branches, otherwise) if (branches.len() + 1) * count <= *room => {
                    *room -= (branches.len() + 1) * count;
                    for body in branches.iter_mut().map(|(_, body)| body).chain([otherwise]) {
                        body.extend(after.iter().cloned());
                        goto_last_within(body, room);
                    }
                    reversed.push(step);
                }
                Step::If(..) => reversed.push(Step::Todo { line, what: "so much after <<goto>>".into() }),
                _ => {
                    // Links that lead elsewhere are gone before anyone can follow them.
                    let mut own = without_words(after);
                    own.push(step);
                    reversed = own.into_iter().rev().collect();
                }
            }
            continue;
        }
        if let Step::Link { body, .. } = &mut step {
            goto_last_within(body, room);
        }
        reversed.push(step);
    }
    reversed.reverse();
    *steps = reversed;
}

/// The line of a `<<goto>>` among these steps, links left out.
fn goes(steps: &[Step]) -> Option<usize> {
    steps.iter().find_map(|step| match step {
        Step::Goto { line, .. } => Some(*line),
        Step::If(_, branches, otherwise) => {
            branches.iter().map(|(_, body)| body).chain([otherwise]).find_map(|body| goes(body))
        }
        _ => None,
    })
}

/// Steps without their output: words and links.
pub(crate) fn without_words(steps: Vec<Step>) -> Vec<Step> {
    let kept = |step: Step| match step {
        Step::Text(_) | Step::Link { .. } | Step::Click { .. } => None,
        Step::If(line, branches, otherwise) => {
            let branches: Vec<_> = branches.into_iter().map(|(test, body)| (test, without_words(body))).collect();
            let otherwise = without_words(otherwise);
            let is_empty = otherwise.is_empty() && branches.iter().all(|(_, body)| body.is_empty());
            (!is_empty).then_some(Step::If(line, branches, otherwise))
        }
        step => Some(step),
    };
    steps.into_iter().filter_map(kept).collect()
}
