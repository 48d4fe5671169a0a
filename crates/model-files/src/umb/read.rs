//! Reading.
//!
//! The parts of an archive come in any order, so each is turned into its array as it streams by;
//! what depends on several parts is done at the end. Memory follows what the file really holds,
//! never what it declares.

use std::io::{Read, Seek};

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use hashbrown::{HashMap, HashSet};

use super::archive::open;
use super::index::{Annotation, Encoding, Index, VERSION};
use crate::Limits;
use crate::builder::{RewardValues, has_duplicate};
use crate::distributions::Distributions;
use crate::error::{Place, ReadError};
use crate::explicit::{Actions, ExplicitModel, Kind, MOST, RewardModel};
use crate::numbers::{Number, from_double};
use crate::sequences::{Outcome, Sequences};
use crate::state_set::StateSet;
use crate::weighing::{Unweighable, merge, weigh};

/// The longest `index.json`, in bytes.
const LONGEST_INDEX: u64 = 64 << 20;

/// How many bytes of a part are converted at a time, about.
const BUFFER: usize = 1 << 18;

/// Reads a model from a UMB archive.
///
/// # Errors
/// With the part of the archive and the entry, when it is no UMB archive, is damaged, or holds
/// another kind of model.
pub fn read_umb(mut input: impl Read + Seek, limits: &Limits) -> Result<ExplicitModel, ReadError> {
    let index = read_index(&mut input, limits)?;
    let mut parts = Parts::new(&index)?;
    let mut archive = open(&mut input, limits.unpacked_bytes)?;
    let mut seen = HashSet::new();
    for entry in archive.entries().map_err(|error| damaged(&error))? {
        let mut entry = entry.map_err(|error| damaged(&error))?;
        let Some(name) = part_name(&entry) else { continue };
        let wanted = parts.accept(&name, entry.size(), &mut entry)?;
        if wanted && !seen.insert(name.clone()) {
            return Err(ReadError::part(&name, "stands in the archive twice", "each part once"));
        }
    }
    parts.finish(limits)
}

fn damaged(error: &std::io::Error) -> ReadError {
    ReadError::file(format!("the archive cannot be unpacked: {error}"), "is the file complete?")
}

/// The path of a regular file in the archive, without a leading `./`.
fn part_name<R: Read>(entry: &tar::Entry<'_, R>) -> Option<String> {
    if !entry.header().entry_type().is_file() {
        return None;
    }
    let path = String::from_utf8(entry.path_bytes().into_owned()).ok()?;
    Some(path.trim_start_matches("./").trim_start_matches('/').to_string())
}

fn read_index(input: &mut (impl Read + Seek), limits: &Limits) -> Result<Index, ReadError> {
    const NAME: &str = "index.json";
    let mut archive = open(input, limits.unpacked_bytes)?;
    for entry in archive.entries().map_err(|error| damaged(&error))? {
        let entry = entry.map_err(|error| damaged(&error))?;
        if part_name(&entry).as_deref() != Some(NAME) {
            continue;
        }
        if entry.size() > LONGEST_INDEX {
            let problem = format!("{} bytes", entry.size());
            return Err(ReadError::part(NAME, problem, format!("at most {LONGEST_INDEX}")));
        }
        let mut text = Vec::new();
        entry.take(LONGEST_INDEX).read_to_end(&mut text).map_err(|error| damaged(&error))?;
        let index: Index = serde_json::from_slice(&text).map_err(|error| {
            let place = Place::Line { line: error.line() as u64, column: error.column() as u64 };
            ReadError::part(NAME, format!("{place}: {error}"), "an index as the UMB format describes it")
        })?;
        if index.format_version != VERSION && index.format_version != 0 {
            let problem = format!("version {} of the format", index.format_version);
            return Err(ReadError::part(NAME, problem, format!("version {VERSION} is supported")));
        }
        return Ok(index);
    }
    Err(ReadError::file("the archive has no index.json", "a UMB archive begins with it"))
}

