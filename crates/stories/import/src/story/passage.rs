//! A story of passages, and what happens in them.

use std::collections::BTreeMap;

use super::expression::{Dialect, Expression};
use crate::unreadable::Unreadable;

/// The most passages of a story.
pub(crate) const MOST_PASSAGES: usize = 9_000;
/// The deepest nesting of what stands in what.
pub(crate) const DEEPEST: usize = 64;
/// The longest passage, in bytes, and the most that happens in a story.
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
    /// What variables hold at first, where that is not 0.
    pub initial: BTreeMap<String, Expression>,
    /// Whose expressions it has.
    pub dialect: Dialect,
    /// What its reader says about the whole.
    pub notes: Vec<String>,
    /// What is not understood of the whole, and in which line.
    pub todos: Vec<(usize, String)>,
    /// How much happens in the passages so far.
    pub steps: usize,
}

/// A passage.
#[derive(Debug, Default)]
pub(crate) struct Passage {
    pub name: String,
    /// The line in which it begins.
    pub line: usize,
    /// Who comes to an end here has won.
    pub wins: bool,
    pub steps: Vec<Step>,
}

/// One thing that happens in a passage. What can be followed is offered when all else is done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Text(String),
    /// A variable, and what it is set to; and in which line.
    Set(usize, String, Expression),
    /// A variable that holds nothing from here on.
    Unset(String),
    If(usize, Vec<(Expression, Vec<Step>)>, Vec<Step>),
    Link {
        label: String,
        body: Vec<Step>,
    },
    /// A link after which the page stays, unless its body leads on. It can be followed once, or as often as the reader likes.
    /// Links in its body appear when it is followed.
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
    /// What is not understood, and in which line.
    Todo {
        line: usize,
        what: String,
    },
}

/// Visits steps, and all that stand in them.
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

/// How many steps there are, those within others counted.
pub(crate) fn count_steps(steps: &[Step]) -> usize {
    let mut count = 0;
    every_step(steps, &mut |_| count += 1);
    count
}

/// Changes every expression in steps, and in all that stand in them.
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
