//! A situation: the state of the runtime where it asks for a choice, without anything that can no longer matter.
//!
//! The main thread's position is left out: a choice continues in the thread in which it was made. Threads are numbered
//! by their choices. The text that was written, the seeds, the draws of the last step, and items that sequences of the
//! compiler leave on the evaluation stack (no expression is being evaluated) are left out. Of variables, temporary ones
//! and counts only those are kept that can still be read from the target of a choice or from its call stack; counts
//! that are only compared saturate.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use crate::chance::is_of_one_step;
use crate::counts::Count;
use crate::goal::GOAL;
use crate::live::{Fact, Live, Set};
use crate::program::ContainerId;
use crate::story::Inner;

/// The pieces of a situation, by their numbers, in a fixed order.
pub(crate) type Pieces = Arc<[u32]>;

/// All pieces of all situations of a story.
#[derive(Debug, Default)]
pub(crate) struct Store(RwLock<Known>);

#[derive(Debug, Default)]
struct Known {
    numbers: FxHashMap<Arc<Piece>, u32>,
    pieces: Vec<Arc<Piece>>,
    bytes: u64,
}

/// One piece of a situation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Piece {
    /// A choice: its text, and the saved forms of it and its thread.
    Choice { text: String, choice: String, thread: String },
    /// A variable whose value is not the initial one.
    Variable(String, String),
    /// The number of visits to a container.
    Visits(String, i64),
    /// The turn of the last visit to a container, minus the current turn.
    Since(String, i64),
    /// The number of turns.
    Turns(i64),
}

impl Store {
    fn number(&self, piece: Piece) -> u32 {
        if let Some(number) = self.0.read().unwrap_or_else(PoisonError::into_inner).numbers.get(&piece) {
            return *number;
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = known.numbers.get(&piece) {
            return *number;
        }
        let number = u32::try_from(known.pieces.len()).expect("memory ends before that");
        known.bytes += piece.bytes();
        let piece = Arc::new(piece);
        known.pieces.push(piece.clone());
        known.numbers.insert(piece, number);
        number
    }

    /// The pieces of a situation.
    pub(crate) fn pieces(&self, situation: impl Iterator<Item = u32>) -> Vec<Arc<Piece>> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        situation.map(|number| known.pieces[number as usize].clone()).collect()
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.read().unwrap_or_else(PoisonError::into_inner).bytes
    }
}

impl Piece {
    fn bytes(&self) -> u64 {
        let text = match self {
            Self::Choice { text, choice, thread } => text.len() + choice.len() + thread.len(),
            Self::Variable(name, value) => name.len() + value.len(),
            Self::Visits(path, _) | Self::Since(path, _) => path.len(),
            Self::Turns(_) => 0,
        };
        text as u64 + 200
    }
}

/// The texts of a situation's choices.
pub(crate) fn texts(pieces: &[Arc<Piece>]) -> impl Iterator<Item = &str> {
    pieces.iter().filter_map(|piece| match &**piece {
        Piece::Choice { text, .. } => Some(text.as_str()),
        _ => None,
    })
}

/// The path of the first choice of a situation in the compiled story.
pub(crate) fn choice_path(pieces: &[Arc<Piece>]) -> Option<String> {
    let choice = pieces.iter().find_map(|piece| match &**piece {
        Piece::Choice { choice, .. } => Some(choice),
        _ => None,
    });
    let choice: Value = serde_json::from_str(choice?).ok()?;
    Some(choice.get("originalChoicePath")?.as_str()?.to_owned())
}

