//! Constant folding: decides conditions by what the same passage sets. It shortens the code of unrolled loops and calls.

use std::collections::BTreeMap;

use super::expression::{Expression, Operation};
use super::passage::{Step, every_step};

/// The most variables whose values are tracked.
const MOST_KNOWN: usize = 300;

/// The variables whose values are certain.
type Known = BTreeMap<String, Expression>;

/// Replaces expressions whose values are certain.
pub(crate) fn fold(steps: &mut Vec<Step>) {
    fold_with(steps, &mut Known::new());
}

fn fold_with(steps: &mut Vec<Step>, known: &mut Known) {
    for mut step in std::mem::take(steps) {
        match &mut step {
            Step::Set(_, name, own) => {
                *own = own.clone().map(&mut |own| with(own, known));
                if own.is_constant() && known.len() < MOST_KNOWN {
                    known.insert(name.clone(), own.clone());
                } else {
                    known.remove(name);
                }
            }
            Step::Unset(name) => {
                known.remove(name);
            }
            Step::If(_, branches, otherwise) => {
                let mut left = Vec::new();
                for (test, body) in std::mem::take(branches) {
                    match test.map(&mut |own| with(own, known)) {
                        Expression::Boolean(false) => {}
                        Expression::Boolean(true) => {
                            *otherwise = body;
                            break;
                        }
                        test => left.push((test, body)),
                    }
                }
                if left.is_empty() {
                    let mut own = std::mem::take(otherwise);
                    fold_with(&mut own, known);
                    steps.append(&mut own);
                    continue;
                }
                for body in left.iter_mut().map(|(_, body)| body).chain([&mut *otherwise]) {
                    fold_with(body, &mut known.clone());
                }
                *branches = left;
                every_step(std::slice::from_ref(&step), &mut |own| {
                    if let Step::Set(_, name, _) | Step::Unset(name) = own {
                        known.remove(name);
                    }
                });
            }
            // A link is followed later, when other values may hold.
            Step::Link { body, .. } | Step::Click { body, .. } => fold_with(body, &mut Known::new()),
            _ => {}
        }
        steps.push(step);
    }
}

fn with(own: Expression, known: &Known) -> Expression {
    match own {
        Expression::Variable(name) => known.get(&name).cloned().unwrap_or(Expression::Variable(name)),
        own => own.folded(),
    }
}

impl Expression {
    /// Whether the expression is a number, a truth value or a text.
    pub(crate) fn is_constant(&self) -> bool {
        matches!(self, Self::Number(_) | Self::Boolean(_) | Self::Text(_))
    }

    /// The value of the expression where all its parts are certain, else the expression itself.
    pub(crate) fn folded(self) -> Self {
        match &self {
            Self::Operation(how, left, right) => match (how, &**left, &**right) {
                (Operation::Plus, Self::Number(one), Self::Number(other)) => Self::Number(one + other),
                (Operation::Minus, Self::Number(one), Self::Number(other)) => Self::Number(one - other),
                (Operation::Times, Self::Number(one), Self::Number(other)) => Self::Number(one.saturating_mul(*other)),
                _ => self,
            },
            Self::Compare(how, left, right) => match (&**left, &**right) {
                (Self::Number(one), Self::Number(other)) => Self::Boolean(how.holds(*one, *other)),
                _ => self,
            },
            Self::Same(is_same, left, right) if left.is_constant() && right.is_constant() => {
                Self::Boolean((left == right) == *is_same)
            }
            Self::And(left, right) => match (&**left, &**right) {
                (Self::Boolean(false), _) | (_, Self::Boolean(false)) => Self::Boolean(false),
                (Self::Boolean(true), own) | (own, Self::Boolean(true)) if own.is_condition() => own.clone(),
                _ => self,
            },
            Self::Or(left, right) => match (&**left, &**right) {
                (Self::Boolean(true), _) | (_, Self::Boolean(true)) => Self::Boolean(true),
                (Self::Boolean(false), own) | (own, Self::Boolean(false)) if own.is_condition() => own.clone(),
                _ => self,
            },
            Self::Not(own) => match **own {
                Self::Boolean(own) => Self::Boolean(!own),
                _ => self,
            },
            _ => self,
        }
    }
}
