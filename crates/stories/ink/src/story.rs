//! A story that is ready to be explored: compiled, checked, rewritten.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};

use crate::chance::rewrite;
use crate::compiler::compile;
use crate::counts::{Count, Use, uses};
use crate::goal::{GOAL, Goal, insert_goal};
use crate::host::leave_out_calls;
use crate::leaps::count_leaps;
use crate::live::Live;
use crate::program::{
    Call, ContainerId, DECLARATIONS, Operation, Program, Step, Target, step_of, unknown_item, unknown_variable,
};
use crate::runner::Runner;
use crate::source::SourceError;
use crate::wording::Wording;

/// The name of the part of a story outside of all knots.
pub const TOP: &str = "(top)";

/// A story in ink, compiled and ready to be explored.
///
/// Copies are cheap: they share the compiled story.
#[derive(Clone, Debug)]
pub struct Story {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    /// Identifies this story within the process.
    pub(crate) number: u64,
    pub(crate) file: String,
    /// The compiled story before rewriting.
    compiled: Value,
    pub(crate) program: Program,
    /// The story as it is run for its odds, where what only changes words does not count.
    pub(crate) odds: Rendering,
    /// The story as it is run for its texts.
    pub(crate) texts: Rendering,
    pub(crate) uses: FxHashMap<Count, Use>,
    /// For each end of the compiled story, its knot or stitch.
    pub(crate) ends: Vec<String>,
    /// The knots and stitches with their containers, in the order of the story.
    pub(crate) knots: Vec<(String, ContainerId)>,
    /// The invisible choice points: they are taken when there is no other choice.
    pub(crate) unseen: FxHashSet<String>,
    pub(crate) goal: Goal,
}

/// A rewritten story, and what can still be read in it.
#[derive(Debug)]
pub(crate) struct Rendering {
    pub(crate) json: String,
    pub(crate) live: Live,
}

impl Story {
    /// Compiles ink text. `file` names it in errors; `include` is called for each file that it includes, with the path
    /// as written, joined to that of the including file.
    ///
    /// # Errors
    /// When the text is not valid ink, or cannot be explored: with the file and the line, if the compiler knows it.
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
        Self::of(compile(text, file, include)?, Goal::Tag, file)
    }

    /// Reads a compiled story (`.ink.json`), of version 18 to 21.
    ///
    /// # Errors
    /// When the runtime cannot load the story, or it cannot be explored.
    pub fn from_json(json: &str, file: &str) -> Result<Self, SourceError> {
        let json = json.trim_start_matches('\u{feff}');
        let wrong = |error: serde_json::Error| {
            SourceError::new(file, Some(error.line()), format!("it is no compiled story: {error}"))
        };
        Self::of(serde_json::from_str(json).map_err(wrong)?, Goal::Tag, file)
    }

    /// The same story with another goal, given as text: see [`Goal`].
    ///
    /// # Errors
    /// When the text is neither a knot nor a condition over the story's variables.
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

    /// The goal.
    pub fn goal(&self) -> &Goal {
        &self.inner.goal
    }

    /// The title in a tag `# title: NAME` at the top.
    pub fn title(&self) -> Option<String> {
        let tags = Runner::new(&self.inner.texts.json).ok()?.global_tags();
        tags.iter().find_map(|tag| {
            let (key, title) = tag.split_once(':')?;
            key.trim().eq_ignore_ascii_case("title").then(|| title.trim().to_owned())
        })
    }

    /// The knots and stitches (`knot.stitch`), without functions.
    pub fn knots(&self) -> impl Iterator<Item = &str> {
        self.inner.knots.iter().map(|(name, _)| name.as_str())
    }

    /// The knots and stitches that a part of the story names, wherever a divert, choice or tunnel leads to them or they
    /// are passed on: pairs of names, with [`TOP`] for what is outside of all.
    pub fn ways(&self) -> BTreeSet<(String, String)> {
        let program = &self.inner.program;
        let names: FxHashSet<&str> = self.knots().collect();
        let functions: FxHashSet<ContainerId> = functions(program).collect();
        let ways = program.operations().filter_map(|(from, operation)| {
            let to = match operation {
                Operation::Divert { target: Target::To(to), call: Call::None | Call::Tunnel, .. }
                | Operation::Place(Some(to))
                | Operation::Choice { target: Some(to), .. } => to.container,
                _ => return None,
            };
            let of_function = |id: ContainerId| functions.contains(&outermost(program, id));
            let place = |id: ContainerId| place_name(&program.containers[id].path, &names);
            (!of_function(to) && !of_function(from.container)).then(|| (place(from.container), place(to)))
        });
        ways.filter(|(from, to)| from != to && to != TOP).collect()
    }

    /// The knots and stitches with a `-> END` or `-> DONE`, or in which the top ends.
    pub fn end_places(&self) -> BTreeSet<&str> {
        self.inner.ends.iter().map(String::as_str).collect()
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
        let uses = uses(&program);
        let names: FxHashSet<&str> = knots.iter().map(|(name, _)| name.as_str()).collect();
        let mut root = root.clone();
        count_leaps(&mut root, &program, &knots, &uses);
        let render = |wording: &Wording| {
            let mut run = run.clone();
            let mut own = root.clone();
            let rewritten = rewrite(&mut own, file, &program, wording)?;
            run["root"] = own;
            Ok((Rendering { json: run.to_string(), live: Live::of(&program, wording) }, rewritten))
        };
        let (texts, rewritten) = render(&Wording::default())?;
        let (odds, _) = render(&Wording::of(&program, &functions(&program).collect()))?;
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
            odds,
            texts,
            uses,
            ends,
            unseen: unseen.collect(),
            compiled,
            program,
            knots,
            goal,
        };
        Runner::new(&inner.odds.json).map_err(|message| SourceError::new(file, None, message))?;
        Ok(Self { inner: Arc::new(inner) })
    }
}

impl Inner {
    /// The knot or stitch of a path in the compiled story.
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

/// The knots and stitches: named content of the root or of a knot that is not a choice, gather or label of a weave, and
/// is not called as a function.
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

/// Containers that are called as functions, or return like one.
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

fn outermost(program: &Program, container: ContainerId) -> ContainerId {
    program.around(container).take_while(|id| *id != 0).last().unwrap_or(container)
}

/// The flag to count visits of a container, and the turn of the last one.
const VISITS: i64 = 1;
const TURNS: i64 = 2;

/// The containers whose turns since the last visit are read: the compiler misses those that are read by a sequence
/// only.
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

/// Makes the runtime count this for a container.
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
