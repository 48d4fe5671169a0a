//! DRN, the explicit text format of Storm.
//!
//! A header, then every state with its labels, its choices and their outcomes:
//!
//! ```text
//! @type: MDP
//! @parameters
//!
//! @reward_models
//!
//! @nr_states
//! 2
//! @nr_choices
//! 2
//! @model
//! state 0 init
//!     action roll
//!         0 : 1/3
//!         1 : 2/3
//! state 1 goal
//!     action stay
//!         1 : 1
//! ```
//!
//! Decimals are exact: `0.3` is 3/10. Play ends in a state without actions.

mod chunk;
mod header;
mod parse;
mod tables;
mod write;

use std::io::Read;

use budget::Budget;
use hashbrown::HashMap;
use rayon::prelude::*;

use crate::builder::RewardValues;
use crate::distributions::Distributions;
use crate::error::{Location, ReadError};
use crate::explicit::{Actions, ExplicitModel, INIT, MOST, RewardModel};
use crate::memory::{Memory, name_bytes};
use crate::state_set::StateSet;
use crate::unpack::{START, unpack, unreadable};
use chunk::{Cause, Chunk, Fault, Halt};
use header::Header;
use tables::Tables;

pub use write::write_drn;

/// How much of a file is in memory at a time, twice: one block is parsed while the next is read.
/// Small enough to stay in the processor's cache.
const BLOCK: usize = 8 << 20;

/// How much is read between two checks of the budget.
const READ: usize = 1 << 18;

/// How much of a block is parsed in one go.
const CHUNK: usize = 256 << 10;

/// Reads a model from DRN text, plain or compressed with gzip or xz.
///
/// # Errors
/// With line and column, when the text is not DRN, is damaged, or contains another kind of model; when the budget stops
/// the run.
///
/// ```
/// use budget::Budget;
///
/// let text = "@type: DTMC\n@nr_states\n2\n@model\nstate 0 init\naction 0\n0 : 0.5\n1 : 0.5\nstate 1 won\n";
/// let model = model_files::read_drn(text.as_bytes(), &Budget::default())?;
/// assert_eq!(model.states(), 2);
/// assert!(model.label("won").unwrap().contains(1));
///
/// let damaged = text.replace("1 : 0.5", "1 : 0.4");
/// let error = model_files::read_drn(damaged.as_bytes(), &Budget::default()).unwrap_err();
/// assert_eq!(error.to_string(), "line 6, column 1: this choice: the probabilities sum to 9/10 (about 0.9) \
///     (they must sum to exactly 1, or to within 1e-9 when written as decimals)");
/// # Ok::<(), model_files::ReadError>(())
/// ```
pub fn read_drn(input: impl Read + Send, budget: &Budget<'_>) -> Result<ExplicitModel, ReadError> {
    read(input, 0, budget)
}

/// [`read_drn`] for a file of this size, which is reported as progress.
pub(crate) fn read(mut input: impl Read + Send, size: u64, budget: &Budget<'_>) -> Result<ExplicitModel, ReadError> {
    let memory = Memory::new(budget, size);
    let mut start = Vec::new();
    input.by_ref().take(START as u64).read_to_end(&mut start).map_err(|error| unreadable(&error))?;
    let whole = start.as_slice().chain(input);
    let content = unpack(whole, &start, &memory)?;
    read_in_blocks(content, &memory, BLOCK, CHUNK)
}

/// Reads up to `block` more bytes; less than that is the end of the file.
fn read_more(input: &mut impl Read, text: &mut Vec<u8>, block: usize, memory: &Memory<'_>) -> Result<bool, ReadError> {
    let end = text.len() + block;
    while text.len() < end {
        let more = READ.min(end - text.len());
        memory.grow(text, more, end)?;
        let read = input.take(more as u64).read_to_end(text).map_err(|error| unreadable(&error))?;
        if read < more {
            return Ok(true);
        }
    }
    Ok(false)
}

fn read_in_blocks(
    mut input: impl Read + Send,
    memory: &Memory<'_>,
    block: usize,
    chunk: usize,
) -> Result<ExplicitModel, ReadError> {
    let mut text = Vec::new();
    let mut ended = read_more(&mut input, &mut text, block, memory)?;
    let header = loop {
        if let Some(header) = header::parse(&text, ended, memory)? {
            break header;
        }
        // A header longer than a block (placeholders): try again with twice as much.
        let more = text.len().max(1);
        ended = read_more(&mut input, &mut text, more, memory)?;
    };
    memory.states(header.states)?;
    text.drain(..header.bytes);
    let mut assembly = Assembly::new(header, memory);
    let mut searched = 0;
    let mut next = Vec::new();
    loop {
        // The last state of the block may continue in the next one.
        let cut = if ended { Some(text.len()) } else { last_state(&text, searched) };
        let Some(cut) = cut else {
            searched = text.len();
            ended = read_more(&mut input, &mut text, block.max(searched), memory)?;
            continue;
        };
        searched = 0;
        next.clear();
        memory.grow(&mut next, text.len() - cut, usize::MAX)?;
        next.extend_from_slice(&text[cut..]);
        let (chunks, more) = rayon::join(
            || {
                let (header, tables) = (&assembly.header, &assembly.tables);
                let pieces = pieces(&text[..cut], chunk);
                pieces.par_iter().map(|piece| parse::parse(piece, header, tables, memory)).collect::<Vec<_>>()
            },
            || if ended { Ok(true) } else { read_more(&mut input, &mut next, block, memory) },
        );
        for chunk in chunks {
            memory.check()?;
            assembly.add(chunk)?;
        }
        if ended {
            drop(text);
            return assembly.finish();
        }
        ended = more?;
        std::mem::swap(&mut text, &mut next);
    }
}

