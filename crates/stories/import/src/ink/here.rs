//! Where a line of ink stands, and what names mean there.

use std::collections::BTreeSet;

use super::knot::Targets;
use super::visits::been_in;
use crate::story::{Dialect, Expression, Operation, Step, expression};

/// Where things stand and lead.
pub(super) struct Here<'t> {
    pub(super) targets: &'t Targets,
    /// The variables of the story.
    pub(super) variables: &'t BTreeSet<String>,
    /// The knot or stitch.
    pub(super) within: &'t str,
    pub(super) line: usize,
}

impl Here<'_> {
    pub(super) fn todo(&self, what: impl Into<String>) -> Step {
        Step::Todo { line: self.line, what: what.into() }
    }

    /// A number or condition in which the name of a place is how often it was visited.
    pub(super) fn expression(&self, text: &str) -> Result<Expression, String> {
        let mut own = expression(text, Dialect::Ink, None)?;
        self.resolve(&mut own)?;
        Ok(own)
    }

    fn resolve(&self, own: &mut Expression) -> Result<(), String> {
        match own {
            Expression::Variable(name) if self.variables.contains(name) => Ok(()),
            Expression::Variable(name) => match self.targets.find(name, self.within) {
                Some(place) => {
                    *name = been_in(&place);
                    Ok(())
                }
                None => Err(format!("`{name}` is neither declared nor one place that can be seen from here")),
            },
            Expression::Operation(_, left, right)
            | Expression::Compare(_, left, right)
            | Expression::And(left, right)
            | Expression::Or(left, right) => {
                self.resolve(left)?;
                self.resolve(right)
            }
            Expression::Not(inner) => self.resolve(inner),
            Expression::Either(all) => all.iter_mut().try_for_each(|own| self.resolve(own)),
            Expression::Number(_) | Expression::Boolean(_) | Expression::Text(_) | Expression::Random(..) => Ok(()),
        }
    }

    /// `-> target`
    pub(super) fn divert(&self, target: &str) -> Step {
        let target = target.trim();
        if matches!(target, "END" | "DONE") {
            return Step::End;
        }
        let is_name = !target.is_empty() && target.chars().all(|own| own.is_alphanumeric() || matches!(own, '_' | '.'));
        match self.targets.find(target, self.within).filter(|_| is_name) {
            Some(found) => Step::Goto { line: self.line, target: found },
            None if target.contains("->") => self.todo(format!("a tunnel: -> {target}")),
            None if self.variables.contains(target) => self.todo(format!("a divert to where `{target}` says")),
            None => self.todo(format!("-> {target}")),
        }
    }

    /// What a line that begins with `~` does.
    pub(super) fn done(&self, text: &str) -> Step {
        let todo = |why: String| self.todo(format!("{why}~ {text}"));
        let own = text.strip_prefix("temp ").unwrap_or(text).trim();
        let variable = |name: &str| Some(name.trim().to_string()).filter(|name| self.variables.contains(name));
        for (sign, operation) in [("+", Operation::Plus), ("-", Operation::Minus)] {
            let (name, by) = if let Some(name) = own.strip_suffix(&format!("{sign}{sign}")) {
                (name, "1")
            } else if let Some((name, by)) = own.split_once(&format!("{sign}=")) {
                (name, by)
            } else {
                continue;
            };
            return match (variable(name), self.expression(by)) {
                (Some(name), Ok(by)) => {
                    let now = Expression::Variable(name.clone());
                    Step::Set(self.line, name, Expression::operation(operation, now, by))
                }
                (_, Err(what)) => todo(what + ": "),
                (None, _) => todo(String::new()),
            };
        }
        match own.split_once('=').and_then(|(name, value)| Some((variable(name)?, value))) {
            Some((name, value)) => match self.expression(value) {
                Ok(value) => Step::Set(self.line, name, value),
                Err(what) => todo(what + ": "),
            },
            None => todo(String::new()),
        }
    }
}