/// A part of the archive that is being converted.
struct Part<'a, R> {
    name: &'a str,
    size: u64,
    input: &'a mut R,
}

impl<R: Read> Part<'_, R> {
    fn error(&self, problem: impl Into<String>, remedy: impl Into<String>) -> ReadError {
        ReadError::part(self.name, problem, remedy)
    }

    fn entry_error(&self, index: u64, bytes: usize, problem: String, remedy: String) -> ReadError {
        let place = Place::Entry { name: self.name.into(), index, offset: index * bytes as u64 };
        ReadError::new(place, problem, remedy)
    }

    /// Calls `each` with every entry of `bytes` bytes and its number.
    fn entries(
        &mut self,
        bytes: usize,
        count: u64,
        mut each: impl FnMut(u64, &[u8]) -> Result<(), (String, String)>,
    ) -> Result<(), ReadError> {
        if self.size != count * bytes as u64 {
            let remedy = format!("the index asks for {count} entries of {bytes} bytes: {}", count * bytes as u64);
            return Err(self.error(format!("{} bytes", self.size), remedy));
        }
        let mut buffer = vec![0; BUFFER.max(bytes) / bytes * bytes];
        let mut done = 0;
        while done < count {
            let now = (count - done).min((buffer.len() / bytes) as u64) as usize;
            let block = &mut buffer[..now * bytes];
            self.input
                .read_exact(block)
                .map_err(|error| self.error(format!("cannot be unpacked: {error}"), COMPLETE))?;
            for (place, entry) in block.chunks_exact(bytes).enumerate() {
                let index = done + place as u64;
                each(index, entry).map_err(|(problem, remedy)| self.entry_error(index, bytes, problem, remedy))?;
            }
            done += now as u64;
        }
        Ok(())
    }

    /// Boundaries of consecutive ranges, one for each of `count` owners, of `targets` items.
    fn ranges(&mut self, count: u64, targets: u64) -> Result<Vec<u32>, ReadError> {
        let mut ranges: Vec<u32> = Vec::new();
        self.entries(8, count + 1, |index, entry| {
            let value = word(entry);
            let least = ranges.last().map_or(0, |last| u64::from(*last));
            let most = if index == 0 { 0 } else { targets };
            if value < least || value > most || (index == count && value != targets) {
                let least = if index == count { targets } else { least };
                let right = if least == most { format!("{least}") } else { format!("{least} to {most}") };
                return Err((format!("{value}"), format!("{right}: ranges follow each other from 0 to {targets}")));
            }
            ranges.push(value as u32);
            Ok(())
        })?;
        Ok(ranges)
    }

    /// Indices below `bound`.
    fn indices(&mut self, bytes: usize, count: u64, bound: u64, what: &str) -> Result<Vec<u32>, ReadError> {
        let mut indices = Vec::new();
        self.entries(bytes, count, |_, entry| {
            let value = word(entry);
            if value >= bound {
                return Err((format!("{what} {value}"), format!("there are {bound}, numbered from 0")));
            }
            indices.push(value as u32);
            Ok(())
        })?;
        Ok(indices)
    }

    /// A bit for every state. The padding at the end may be left out down to whole bytes.
    fn states(&mut self, states: u32) -> Result<StateSet, ReadError> {
        let (least, most) = (u64::from(states.div_ceil(8)), u64::from(states.div_ceil(64)) * 8);
        if self.size < least || self.size > most {
            return Err(
                self.error(format!("{} bytes", self.size), format!("{most} bytes: a bit for each of {states} states"))
            );
        }
        let mut set = StateSet::new(states);
        self.entries(1, self.size, |index, entry| {
            let mut byte = entry[0];
            while byte != 0 {
                let state = index * 8 + u64::from(byte.trailing_zeros());
                if state >= u64::from(states) {
                    return Err((format!("the bit of state {state}"), format!("there are {states} states")));
                }
                set.push(state as u32);
                byte &= byte - 1;
            }
            Ok(())
        })?;
        Ok(set)
    }

    /// Numbers, each different one stored once in `numbers`.
    fn numbers(&mut self, encoding: Encoding, count: u64, numbers: &mut Numbers) -> Result<Vec<u32>, ReadError> {
        let mut ids = Vec::new();
        self.entries(encoding.bytes(), count, |_, entry| {
            ids.push(numbers.id_of(encoding, entry)?);
            Ok(())
        })?;
        Ok(ids)
    }

    fn bytes(&mut self) -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::new();
        let read = self.input.read_to_end(&mut bytes);
        read.map_err(|error| self.error(format!("cannot be unpacked: {error}"), COMPLETE))?;
        Ok(bytes)
    }
}