/// The start of the last line that begins with `state `, if there is one after `from`.
fn last_state(text: &[u8], from: usize) -> Option<usize> {
    let from = from.saturating_sub(8);
    memchr::memmem::rfind(&text[from..], b"\nstate ").map(|at| from + at + 1)
}

/// Cuts a block before states, into pieces of about `size` bytes.
fn pieces(mut text: &[u8], size: usize) -> Vec<&[u8]> {
    let finder = memchr::memmem::Finder::new(b"\nstate ");
    let mut pieces = Vec::with_capacity(text.len() / size + 1);
    while text.len() > size {
        let Some(at) = finder.find(&text[size..]) else { break };
        let (piece, rest) = text.split_at(size + at + 1);
        pieces.push(piece);
        text = rest;
    }
    pieces.push(text);
    pieces
}

/// The part of the model that has been read.
struct Assembly<'a> {
    memory: &'a Memory<'a>,
    header: Header,
    tables: Tables,
    lines: u64,
    first_choice: Vec<u32>,
    first_target: Vec<u32>,
    weights: Vec<u32>,
    targets: Vec<u32>,
    labels: HashMap<String, StateSet>,
    action_ids: HashMap<String, u32>,
    actions: Actions,
    rewards: Vec<Rewards>,
    normalised: u64,
}

#[derive(Default)]
struct Rewards {
    values: RewardValues,
    of_state: Vec<u32>,
    of_choice: Vec<u32>,
}

impl<'a> Assembly<'a> {
    fn new(header: Header, memory: &'a Memory<'a>) -> Self {
        Self {
            memory,
            lines: header.lines,
            rewards: header.rewards.iter().map(|_| Rewards::default()).collect(),
            header,
            tables: Tables::default(),
            first_choice: vec![0],
            first_target: vec![0],
            weights: Vec::new(),
            targets: Vec::new(),
            labels: HashMap::new(),
            action_ids: HashMap::new(),
            actions: Actions::default(),
            normalised: 0,
        }
    }

    fn error(&self, fault: Fault) -> ReadError {
        let place = Location::Line { line: self.lines + fault.line + 1, column: fault.column };
        ReadError::new(place, fault.problem, fault.remedy)
    }

    fn states(&self) -> u64 {
        self.first_choice.len() as u64 - 1
    }

    fn add(&mut self, chunk: Chunk) -> Result<(), ReadError> {
        let (states, choices) = (self.states(), position(&self.weights));
        if let Some((first, mut fault)) = chunk.first_state
            && u64::from(first) != states
        {
            (fault.problem, fault.remedy) = chunk::out_of_order(first, states);
            return Err(self.error(fault));
        }
        match chunk.halt.map(|Halt(cause)| *cause) {
            Some(Cause::Fault(fault)) => return Err(self.error(fault)),
            Some(Cause::Stopped(stopped)) => return Err(stopped.into()),
            None => {}
        }
        if self.targets.len() + chunk.targets.len() > MOST as usize {
            return Err(ReadError::file(format!("more than {MOST} transitions"), "smaller models are supported"));
        }
        let targets = position(&self.targets);
        let most = MOST as usize + 1;
        self.memory.grow(&mut self.first_choice, chunk.choice_ends.len(), most)?;
        self.memory.grow(&mut self.first_target, chunk.target_ends.len(), most)?;
        self.memory.grow(&mut self.targets, chunk.targets.len(), most)?;
        self.memory.grow(&mut self.weights, chunk.weights.len(), most)?;
        self.first_choice.extend(chunk.choice_ends.iter().map(|end| choices + end));
        self.first_target.extend(chunk.target_ends.iter().map(|end| targets + end));
        self.targets.extend_from_slice(&chunk.targets);
        let renumbering = self.tables.merge(chunk.added, self.memory)?;
        self.weights.extend(chunk.weights.iter().map(|weights| renumbering.weights(*weights)));
        self.add_labels(&chunk.label_names, &chunk.labels)?;
        self.add_actions(chunk.action_names, &chunk.actions, choices)?;
        let (states, choices) = (self.first_choice.len() - 1 - chunk.choice_ends.len(), choices as usize);
        let Self { memory, tables, rewards, .. } = self;
        let value = |number: u32| &tables.numbers[renumbering.number(number) as usize].value;
        for (state, model, number) in &chunk.state_rewards {
            let Rewards { values, of_state, .. } = &mut rewards[*model as usize];
            let id = values.intern(value(*number), memory)?;
            put(of_state, states + *state as usize, id, memory)?;
        }
        for (choice, model, number) in &chunk.choice_rewards {
            let Rewards { values, of_choice, .. } = &mut rewards[*model as usize];
            let id = values.intern(value(*number), memory)?;
            put(of_choice, choices + *choice as usize, id, memory)?;
        }
        self.normalised += chunk.normalised;
        self.lines += chunk.lines;
        self.memory.give_back(chunk.taken);
        Ok(())
    }

