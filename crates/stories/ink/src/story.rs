//! A story that can be explored: compiled, looked at, rewritten.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};

use crate::chance::{DECLARATIONS, rewrite};
use crate::counts::{Count, Use, uses};
use crate::goal::{GOAL, Goal, insert_goal};
use crate::host::leave_out_calls;
use crate::live::Live;
use crate::program::{Call, ContainerId, Operation, Program, Step, Target, step_of, unknown_item, unknown_variable};
use crate::repair::repair;
use crate::runner::Runner;
use crate::source::{SourceError, compile};

/// What a story is called where it ends outside of all knots.
pub const TOP: &str = "(top)";

/// A story in ink, compiled and ready to be explored.
///
/// Copies are cheap: they share what was compiled.
#[derive(Clone, Debug)]
pub struct Story {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    /// Tells this story from all others of the process.
    pub(crate) number: u64,
    pub(crate) file: String,
    /// The compiled story as it was.
    compiled: Value,
    /// And as it is run.
    pub(crate) json: String,
    pub(crate) program: Program,
    pub(crate) live: Live,
    pub(crate) uses: FxHashMap<Count, Use>,
    /// For each end of the compiled story, in which knot or stitch it is.
    pub(crate) ends: Vec<String>,
    /// The knots and stitches with their containers, in the order of the story.
    pub(crate) knots: Vec<(String, ContainerId)>,
    /// The choice points that nobody sees: they are taken when there is no other choice.
    pub(crate) unseen: FxHashSet<String>,
    pub(crate) goal: Goal,
}

impl Story {
    /// Compiles ink text. `file` names it in errors; `include` is asked for each file that it includes, by the path as it is
    /// written there, joined to that of the including file.
    ///
    /// # Errors
    /// Where the text is no ink, or more than can be explored: with the file and the line, where the compiler knows it.
    ///
    /// ```
    /// let story = ink::Story::compile("* heads\n  # win\n  -> END\n* tails -> END\n", "coin.ink", |_| Err("none".into()))?;
    /// assert_eq!(story.report(&ink::ReportOptions::default())?.value.decimal(), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile(
        text: &str,
        file: &str,
        include: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<Self, SourceError> {
        let compiled = serde_json::from_str(&compile(text, file, include)?);
        let mut compiled: Value = compiled.map_err(|error| SourceError::new(file, None, error.to_string()))?;
        if let Some(root) = compiled.get_mut("root") {
            repair(root);
        }
        Self::of(compiled, Goal::Tag, file)
    }

    /// Reads a compiled story (`.ink.json`), of version 18 to 21.
    ///
    /// # Errors
    /// Where it is no story that the runtime can load, or more than can be explored.
    pub fn from_json(json: &str, file: &str) -> Result<Self, SourceError> {
        let json = json.trim_start_matches('\u{feff}');
        let wrong = |error: serde_json::Error| {
            SourceError::new(file, Some(error.line()), format!("it is no compiled story: {error}"))
        };
        Self::of(serde_json::from_str(json).map_err(wrong)?, Goal::Tag, file)
    }

    /// The same story with another goal: what [`Goal`] says of a text.
    ///
    /// # Errors
    /// Where the text is neither a knot nor a condition over the story's variables.
    pub fn with_goal(&self, goal: &str) -> Result<Self, SourceError> {
        let knot = self.inner.knots.iter().any(|(name, _)| name == goal);
        let mut compiled = self.inner.compiled.clone();
        if knot {
            return Self::of(compiled, Goal::Knot(goal.to_owned()), &self.inner.file);
        }
        let knots = self.inner.knots.iter().map(|(name, _)| name.as_str());
        insert_goal(&mut compiled, goal, knots)?;
        Self::of(compiled, Goal::Condition(goal.to_owned()), &self.inner.file)
    }

    /// What counts as won.
    pub fn goal(&self) -> &Goal {
        &self.inner.goal
    }

    /// The knots and stitches (`knot.stitch`), without functions.
    pub fn knots(&self) -> impl Iterator<Item = &str> {
        self.inner.knots.iter().map(|(name, _)| name.as_str())
    }

    fn of(compiled: Value, goal: Goal, file: &str) -> Result<Self, SourceError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mut run = compiled.clone();
        if let Some(name) = unknown_variable(&compiled, &compiled) {
            return Err(SourceError::new(file, None, format!("{name} is the name of nothing")));
        }
        let root = run.get_mut("root").ok_or_else(|| SourceError::new(file, None, "it is no compiled story"))?;
        leave_out_calls(root);
        let program = Program::read(root);
        if let Some((to, from)) = program.nowhere.iter().find(|(to, _)| !is_ours(to)) {
            let from = &program.containers[*from].path;
            return Err(SourceError::new(file, None, format!("{to}, named at {from}, leads nowhere")));
        }
        if let Some(name) = unknown_item(root) {
            return Err(SourceError::new(file, None, format!("{name} is the name of nothing")));
        }
        let knots = knots(&program);
        for (name, _) in &knots {
            count(root, name, VISITS);
        }
        for place in places_with_turns(&program) {
            count(root, place, VISITS | TURNS);
        }
        let rewritten = rewrite(root, file)?;
        let names: FxHashSet<&str> = knots.iter().map(|(name, _)| name.as_str()).collect();
        let ends = rewritten.ends.iter().map(|path| place_name(path, &names)).collect();
        let unseen = program.operations().filter_map(|(position, operation)| match operation {
            Operation::Choice { flags, .. } if flags & 8 != 0 => {
                Some(crate::program::joined(&program.containers[position.container].path, &position.place.to_string()))
            }
            _ => None,
        });
        let inner = Inner {
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            file: file.to_owned(),
            json: run.to_string(),
            live: Live::of(&program),
            uses: uses(&program),
            ends,
            unseen: unseen.collect(),
            compiled,
            program,
            knots,
            goal,
        };
        Runner::new(&inner.json).map_err(|message| SourceError::new(file, None, message))?;
        Ok(Self { inner: Arc::new(inner) })
    }
}