const COMPLETE: &str = "is the file complete?";

/// Up to eight bytes, least significant first.
#[inline]
fn word(entry: &[u8]) -> u64 {
    match entry.try_into() {
        Ok(bytes) => u64::from_le_bytes(bytes),
        Err(_) => entry.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// The numbers of a part, by their bytes.
#[derive(Default)]
struct Numbers {
    values: Vec<Number>,
    doubles: HashMap<u64, u32>,
    rationals: HashMap<Vec<u8>, u32>,
    latest: Option<(u64, u32)>,
}

impl Numbers {
    fn id_of(&mut self, encoding: Encoding, entry: &[u8]) -> Result<u32, (String, String)> {
        match encoding {
            Encoding::Double => {
                let bits = word(entry);
                if let Some((latest, id)) = self.latest
                    && latest == bits
                {
                    return Ok(id);
                }
                let id = if let Some(id) = self.doubles.get(&bits) {
                    *id
                } else {
                    let value = f64::from_bits(bits);
                    let number =
                        from_double(value).ok_or_else(|| (value.to_string(), "a finite number".to_string()))?;
                    let id = self.add(number);
                    self.doubles.insert(bits, id);
                    id
                };
                self.latest = Some((bits, id));
                Ok(id)
            }
            Encoding::Rational(half) => {
                if let Some(id) = self.rationals.get(entry) {
                    return Ok(*id);
                }
                let numerator = signed(&entry[..half]);
                let denominator = UBig::from_le_bytes(&entry[half..]);
                if denominator == UBig::ZERO {
                    return Err(("a fraction with denominator 0".into(), "a positive denominator".into()));
                }
                let id = self.add(Number { value: RBig::from_parts(numerator, denominator), decimal: false });
                self.rationals.insert(entry.to_vec(), id);
                Ok(id)
            }
        }
    }

    fn add(&mut self, number: Number) -> u32 {
        self.values.push(number);
        self.values.len() as u32 - 1
    }
}

/// An integer in two's complement, least significant byte first.
fn signed(bytes: &[u8]) -> IBig {
    let magnitude = IBig::from(UBig::from_le_bytes(bytes));
    match bytes.last() {
        Some(top) if top & 0x80 != 0 => magnitude - (IBig::ONE << (8 * bytes.len())),
        _ => magnitude,
    }
}

/// What the archive must hold, and what of it has been read.
struct Parts {
    kind: Kind,
    states: u32,
    choices: u64,
    branches: u64,
    choice_actions: u64,
    initial_states: u64,
    probability: Encoding,
    first_choice: Option<Vec<u32>>,
    first_branch: Option<Vec<u32>>,
    targets: Option<Vec<u32>>,
    probabilities: Option<Vec<u32>>,
    numbers: Numbers,
    initial: Option<StateSet>,
    actions: Option<Vec<u32>>,
    action_ends: Option<Vec<u32>>,
    action_text: Option<Vec<u8>>,
    /// By identifier.
    labels: HashMap<String, Label>,
    rewards: Vec<Reward>,
}

struct Label {
    name: String,
    states: Option<StateSet>,
}

struct Reward {
    id: String,
    name: String,
    encoding: Encoding,
    applies_to: Vec<String>,
    numbers: Numbers,
    of_state: Vec<u32>,
    of_choice: Vec<u32>,
    of_branch: Vec<u32>,
}

impl Parts {
    fn new(index: &Index) -> Result<Self, ReadError> {
        let error = |problem: String, remedy: &str| ReadError::part("index.json", problem, remedy);
        let system = &index.transition_system;
        if system.time != "discrete" {
            return Err(error(
                format!("a model with time `{}`", system.time),
                "only MDP and DTMC (discrete time) are supported",
            ));
        }
        if system.observations > 0 {
            return Err(error("a model with observations".into(), "only MDP and DTMC are supported"));
        }
        let kind = match system.players {
            0 => Kind::Dtmc,
            1 => Kind::Mdp,
            players => {
                return Err(error(
                    format!("a model with {players} players"),
                    "only MDP (1) and DTMC (0) are supported",
                ));
            }
        };
        for (what, count) in [("states", system.states), ("choices", system.choices), ("branches", system.branches)] {
            if count > u64::from(MOST) {
                return Err(error(format!("{count} {what}"), &format!("at most {MOST} are possible")));
            }
        }
        let probability = match &system.branch_probability_type {
            Some(value) => Encoding::of(value)
                .map_err(|(problem, remedy)| error(format!("branch-probability-type: {problem}"), remedy))?,
            None if system.branches == 0 => Encoding::Double,
            None => {
                return Err(error(
                    "a model without probabilities".into(),
                    "branch-probability-type: double or rational",
                ));
            }
        };
        let labels = named(index.annotations.get("aps"))
            .filter(|(_, _, annotation)| {
                annotation.value.name == "bool" && annotation.applies_to.iter().any(|to| to == "states")
            })
            .map(|(id, name, _)| (id, Label { name, states: None }))
            .collect();
        let mut rewards = Vec::new();
        for (id, name, annotation) in named(index.annotations.get("rewards")) {
            let encoding = Encoding::of(&annotation.value)
                .map_err(|(problem, remedy)| error(format!("reward model `{name}`: {problem}"), remedy))?;
            let applies_to = annotation.applies_to.clone();
            let (numbers, of_state, of_choice, of_branch) = Default::default();
            rewards.push(Reward { id, name, encoding, applies_to, numbers, of_state, of_choice, of_branch });
        }
        Ok(Self {
            kind,
            states: system.states as u32,
            choices: system.choices,
            branches: system.branches,
            choice_actions: system.choice_actions,
            initial_states: system.initial_states,
            probability,
            first_choice: None,
            first_branch: None,
            targets: None,
            probabilities: None,
            numbers: Numbers::default(),
            initial: None,
            actions: None,
            action_ends: None,
            action_text: None,
            labels,
            rewards,
        })
    }

    /// Takes in a part; false when it is none that counts.
    fn accept<R: Read>(&mut self, name: &str, size: u64, input: &mut R) -> Result<bool, ReadError> {
        let mut part = Part { name, size, input };
        let states = u64::from(self.states);
        match name {
            "state-to-choices.bin" => self.first_choice = Some(part.ranges(states, self.choices)?),
            "choice-to-branches.bin" => self.first_branch = Some(part.ranges(self.choices, self.branches)?),
            "branch-to-target.bin" => self.targets = Some(part.indices(8, self.branches, states, "target state")?),
            "branch-to-probability.bin" => {
                self.probabilities = Some(part.numbers(self.probability, self.branches, &mut self.numbers)?);
            }
            "state-is-initial.bin" => self.initial = Some(part.states(self.states)?),
            "actions/choices/values.bin" => {
                self.actions = Some(part.indices(4, self.choices, self.choice_actions, "action")?);
            }
            "actions/choices/string-mapping.bin" => {
                let mut ends = Vec::new();
                part.entries(8, self.choice_actions + 1, |_, entry| {
                    let end =
                        u32::try_from(word(entry)).map_err(|_| ("a text of 4 GiB".into(), "shorter names".into()))?;
                    ends.push(end);
                    Ok(())
                })?;
                self.action_ends = Some(ends);
            }
            "actions/choices/strings.bin" => self.action_text = Some(part.bytes()?),
            _ => return self.accept_annotation(part),
        }
        Ok(true)
    }

    fn accept_annotation<R: Read>(&mut self, mut part: Part<'_, R>) -> Result<bool, ReadError> {
        let path: Vec<&str> = part.name.split('/').collect();
        match path[..] {
            ["annotations", "aps", id, "states", "values.bin"] => {
                let Some(label) = self.labels.get_mut(id) else { return Ok(false) };
                label.states = Some(part.states(self.states)?);
            }
            ["annotations", "rewards", id, to, "values.bin"] => {
                let Some(reward) = self.rewards.iter_mut().find(|reward| reward.id == id) else { return Ok(false) };
                if !reward.applies_to.iter().any(|other| other == to) {
                    return Ok(false);
                }
                let (values, count) = match to {
                    "states" => (&mut reward.of_state, u64::from(self.states)),
                    "choices" => (&mut reward.of_choice, self.choices),
                    "branches" => (&mut reward.of_branch, self.branches),
                    _ => return Ok(false),
                };
                *values = part.numbers(reward.encoding, count, &mut reward.numbers)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn finish(mut self, limits: &Limits) -> Result<ExplicitModel, ReadError> {
        let targets = required(self.targets.take(), self.branches, "branch-to-target.bin")?;
        let probabilities = required(self.probabilities.take(), self.branches, "branch-to-probability.bin")?;
        let first_branch =
            or_one_each(self.first_branch.take(), self.choices, self.branches, "choice-to-branches.bin")?;
        let first_choice =
            or_one_each(self.first_choice.take(), u64::from(self.states), self.choices, "state-to-choices.bin")?;
        if self.kind == Kind::Dtmc
            && let Some(state) = first_choice.windows(2).position(|pair| pair[1] > pair[0] + 1)
        {
            let place =
                Place::Entry { name: "state-to-choices.bin".into(), index: state as u64, offset: state as u64 * 8 };
            return Err(ReadError::new(
                place,
                "a state with several choices",
                "at most one in a Markov chain, or #players: 1",
            ));
        }
        let initial = match self.initial.take() {
            Some(initial) => initial,
            None if self.initial_states == 0 => StateSet::new(self.states),
            None => return Err(missing("state-is-initial.bin")),
        };
        if u64::from(initial.len()) != self.initial_states {
            let problem = format!("{} initial states", initial.len());
            return Err(ReadError::part(
                "state-is-initial.bin",
                problem,
                format!("the index declares {}", self.initial_states),
            ));
        }
        let actions = self.take_actions()?;
        let labels = self.take_labels()?;
        let rewards = std::mem::take(&mut self.rewards);
        let rewards = rewards
            .into_iter()
            .map(|reward| reward.finish(&first_branch, &probabilities, &self.numbers.values))
            .collect();
        let grouped = group(first_branch, targets, &probabilities, &self.numbers.values, limits)?;
        Ok(ExplicitModel {
            kind: self.kind,
            first_choice,
            first_target: grouped.first_target,
            weights: grouped.weights,
            targets: grouped.targets,
            distributions: grouped.distributions,
            initial,
            labels,
            actions,
            rewards,
            normalised_choices: grouped.normalised,
        })
    }

    fn take_actions(&mut self) -> Result<Actions, ReadError> {
        let Some(ends) = self.action_ends.take() else { return Ok(Actions::default()) };
        let text = self.action_text.take().ok_or_else(|| missing("actions/choices/strings.bin"))?;
        let bad = |index: usize| {
            let place = Place::Entry {
                name: "actions/choices/string-mapping.bin".into(),
                index: index as u64,
                offset: index as u64 * 8,
            };
            ReadError::new(
                place,
                "no text of actions/choices/strings.bin in UTF-8",
                "ranges of bytes that follow each other",
            )
        };
        let mut names = Vec::new();
        for (index, pair) in ends.windows(2).enumerate() {
            let bytes = text.get(pair[0] as usize..pair[1] as usize).ok_or_else(|| bad(index))?;
            names.push(std::str::from_utf8(bytes).map_err(|_| bad(index))?.to_string());
        }
        // Names in the order of their first use; an empty one is no name.
        let used = self.actions.take().unwrap_or_else(|| vec![0; self.choices as usize]);
        let mut actions = Actions { names: Vec::new(), of_choice: Vec::with_capacity(used.len()) };
        let mut ids = HashMap::new();
        for action in used {
            let name = &names[action as usize];
            let next = actions.names.len() as u32 + 1;
            let id = if name.is_empty() { 0 } else { *ids.entry_ref(name.as_str()).or_insert(next) };
            if id == next {
                actions.names.push(name.clone());
            }
            actions.of_choice.push(id);
        }
        if actions.names.is_empty() {
            actions.of_choice = Vec::new();
        }
        Ok(actions)
    }

    fn take_labels(&mut self) -> Result<Vec<(String, StateSet)>, ReadError> {
        let mut labels = Vec::new();
        for (id, label) in self.labels.drain() {
            let states = label.states.ok_or_else(|| missing(&format!("annotations/aps/{id}/states/values.bin")))?;
            if label.name != crate::INIT {
                labels.push((label.name, states));
            }
        }
        labels.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        if let Some(pair) = labels.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(ReadError::part("index.json", format!("two labels `{}`", pair[0].0), "different aliases"));
        }
        Ok(labels)
    }
}

/// Identifier, name (the alias if there is one) and the rest.
fn named(
    group: Option<&std::collections::BTreeMap<String, Annotation>>,
) -> impl Iterator<Item = (String, String, &Annotation)> {
    group
        .into_iter()
        .flatten()
        .map(|(id, annotation)| (id.clone(), annotation.alias.clone().unwrap_or_else(|| id.clone()), annotation))
}

fn missing(name: &str) -> ReadError {
    ReadError::file(format!("the archive has no {name}"), "the index says that it should")
}

fn required(part: Option<Vec<u32>>, count: u64, name: &str) -> Result<Vec<u32>, ReadError> {
    match part {
        Some(part) => Ok(part),
        None if count == 0 => Ok(Vec::new()),
        None => Err(missing(name)),
    }
}

/// The ranges, or the default: one item for each owner. Called when the items are known to exist.
fn or_one_each(part: Option<Vec<u32>>, owners: u64, items: u64, name: &str) -> Result<Vec<u32>, ReadError> {
    match part {
        Some(part) => Ok(part),
        None if owners == items => Ok((0..=owners as u32).collect()),
        None => Err(ReadError::file(
            format!("the archive has no {name}"),
            format!("it may be left out only when each of the {owners} has exactly one; the index declares {items}"),
        )),
    }
}

struct Grouped {
    first_target: Vec<u32>,
    weights: Vec<u32>,
    targets: Vec<u32>,
    distributions: Distributions,
    normalised: u64,
}

/// Gives every choice its weights. Choices that list a target twice, or one of probability zero,
/// become shorter: `targets` is moved together.
fn group(
    mut first_branch: Vec<u32>,
    mut targets: Vec<u32>,
    probabilities: &[u32],
    numbers: &[Number],
    limits: &Limits,
) -> Result<Grouped, ReadError> {
    let choices = first_branch.len() - 1;
    let mut weights = Vec::with_capacity(choices);
    let mut distributions = Distributions::default();
    let mut sequences = Sequences::default();
    let mut budget = limits.large_weight_bytes;
    let mut normalised = 0;
    let mut kept = 0;
    for choice in 0..choices {
        let (start, end) = (first_branch[choice] as usize, first_branch[choice + 1] as usize);
        let ids = &probabilities[start..end];
        let error = |unweighable: Option<Unweighable>| {
            let place =
                Place::Entry { name: "choice-to-branches.bin".into(), index: choice as u64, offset: choice as u64 * 8 };
            match unweighable {
                Some(reason) => ReadError::new(place, format!("this choice: {}", reason.problem()), reason.remedy()),
                None => ReadError::new(place, "a choice without branches", "at least one branch"),
            }
        };
        let mut intern = |probabilities: &[&Number]| {
            let weighed = weigh(probabilities, budget)?;
            budget = budget.checked_sub(weighed.bytes()).ok_or(Unweighable::TooLarge)?;
            let normalised = weighed.normalised;
            Ok(Outcome { weights: weighed.intern(&mut distributions), normalised })
        };
        if ids.is_empty() {
            return Err(error(None));
        }
        let listed: Vec<&Number>;
        let regular = if has_duplicate(&targets[start..end]) {
            None
        } else if let Some(outcome) = sequences.find(ids) {
            Some(outcome)
        } else {
            listed = ids.iter().map(|id| &numbers[*id as usize]).collect();
            match intern(&listed) {
                Ok(outcome) => {
                    sequences.insert(ids, outcome);
                    Some(outcome)
                }
                Err(Unweighable::NotPositive(place)) if listed[place].value.is_zero() => None,
                Err(reason) => return Err(error(Some(reason))),
            }
        };
        first_branch[choice] = kept as u32;
        let outcome = if let Some(outcome) = regular {
            targets.copy_within(start..end, kept);
            kept += end - start;
            outcome
        } else {
            let mut merged_targets = targets[start..end].to_vec();
            let values: Vec<Number> = ids.iter().map(|id| numbers[*id as usize].clone()).collect();
            if let Some(place) = values.iter().position(|number| number.value < RBig::ZERO) {
                return Err(error(Some(Unweighable::NotPositive(place))));
            }
            let merged = merge(&mut merged_targets, values);
            let outcome = intern(&merged.iter().collect::<Vec<_>>()).map_err(|reason| error(Some(reason)))?;
            targets[kept..kept + merged_targets.len()].copy_from_slice(&merged_targets);
            kept += merged_targets.len();
            outcome
        };
        weights.push(outcome.weights);
        normalised += u64::from(outcome.normalised);
    }
    first_branch[choices] = kept as u32;
    targets.truncate(kept);
    targets.shrink_to_fit();
    Ok(Grouped { first_target: first_branch, weights, targets, distributions, normalised })
}

impl Reward {
    /// The reward model. A reward of branches becomes its mean over the choice's branches, which
    /// changes no expected total.
    fn finish(self, first_branch: &[u32], probabilities: &[u32], numbers: &[Number]) -> RewardModel {
        let mut values = RewardValues::default();
        let intern = |values: &mut RewardValues, ids: Vec<u32>| -> Vec<u32> {
            let places: Vec<u32> = self.numbers.values.iter().map(|number| values.intern(&number.value)).collect();
            let ids: Vec<u32> = ids.into_iter().map(|id| places[id as usize]).collect();
            if ids.iter().all(|id| *id == 0) { Vec::new() } else { ids }
        };
        let of_state = intern(&mut values, self.of_state);
        let mut of_choice = intern(&mut values, self.of_choice);
        if !self.of_branch.is_empty() {
            of_choice.resize(first_branch.len() - 1, 0);
            for (choice, range) in first_branch.windows(2).enumerate() {
                let (mut mean, mut total) = (RBig::ZERO, RBig::ZERO);
                for branch in range[0] as usize..range[1] as usize {
                    let probability = &numbers[probabilities[branch] as usize].value;
                    mean += probability * &self.numbers.values[self.of_branch[branch] as usize].value;
                    total += probability;
                }
                if !mean.is_zero() && !total.is_zero() {
                    let sum = values.values[of_choice[choice] as usize].clone() + mean / total;
                    of_choice[choice] = values.intern(&sum);
                }
            }
        }
        RewardModel { name: self.name, values: values.values, of_state, of_choice }
    }
}