/// The situation of a saved state, and what can only change words in it; `None` if it does not have the runtime's format.
pub(crate) fn situation(story: &Inner, matters: &Live, store: &Store, saved: &Value) -> Option<(Pieces, Pieces)> {
    let flow = saved.pointer("/flows/DEFAULT_FLOW")?;
    let mut choices = Vec::new();
    for choice in flow.get("currentChoices")?.as_array()? {
        let unseen = choice.get("originalChoicePath")?.as_str().is_some_and(|path| story.unseen.contains(path));
        if !unseen {
            choices.push((choice, thread_of(flow, choice)?));
        }
    }
    let variables = saved.get("variablesState")?.as_object()?;
    let pointed = choices.iter().map(|(_, thread)| *thread).chain(variables.values());
    let mut names = Vec::new();
    pointed.for_each(|value| pointers(value, &mut names));
    let live_in = |live: &Live| {
        let mut set = live.nothing();
        for (choice, thread) in &choices {
            live_from(story, live, &mut set, choice, thread)?;
        }
        if let Some(goal) = story.program.find(GOAL) {
            live.add(&mut set, goal, 0);
        }
        for name in &names {
            live.add_variable(&mut set, name);
        }
        Some(set)
    };
    let texts = &story.texts.live;
    let (mattering, read) = (live_in(matters)?, live_in(texts)?);
    let (mut key, mut words) = (Vec::new(), Vec::new());
    for (number, (choice, thread)) in choices.iter().enumerate() {
        key.push(choice_piece(story, &names, number + 1, choice, thread)?);
    }
    let sorted: BTreeMap<&String, &Value> = variables.iter().collect();
    for (name, value) in sorted {
        let fact = Fact::Variable(name.clone());
        if !is_of_one_step(name) && texts.holds(&read, &fact) {
            let kept = if matters.holds(&mattering, &fact) { &mut key } else { &mut words };
            kept.push(Piece::Variable(name.clone(), written(value)));
        }
    }
    counts(story, saved, |count, piece| {
        let fact = Fact::Count(count);
        if texts.holds(&read, &fact) {
            let kept = if matters.holds(&mattering, &fact) { &mut key } else { &mut words };
            kept.push(piece);
        }
    })?;
    let numbered = |pieces: Vec<Piece>| pieces.into_iter().map(|piece| store.number(piece)).collect();
    Some((numbered(key), numbered(words)))
}

/// The thread in which a choice continues.
fn thread_of<'a>(flow: &'a Value, choice: &Value) -> Option<&'a Value> {
    let index = choice.get("originalThreadIndex")?.as_u64()?;
    let running = flow.pointer("/callstack/threads")?.as_array()?;
    let running = running.iter().find(|thread| thread.get("threadIndex").and_then(Value::as_u64) == Some(index));
    running.or_else(|| flow.get("choiceThreads")?.get(index.to_string()))
}

/// Adds the facts that are live at the target of a choice, and at the return positions of its call stack.
fn live_from(story: &Inner, live: &Live, set: &mut Set, choice: &Value, thread: &Value) -> Option<()> {
    let target = story.program.find(choice.get("targetPath")?.as_str()?)?;
    live.add(set, target, 0);
    let (_, callers) = thread.get("callstack")?.as_array()?.split_last()?;
    callers.iter().try_for_each(|frame| frame_live(story, live, set, frame))
}

fn frame_live(story: &Inner, live: &Live, set: &mut Set, frame: &Value) -> Option<()> {
    let Some(path) = frame.get("cPath").and_then(Value::as_str) else { return Some(()) };
    let place = frame.get("idx").and_then(Value::as_i64)?;
    let place = usize::try_from(place.saturating_add(1).max(0)).ok()?;
    let (container, place) = original(story, path, place)?;
    live.add(set, container, place);
    Some(())
}

/// A position in the compiled story; in a container of ours it is the one after the operation that the container replaces.
fn original(story: &Inner, path: &str, place: usize) -> Option<(ContainerId, usize)> {
    if let Some(container) = story.program.find(path) {
        return Some((container, place));
    }
    let (around, replaced) = path.rsplit_once('.')?;
    original(story, around, replaced.parse::<usize>().map_or(0, |replaced| replaced + 1))
}

/// The names of all variables to which the value refers.
fn pointers(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| pointers(value, names)),
        Value::Object(object) => {
            names.extend(object.get("^var").and_then(Value::as_str).map(str::to_owned));
            object.values().for_each(|value| pointers(value, names));
        }
        _ => {}
    }
}

fn choice_piece(story: &Inner, pointed: &[String], number: usize, choice: &Value, thread: &Value) -> Option<Piece> {
    let mut frames = thread.get("callstack")?.as_array()?.clone();
    let top = frames.len().checked_sub(1)?;
    for (place, frame) in frames.iter_mut().enumerate() {
        let texts = &story.texts.live;
        let mut live = texts.nothing();
        if place == top {
            texts.add(&mut live, story.program.find(choice.get("targetPath")?.as_str()?)?, 0);
        } else {
            frame_live(story, texts, &mut live, frame)?;
        }
        let frame = frame.as_object_mut()?;
        if place == top {
            frame.remove("cPath");
            frame.remove("idx");
        }
        if let Some(temporary) = frame.get_mut("temp").and_then(Value::as_object_mut) {
            let is_live = |name: &String| texts.holds(&live, &Fact::Variable(name.clone()));
            temporary.retain(|name, _| pointed.contains(name) || is_live(name));
        }
    }
    let mut thread = thread.as_object()?.clone();
    thread.insert("callstack".to_owned(), Value::Array(frames));
    thread.insert("threadIndex".to_owned(), json!(number));
    let mut choice = choice.as_object()?.clone();
    choice.insert("index".to_owned(), json!(number - 1));
    choice.insert("originalThreadIndex".to_owned(), json!(number));
    let text = choice.get("text")?.as_str()?.to_owned();
    Some(Piece::Choice { text, choice: written(&Value::Object(choice)), thread: written(&Value::Object(thread)) })
}

