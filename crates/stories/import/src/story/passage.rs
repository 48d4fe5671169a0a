//! A story of passages, and the steps of each passage.

use std::collections::BTreeMap;

use super::expression::{Dialect, Expression};
use crate::unreadable::Unreadable;

/// The most passages of a story.
pub(crate) const MOST_PASSAGES: usize = 9_000;
/// The deepest nesting of steps.
pub(crate) const DEEPEST: usize = 64;
/// The longest passage, in bytes, and the most steps of a story.
pub(crate) const LONGEST_PASSAGE: usize = 1 << 20;
pub(crate) const MOST_STEPS: usize = 300_000;
/// The longest file, in bytes.
pub(crate) const LONGEST: usize = 16 << 20;
/// The most variables; a book cannot declare more.
pub(crate) const MOST_VARIABLES: usize = 150;

/// A story.
#[derive(Debug, Default)]
pub(crate) struct Story {
    pub title: String,
    /// The passage in which it begins.
    pub start: String,
    pub passages: Vec<Passage>,
    /// The initial values of variables, where they are not 0.
    pub initial: BTreeMap<String, Expression>,
    /// The language of its expressions.
    pub dialect: Dialect,
    /// Remarks of the reader about the whole story.
    pub notes: Vec<String>,
    /// Problems of the whole story, each with its line.
    pub todos: Vec<(usize, String)>,
    /// The number of steps in the passages so far.
    pub steps: usize,
}

/// A passage.
#[derive(Debug, Default)]
pub(crate) struct Passage {
    pub name: String,
    /// The line in which it begins.
    pub line: usize,
    /// Whether a play that ends here is won.
    pub wins: bool,
    pub steps: Vec<Step>,
}

/// A step of a passage. Links are offered when all other steps are done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Text(String),
    /// Sets a variable to a value; with its line.
    Set(usize, String, Expression),
    /// Unsets a variable.
    Unset(String),
    If(usize, Vec<(Expression, Vec<Step>)>, Vec<Step>),
    Link {
        label: String,
        body: Vec<Step>,
    },
    /// A link after which the page stays, unless its body leads elsewhere. The player can follow it once, or any number of
    /// times. Links in its body appear when it is followed.
    Click {
        label: String,
        body: Vec<Step>,
        once: bool,
    },
    Goto {
        line: usize,
        target: String,
    },
    /// The steps of another passage, in place of this one.
    Include {
        line: usize,
        target: String,
    },
    /// As `Goto`, or as `Include` (`is_shown`), where a variable holds the name of the passage.
    Held {
        line: usize,
        variable: String,
        is_shown: bool,
    },
    /// Code that is not understood, with its line.
    Todo {
        line: usize,
        what: String,
    },
}

/// Visits steps and the steps nested in them.
pub(crate) fn every_step<'s>(steps: &'s [Step], visit: &mut dyn FnMut(&'s Step)) {
    for step in steps {
        visit(step);
        match step {
            Step::If(_, branches, otherwise) => {
                for (_, body) in branches {
                    every_step(body, visit);
                }
                every_step(otherwise, visit);
            }
            Step::Link { body, .. } | Step::Click { body, .. } => every_step(body, visit),
            _ => {}
        }
    }
}

/// The number of steps, nested steps included.
pub(crate) fn count_steps(steps: &[Step]) -> usize {
    let mut count = 0;
    every_step(steps, &mut |_| count += 1);
    count
}

/// Changes every expression of steps and of the steps nested in them.
pub(crate) fn every_expression(steps: &mut [Step], change: &mut dyn FnMut(Expression) -> Expression) {
    for step in steps {
        match step {
            Step::Set(_, _, own) => own.change(change),
            Step::If(_, branches, otherwise) => {
                for (test, _) in branches.iter_mut() {
                    test.change(change);
                }
                for body in branches.iter_mut().map(|(_, body)| body).chain([otherwise]) {
                    every_expression(body, change);
                }
            }
            Step::Link { body, .. } | Step::Click { body, .. } => every_expression(body, change),
            _ => {}
        }
    }
}

impl Story {
    /// Adds a passage, as long as there are not too many.
    pub(crate) fn add(&mut self, passage: Passage) -> Result<(), Unreadable> {
        self.steps += count_steps(&passage.steps);
        if self.steps > MOST_STEPS {
            return Err(Unreadable::wrong(format!("more than {MOST_STEPS} things happen in it")));
        }
        if self.passages.len() >= MOST_PASSAGES {
            return Err(Unreadable::wrong(format!("it has more than {MOST_PASSAGES} passages")));
        }
        self.passages.push(passage);
        Ok(())
    }
}