impl Inner {
    /// The knot or stitch in which a place of the compiled story is.
    pub(crate) fn place_name(&self, path: &str) -> String {
        let names: FxHashSet<&str> = self.knots.iter().map(|(name, _)| name.as_str()).collect();
        place_name(path, &names)
    }
}

/// Whether a function of the host is ours: no name of ink has a space.
fn is_ours(name: &str) -> bool {
    name.starts_with("bestplay ")
}

fn place_name(path: &str, knots: &FxHashSet<&str>) -> String {
    let mut steps = path.split('.');
    let (first, second) = (steps.next().unwrap_or(""), steps.next().unwrap_or(""));
    let stitch = format!("{first}.{second}");
    if knots.contains(stitch.as_str()) {
        stitch
    } else if knots.contains(first) {
        first.to_owned()
    } else {
        TOP.to_owned()
    }
}

/// The knots and stitches: what is named beside the root's content or a knot's, is no choice, gather or label of a weave,
/// and is called as no function.
fn knots(program: &Program) -> Vec<(String, ContainerId)> {
    let called: FxHashSet<ContainerId> = functions(program).collect();
    let is_own = |id: ContainerId| program.containers[id].place.is_none() && !called.contains(&id);
    let mut knots = Vec::new();
    let in_order = |named: &FxHashMap<String, ContainerId>| {
        let mut named: Vec<(String, ContainerId)> = named.iter().map(|(name, id)| (name.clone(), *id)).collect();
        named.sort_by_key(|(_, id)| *id);
        named
    };
    let Some(root) = program.containers.first() else { return knots };
    for (knot, id) in in_order(&root.named) {
        if !is_own(id) || knot == DECLARATIONS || knot == GOAL {
            continue;
        }
        knots.push((knot.clone(), id));
        for (stitch, id) in in_order(&program.containers[id].named) {
            if is_own(id) && !stitch.contains('-') && program.containers[id].flags & 4 == 0 {
                knots.push((format!("{knot}.{stitch}"), id));
            }
        }
    }
    knots
}

/// What is called as a function, or answers as one.
fn functions(program: &Program) -> impl Iterator<Item = ContainerId> {
    let answers = program.operations().filter_map(|(position, operation)| {
        let answers = matches!(operation, Operation::Command(name) if name == "~ret");
        answers.then(|| outermost(program, position.container))
    });
    let called = program.operations().filter_map(|(_, operation)| match operation {
        Operation::Divert { call: Call::Function, target: Target::To(position), .. } => Some(position.container),
        _ => None,
    });
    answers.chain(called)
}

fn outermost(program: &Program, mut container: ContainerId) -> ContainerId {
    while let Some(parent) = program.containers[container].parent.filter(|parent| *parent != 0) {
        container = parent;
    }
    container
}

/// How often a container is visited, and when it was last.
const VISITS: i64 = 1;
const TURNS: i64 = 2;

/// The containers of which is asked how many turns ago they were visited: the compiler misses those that only a sequence asks of.
fn places_with_turns(program: &Program) -> Vec<&str> {
    let asks = |operation: &Operation| matches!(operation, Operation::Command(name) if name == "turns");
    if !program.operations().any(|(_, operation)| asks(operation)) {
        return Vec::new();
    }
    let places = program.operations().filter_map(|(_, operation)| match operation {
        Operation::Place(Some(position)) => Some(&program.containers[position.container].path[..]),
        _ => None,
    });
    places.collect()
}

/// Has the runtime count this of a container.
fn count(root: &mut Value, path: &str, wanted: i64) {
    let container = path.split('.').try_fold(root, |token, step| {
        let tokens = token.as_array_mut()?;
        let found = match step_of(tokens, step)? {
            Step::Named => tokens.last_mut()?.get_mut(step),
            Step::At(place) => tokens.get_mut(place),
        };
        found.filter(|token| token.is_array())
    });
    let Some(last) = container.and_then(|token| token.as_array_mut()?.last_mut()) else { return };
    let flags = last.get("#f").and_then(Value::as_i64).unwrap_or(0);
    match last.as_object_mut() {
        Some(named) => {
            named.insert("#f".to_owned(), json!(flags | wanted));
        }
        None => *last = json!({"#f": wanted}),
    }
}