    fn add_labels(&mut self, names: &[String], labels: &[(u32, u32)]) -> Result<(), ReadError> {
        let mut of_label: Vec<Vec<u32>> = vec![Vec::new(); names.len()];
        for (label, state) in labels {
            of_label[*label as usize].push(*state);
        }
        for (name, states) in names.iter().zip(of_label) {
            if !self.labels.contains_key(name) {
                self.memory.take(name_bytes(name))?;
            }
            let set = self.labels.entry_ref(name).or_insert_with(|| StateSet::new(self.header.states));
            // A set grows by doubling, and changes its representation once.
            let before = set.bytes();
            self.memory.room(2 * before + 8 * states.len() as u64)?;
            for state in states {
                set.push(state);
            }
            self.memory.take(set.bytes().saturating_sub(before))?;
        }
        Ok(())
    }

    fn add_actions(&mut self, names: Vec<String>, actions: &[(u32, u32)], before: u32) -> Result<(), ReadError> {
        let mut ids = Vec::with_capacity(names.len());
        for name in names {
            let id = match self.action_ids.get(&name) {
                Some(id) => *id,
                None => {
                    self.memory.take(name_bytes(&name))?;
                    let id = position(&self.actions.names) + 1;
                    self.action_ids.insert(name.clone(), id);
                    self.actions.names.push(name);
                    id
                }
            };
            ids.push(id);
        }
        for (choice, name) in actions {
            put(&mut self.actions.of_choice, before as usize + *choice as usize, ids[*name as usize], self.memory)?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<ExplicitModel, ReadError> {
        let end = |problem, remedy| ReadError::new(Location::Line { line: self.lines + 1, column: 1 }, problem, remedy);
        if self.states() != u64::from(self.header.states) {
            let problem = format!("the file ends after {} states", self.states());
            return Err(end(problem, format!("@nr_states declares {}", self.header.states)));
        }
        if let Some(declared) = self.header.choices
            && declared != self.weights.len() as u64
        {
            let problem = format!("the file ends after {} choices", self.weights.len());
            return Err(end(problem, format!("@nr_choices declares {declared}")));
        }
        let initial = self.labels.remove(INIT).unwrap_or_else(|| StateSet::new(self.header.states));
        let mut labels: Vec<(String, StateSet)> = self.labels.into_iter().collect();
        labels.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let (states, choices) = (self.header.states as usize, self.weights.len());
        let memory = self.memory;
        let fill = |mut places: Vec<u32>, count: usize| {
            if !places.is_empty() {
                memory.grow_to(&mut places, count, count)?;
                places.resize(count, 0);
                places.shrink_to_fit();
            }
            Ok::<_, ReadError>(places)
        };
        let rewards = self
            .header
            .rewards
            .into_iter()
            .zip(self.rewards)
            .map(|(name, rewards)| {
                let (of_state, of_choice) = (fill(rewards.of_state, states)?, fill(rewards.of_choice, choices)?);
                Ok(RewardModel { name, values: rewards.values.values, of_state, of_choice })
            })
            .collect::<Result<_, ReadError>>()?;
        let distributions: Distributions = self.tables.distributions;
        for array in [&mut self.first_choice, &mut self.first_target, &mut self.weights, &mut self.targets] {
            array.shrink_to_fit();
        }
        Ok(ExplicitModel {
            kind: self.header.kind,
            first_choice: self.first_choice,
            first_target: self.first_target,
            weights: self.weights,
            targets: self.targets,
            distributions,
            initial,
            labels,
            actions: Actions { names: self.actions.names, of_choice: fill(self.actions.of_choice, choices)? },
            rewards,
            normalised_choices: self.normalised,
        })
    }
}

/// The index of the next entry of an array. No array of a model has more than [`MOST`].
fn position<T>(array: &[T]) -> u32 {
    u32::try_from(array.len()).expect("what is counted was compared with the most there can be")
}

/// Stores a number at an index of an array beyond its end, with zeros in between.
fn put(array: &mut Vec<u32>, place: usize, number: u32, memory: &Memory<'_>) -> Result<(), ReadError> {
    memory.grow_to(array, place + 1, MOST as usize)?;
    array.resize(place, 0);
    array.push(number);
    Ok(())
}