/// Passes on every count that is not 0, reduced to the smallest equivalent one.
fn counts(story: &Inner, saved: &Value, mut pass: impl FnMut(Count, Piece)) -> Option<()> {
    let reduced = |count: Count, number: i64| story.uses.get(&count).map_or(number, |usage| usage.standing_for(number));
    let visits: BTreeMap<&String, &Value> = saved.get("visitCounts")?.as_object()?.iter().collect();
    for (path, visits) in visits {
        let count = Count::Visits(story.program.find(path)?);
        let visits = reduced(count, visits.as_i64()?);
        if visits != 0 {
            pass(count, Piece::Visits(path.clone(), visits));
        }
    }
    // Turns are numbered from -1.
    let now = saved.get("turnIdx")?.as_i64()?;
    let turns: BTreeMap<&String, &Value> = saved.get("turnIndices")?.as_object()?.iter().collect();
    for (path, turn) in turns {
        let count = Count::Since(story.program.find(path)?);
        pass(count, Piece::Since(path.clone(), reduced(count, now - turn.as_i64()?)));
    }
    let turns = reduced(Count::Turns, now + 1);
    if turns != 0 {
        pass(Count::Turns, Piece::Turns(turns));
    }
    Some(())
}

/// JSON with its keys in order.
fn written(value: &Value) -> String {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Array(values) => Value::Array(values.iter().map(sorted).collect()),
            Value::Object(object) => {
                let sorted: BTreeMap<&String, Value> = object.iter().map(|(key, value)| (key, sorted(value))).collect();
                let pairs = sorted.into_iter().map(|(key, value)| {
                    let value = if key == "origins" { in_order(value) } else { value };
                    (key.clone(), value)
                });
                Value::Object(pairs.collect::<Map<String, Value>>())
            }
            other => other.clone(),
        }
    }
    /// The lists of an empty list, which the runtime stores in no order.
    fn in_order(value: Value) -> Value {
        let Value::Array(mut names) = value else { return value };
        names.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
        Value::Array(names)
    }
    sorted(value).to_string()
}

/// A saved state that the runtime can load.
pub(crate) fn saved(pieces: &[Arc<Piece>]) -> String {
    let (mut choices, mut threads, mut variables) = (Vec::new(), Vec::new(), Vec::new());
    let (mut visits, mut since, mut turns) = (Vec::new(), Vec::new(), 0);
    for piece in pieces {
        match &**piece {
            Piece::Choice { choice, thread, .. } => {
                choices.push(choice.as_str());
                threads.push(format!("\"{}\":{thread}", choices.len()));
            }
            Piece::Variable(name, value) => variables.push(format!("{}:{value}", json!(name))),
            Piece::Visits(path, count) => visits.push(format!("{}:{count}", json!(path))),
            Piece::Since(path, count) => since.push((path, *count)),
            Piece::Turns(count) => turns = *count,
        }
    }
    let since: Vec<String> = since.iter().map(|(path, ago)| format!("{}:{}", json!(path), turns - 1 - ago)).collect();
    format!(
        "{{\"flows\":{{\"DEFAULT_FLOW\":{{\"callstack\":{{\"threads\":[{{\"callstack\":[{{\"exp\":false,\"type\":0}}],\
         \"threadIndex\":0}}],\"threadCounter\":{}}},\"outputStream\":[],\"currentChoices\":[{}],\"choiceThreads\":{{{}}}}}}},\
         \"currentFlowName\":\"DEFAULT_FLOW\",\"variablesState\":{{{}}},\"evalStack\":[],\"visitCounts\":{{{}}},\
         \"turnIndices\":{{{}}},\"turnIdx\":{},\"storySeed\":0,\"previousRandom\":0,\"inkSaveVersion\":10,\
         \"inkFormatVersion\":21}}",
        choices.len(),
        choices.join(","),
        threads.join(","),
        variables.join(","),
        visits.join(","),
        since.join(","),
        turns - 1,
    )
}
