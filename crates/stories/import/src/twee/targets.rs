//! Links to where a variable says, and passages that a variable names: one for each name that the variable is ever set to.

use std::collections::{BTreeMap, BTreeSet};

use super::markup::name_of;
use crate::story::{Expression, Step, every_step};

/// The most names that a variable may hold.
const MOST_NAMES: usize = 40;

/// The texts that each variable is ever set to; `None` where it is set to anything else, too.
pub(super) type Held = BTreeMap<String, Option<BTreeSet<String>>>;

/// What the variables of these passages hold.
pub(super) fn held<'s>(passages: impl Iterator<Item = &'s [Step]>) -> Held {
    let mut held = Held::new();
    for steps in passages {
        every_step(steps, &mut |step| {
            if let Step::Set(_, name, value) = step {
                let all = held.entry(name.clone()).or_insert_with(|| Some(BTreeSet::new()));
                match (all.as_mut(), texts(value)) {
                    (Some(all), Some(own)) => all.extend(own),
                    _ => *all = None,
                }
            }
        });
    }
    held
}

/// The texts that an expression can be, if it is always a text.
fn texts(own: &Expression) -> Option<Vec<String>> {
    match own {
        Expression::Text(text) => Some(vec![text.clone()]),
        Expression::Either(all) => Some(all.iter().map(texts).collect::<Option<Vec<_>>>()?.concat()),
        Expression::Choose(_, one, other) => Some([texts(one)?, texts(other)?].concat()),
        _ => None,
    }
}

/// Replaces every target that a variable holds by one for each name. A link is asked for its target when it is shown.
pub(super) fn resolve(steps: &mut Vec<Step>, held: &Held) {
    for mut step in std::mem::take(steps) {
        match &mut step {
            Step::Held { line, variable, is_shown } => {
                let lead =
                    |target| vec![if *is_shown { Step::Include { line: *line, target } } else { goto(*line, target) }];
                step = cases(held, *line, variable, &lead);
            }
            Step::Link { label, body } => {
                let at = body.iter().position(|own| matches!(own, Step::Held { is_shown: false, .. }));
                if let Some((at, Step::Held { line, variable, .. })) = at.map(|at| (at, body[at].clone())) {
                    let link = |target| {
                        let mut body = body.clone();
                        body[at] = goto(line, target);
                        resolve(&mut body, held);
                        vec![Step::Link { label: label.clone(), body }]
                    };
                    step = cases(held, line, &variable, &link);
                } else {
                    resolve(body, held);
                }
            }
            Step::Click { body, .. } => resolve(body, held),
            Step::If(_, branches, otherwise) => {
                for body in branches.iter_mut().map(|(_, body)| body).chain([otherwise]) {
                    resolve(body, held);
                }
            }
            _ => {}
        }
        steps.push(step);
    }
}

fn goto(line: usize, target: String) -> Step {
    Step::Goto { line, target }
}

/// What happens for each name that a variable can hold.
fn cases(held: &Held, line: usize, variable: &str, happens: &dyn Fn(String) -> Vec<Step>) -> Step {
    match held.get(variable) {
        Some(Some(names)) if names.len() <= MOST_NAMES => {
            let case = |name: &String| {
                let [one, other] = [Expression::Variable(variable.into()), Expression::Text(name.clone())];
                (Expression::Same(true, Box::new(one), Box::new(other)), happens(name_of(name)))
            };
            Step::If(line, names.iter().map(case).collect(), Vec::new())
        }
        _ => Step::Todo { line, what: format!("a passage that only `{variable}` names") },
    }
}
