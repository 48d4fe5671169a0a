//! Reading.
//!
//! The parts of an archive come in any order, so each is turned into its array as it streams by;
//! what depends on several parts is done at the end. Memory follows what the file really holds,
//! never what it declares.

use std::cell::Cell;
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;
use std::rc::Rc;

use budget::{Budget, Stopped};
use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use hashbrown::{HashMap, HashSet};

use super::index::{Annotation, Encoding, Index, VERSION};
use crate::builder::{RewardValues, has_duplicate, name_bytes};
use crate::distributions::Distributions;
use crate::error::{Place, ReadError};
use crate::explicit::{Actions, ExplicitModel, Kind, MOST, RewardModel};
use crate::memory::{Memory, number_bytes};
use crate::numbers::{Number, from_double};
use crate::sequences::{Outcome, Sequences};
use crate::state_set::StateSet;
use crate::unpack::{START, is_packed, is_tar, unpack, unreadable};
use crate::weighing::{LARGEST_DENOMINATOR, Unweighable, merge, weigh};

const INDEX: &str = "index.json";

/// The longest [`INDEX`], in bytes.
const LONGEST_INDEX: u64 = 16 << 20;

/// How many bytes of a part are converted at a time, about.
const BUFFER: usize = 1 << 18;

/// The longest name of a part, in bytes, with what an archive says of it beside.
const LONGEST_NAME: u64 = 1 << 20;

/// Names and contents of parts begin at multiples of this, in bytes.
const BLOCK: u64 = 512;

/// Reads a model from a UMB archive, plain or compressed with gzip or xz.
///
/// An archive is read to its end: the checksums of the compressed formats must be right, and nothing
/// may follow. (A plain archive has checksums of the names and sizes of its parts only.)
///
/// # Errors
/// With the part of the archive and the entry, when it is no UMB archive, is damaged, or holds
/// another kind of model; when the run is to stop.
pub fn read_umb(input: impl Read + Seek + Send, budget: &Budget<'_>) -> Result<ExplicitModel, ReadError> {
    read(input, 0, budget)
}

/// [`read_umb`] of a file of this size, for those who watch.
pub(crate) fn read(
    mut input: impl Read + Seek + Send,
    size: u64,
    budget: &Budget<'_>,
) -> Result<ExplicitModel, ReadError> {
    let index = read_index(&mut input, size, budget)?;
    let memory = Memory::new(budget, size);
    let mut parts = Parts::new(&index, &memory)?;
    let mut archive = Archive::open(&mut input, &memory)?;
    let mut seen = HashSet::new();
    archive.entries(|name, size, input| {
        memory.take(name_bytes(name))?;
        if !seen.insert(name.to_string()) {
            return Err(ReadError::part(name, "stands in the archive twice", "each part once"));
        }
        parts.accept(name, size, input)?;
        Ok(ControlFlow::Continue(()))
    })?;
    archive.finish()?;
    parts.finish()
}

/// An archive, unpacked.
struct Archive<'a> {
    tar: tar::Archive<Bounded<'a>>,
    allowance: Rc<Cell<u64>>,
    /// Bytes read so far, and how many of them up to the end of the last part.
    read: Rc<Cell<u64>>,
    end: u64,
    memory: &'a Memory<'a>,
}

/// A reader that fails after a number of bytes: what stands between the parts is short.
struct Bounded<'a> {
    inner: Box<dyn Read + Send + 'a>,
    allowance: Rc<Cell<u64>>,
    read: Rc<Cell<u64>>,
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let left = self.allowance.get().checked_sub(read as u64);
        let left = left.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a name of more than 1 MiB"))?;
        self.allowance.set(left);
        self.read.set(self.read.get() + read as u64);
        Ok(read)
    }
}

impl<'a> Archive<'a> {
    /// The archive from its beginning.
    fn open(input: &'a mut (impl Read + Seek + Send), memory: &'a Memory<'a>) -> Result<Self, ReadError> {
        let mut start = Vec::new();
        input.rewind().map_err(|error| unreadable(&error))?;
        input.by_ref().take(START as u64).read_to_end(&mut start).map_err(|error| unreadable(&error))?;
        input.rewind().map_err(|error| unreadable(&error))?;
        if !is_tar(&start) && !is_packed(&start) {
            let remedy = "a UMB file is a tar archive, plain or compressed with gzip or xz";
            return Err(ReadError::file("is no UMB archive", remedy));
        }
        let allowance = Rc::new(Cell::new(LONGEST_NAME));
        let read = Rc::new(Cell::new(0));
        let inner = unpack(input, &start, memory)?;
        let bounded = Bounded { inner, allowance: allowance.clone(), read: read.clone() };
        Ok(Self { tar: tar::Archive::new(bounded), allowance, read, end: 0, memory })
    }

    /// Calls `each` with the name, the size and the bytes of every regular file, until it breaks off.
    fn entries(
        &mut self,
        mut each: impl FnMut(&str, u64, &mut dyn Read) -> Result<ControlFlow<()>, ReadError>,
    ) -> Result<(), ReadError> {
        let mut buffer = vec![0; BUFFER];
        let mut entries = self.tar.entries().map_err(|error| unreadable(&error))?;
        loop {
            self.allowance.set(LONGEST_NAME);
            let Some(entry) = entries.next() else { return Ok(()) };
            let mut entry = entry.map_err(|error| unreadable(&error))?;
            self.allowance.set(u64::MAX);
            let size = entry.size();
            if let Some(name) = part_name(&entry)
                && each(&name, size, &mut entry)?.is_break()
            {
                return Ok(());
            }
            // What nobody wanted is passed over.
            while entry.read(&mut buffer).map_err(|error| unreadable(&error))? > 0 {
                self.memory.check()?;
            }
            self.end = self.read.get().next_multiple_of(BLOCK);
        }
    }

    /// Reads what follows the last part: two blocks of zeros, more zeros that fill up, and the checksum of
    /// the compression.
    fn finish(self) -> Result<(), ReadError> {
        let mut rest = self.tar.into_inner();
        self.allowance.set(u64::MAX);
        let mut buffer = vec![0; BUFFER];
        loop {
            let read = rest.read(&mut buffer).map_err(|error| unreadable(&error))?;
            self.memory.check()?;
            if read == 0 {
                break;
            }
            if buffer[..read].iter().any(|byte| *byte != 0) {
                return Err(ReadError::file(
                    "something follows the end of the archive",
                    "one archive, and nothing else",
                ));
            }
        }
        if self.read.get() < self.end + 2 * BLOCK {
            return Err(ReadError::file("the archive ends before its end is marked", "is the file complete?"));
        }
        Ok(())
    }
}

/// The path of a regular file in the archive, without a leading `./`.
fn part_name<R: Read>(entry: &tar::Entry<'_, R>) -> Option<String> {
    if !entry.header().entry_type().is_file() {
        return None;
    }
    let path = String::from_utf8(entry.path_bytes().into_owned()).ok()?;
    Some(path.trim_start_matches("./").trim_start_matches('/').to_string())
}

fn read_index(input: &mut (impl Read + Seek + Send), size: u64, budget: &Budget<'_>) -> Result<Index, ReadError> {
    /// How many bytes the entries of an index take for each byte of its text, at most.
    const EXPANSION: u64 = 16;
    let memory = Memory::new(budget, size);
    let mut found = None;
    Archive::open(input, &memory)?.entries(|name, size, input| {
        if name != INDEX {
            return Ok(ControlFlow::Continue(()));
        }
        if size > LONGEST_INDEX {
            return Err(ReadError::part(INDEX, format!("{size} bytes"), format!("at most {LONGEST_INDEX}")));
        }
        memory.take(size * EXPANSION)?;
        let mut text = Vec::new();
        input.take(LONGEST_INDEX).read_to_end(&mut text).map_err(|error| unreadable(&error))?;
        found = Some(text);
        Ok(ControlFlow::Break(()))
    })?;
    let text = found.ok_or_else(|| ReadError::file("the archive has no index.json", "a UMB archive begins with it"))?;
    let index: Index = serde_json::from_slice(&text).map_err(|error| {
        let place = Place::Line { line: error.line() as u64, column: error.column() as u64 };
        ReadError::part(INDEX, format!("{place}: {error}"), "an index as the UMB format describes it")
    })?;
    if index.format_version != VERSION && index.format_version != 0 {
        let problem = format!("version {} of the format", index.format_version);
        return Err(ReadError::part(INDEX, problem, format!("version {VERSION} is supported")));
    }
    Ok(index)
}

/// A part of the archive that is being converted.
struct Part<'a> {
    name: &'a str,
    size: u64,
    input: &'a mut dyn Read,
    memory: &'a Memory<'a>,
}

/// Why an entry cannot be taken.
enum Refused {
    /// What is wrong, and what would be right.
    Entry(String, String),
    Stopped(Stopped),
}

impl From<Stopped> for Refused {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

fn refused<T>(problem: impl Into<String>, remedy: impl Into<String>) -> Result<T, Refused> {
    Err(Refused::Entry(problem.into(), remedy.into()))
}

impl Part<'_> {
    fn error(&self, problem: impl Into<String>, remedy: impl Into<String>) -> ReadError {
        ReadError::part(self.name, problem, remedy)
    }

    fn entry_error(&self, index: u64, bytes: usize, refused: Refused) -> ReadError {
        match refused {
            Refused::Stopped(stopped) => stopped.into(),
            Refused::Entry(problem, remedy) => {
                let place = Place::Entry { name: self.name.into(), index, offset: index * bytes as u64 };
                ReadError::new(place, problem, remedy)
            }
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<(), ReadError> {
        self.memory.check()?;
        self.input.read_exact(buffer).map_err(|error| unreadable(&error))
    }

    /// Calls `each` with every entry of `bytes` bytes and its number.
    fn entries(
        &mut self,
        bytes: usize,
        count: u64,
        mut each: impl FnMut(u64, &[u8]) -> Result<(), Refused>,
    ) -> Result<(), ReadError> {
        if self.size != count * bytes as u64 {
            let remedy = format!("the index asks for {count} entries of {bytes} bytes: {}", count * bytes as u64);
            return Err(self.error(format!("{} bytes", self.size), remedy));
        }
        let mut buffer = vec![0; BUFFER.max(bytes) / bytes * bytes];
        let mut done = 0;
        while done < count {
            // The last block may be shorter.
            let left = usize::try_from(count - done).unwrap_or(usize::MAX).saturating_mul(bytes);
            let size = left.min(buffer.len());
            self.read(&mut buffer[..size])?;
            for entry in buffer[..size].chunks_exact(bytes) {
                each(done, entry).map_err(|refused| self.entry_error(done, bytes, refused))?;
                done += 1;
            }
        }
        Ok(())
    }

    /// Boundaries of consecutive ranges, one for each of `count` owners, of `targets` items.
    fn ranges(&mut self, count: u64, targets: u64) -> Result<Vec<u32>, ReadError> {
        let mut ranges: Vec<u32> = Vec::new();
        let memory = self.memory;
        let entries = most(count + 1);
        self.entries(8, count + 1, |index, entry| {
            let value = word(entry);
            let least = ranges.last().map_or(0, |last| u64::from(*last));
            let most = if index == 0 { 0 } else { targets };
            if value < least || value > most || (index == count && value != targets) {
                let least = if index == count { targets } else { least };
                let right = if least == most { format!("{least}") } else { format!("{least} to {most}") };
                return refused(format!("{value}"), format!("{right}: ranges follow each other from 0 to {targets}"));
            }
            memory.grow(&mut ranges, 1, entries)?;
            ranges.push(number(value));
            Ok(())
        })?;
        Ok(ranges)
    }

    /// Indices below `bound`.
    fn indices(&mut self, bytes: usize, count: u64, bound: u64, what: &str) -> Result<Vec<u32>, ReadError> {
        let mut indices = Vec::new();
        let memory = self.memory;
        self.entries(bytes, count, |_, entry| {
            let value = word(entry);
            if value >= bound {
                return refused(format!("{what} {value}"), format!("there are {bound}, numbered from 0"));
            }
            memory.grow(&mut indices, 1, most(count))?;
            indices.push(number(value));
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
        // A set grows by doubling, and changes its form once.
        let growing = u64::from(states) / 4 + 64;
        self.memory.take(growing)?;
        self.entries(1, self.size, |index, entry| {
            let mut byte = entry[0];
            while byte != 0 {
                let state = index * 8 + u64::from(byte.trailing_zeros());
                if state >= u64::from(states) {
                    return refused(format!("the bit of state {state}"), format!("there are {states} states"));
                }
                set.push(number(state));
                byte &= byte - 1;
            }
            Ok(())
        })?;
        self.memory.give_back(growing.saturating_sub(set.bytes()));
        Ok(set)
    }

    /// Numbers, each different one stored once in `numbers`.
    fn numbers(&mut self, encoding: Encoding, count: u64, numbers: &mut Numbers) -> Result<Vec<u32>, ReadError> {
        let mut ids = Vec::new();
        let memory = self.memory;
        self.entries(encoding.bytes(), count, |_, entry| {
            memory.grow(&mut ids, 1, most(count))?;
            ids.push(numbers.id_of(encoding, entry, memory)?);
            Ok(())
        })?;
        Ok(ids)
    }

    fn bytes(&mut self) -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::new();
        let size = usize::try_from(self.size).unwrap_or(usize::MAX);
        while bytes.len() < size {
            let more = BUFFER.min(size - bytes.len());
            self.memory.grow(&mut bytes, more, size)?;
            let begin = bytes.len();
            bytes.resize(begin + more, 0);
            self.read(&mut bytes[begin..])?;
        }
        Ok(bytes)
    }
}

/// So many entries, as the length of an array.
fn most(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// A number that was compared with how many there are: at most [`MOST`].
fn number(value: u64) -> u32 {
    u32::try_from(value).expect("less than 2^32")
}

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
    fn id_of(&mut self, encoding: Encoding, entry: &[u8], memory: &Memory<'_>) -> Result<u32, Refused> {
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
                    let Some(number) = from_double(value) else { return refused(value.to_string(), "a finite number") };
                    let table = &self.doubles;
                    memory.grow_table(table.len(), table.capacity(), table.allocation_size())?;
                    let id = self.add(number, memory)?;
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
                    return refused("a fraction with denominator 0", "a positive denominator");
                }
                let table = &self.rationals;
                memory.grow_table(table.len(), table.capacity(), table.allocation_size())?;
                memory.take(entry.len() as u64 + 16)?;
                let value = RBig::from_parts(numerator, denominator);
                let id = self.add(Number { value, decimal: false }, memory)?;
                self.rationals.insert(entry.to_vec(), id);
                Ok(id)
            }
        }
    }

    fn add(&mut self, number: Number, memory: &Memory<'_>) -> Result<u32, Stopped> {
        memory.step()?;
        memory.grow(&mut self.values, 1, usize::MAX)?;
        memory.take(number_bytes(&number.value))?;
        let id = u32::try_from(self.values.len()).expect("fewer numbers than branches");
        self.values.push(number);
        Ok(id)
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
struct Parts<'a> {
    memory: &'a Memory<'a>,
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

impl<'a> Parts<'a> {
    fn new(index: &Index, memory: &'a Memory<'a>) -> Result<Self, ReadError> {
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
        memory.states(number(system.states))?;
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
            memory,
            kind,
            states: number(system.states),
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

    /// Takes in a part, if it is one that counts.
    fn accept(&mut self, name: &str, size: u64, input: &mut dyn Read) -> Result<(), ReadError> {
        let memory = self.memory;
        let mut part = Part { name, size, input, memory };
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
                let Some(actions) = self.choice_actions.checked_add(1) else {
                    return Err(part.error("too many actions", "fewer"));
                };
                part.entries(8, actions, |_, entry| {
                    let Ok(end) = u32::try_from(word(entry)) else {
                        return refused("a text of 4 GiB", "shorter names");
                    };
                    memory.grow(&mut ends, 1, most(actions))?;
                    ends.push(end);
                    Ok(())
                })?;
                self.action_ends = Some(ends);
            }
            "actions/choices/strings.bin" => self.action_text = Some(part.bytes()?),
            _ => return self.accept_annotation(part),
        }
        Ok(())
    }

    fn accept_annotation(&mut self, mut part: Part<'_>) -> Result<(), ReadError> {
        let path: Vec<&str> = part.name.split('/').collect();
        match path[..] {
            ["annotations", "aps", id, "states", "values.bin"] => {
                let Some(label) = self.labels.get_mut(id) else { return Ok(()) };
                label.states = Some(part.states(self.states)?);
            }
            ["annotations", "rewards", id, to, "values.bin"] => {
                let Some(reward) = self.rewards.iter_mut().find(|reward| reward.id == id) else { return Ok(()) };
                if !reward.applies_to.iter().any(|other| other == to) {
                    return Ok(());
                }
                let (values, count) = match to {
                    "states" => (&mut reward.of_state, u64::from(self.states)),
                    "choices" => (&mut reward.of_choice, self.choices),
                    "branches" => (&mut reward.of_branch, self.branches),
                    _ => return Ok(()),
                };
                *values = part.numbers(reward.encoding, count, &mut reward.numbers)?;
            }
            _ => return Ok(()),
        }
        Ok(())
    }

    fn finish(mut self) -> Result<ExplicitModel, ReadError> {
        let targets = required(self.targets.take(), self.branches, "branch-to-target.bin")?;
        let probabilities = required(self.probabilities.take(), self.branches, "branch-to-probability.bin")?;
        let first_branch =
            or_one_each(self.memory, self.first_branch.take(), self.choices, self.branches, "choice-to-branches.bin")?;
        let states = u64::from(self.states);
        let first_choice =
            or_one_each(self.memory, self.first_choice.take(), states, self.choices, "state-to-choices.bin")?;
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
            .map(|reward| reward.finish(&first_branch, &probabilities, &self.numbers.values, self.memory))
            .collect::<Result<_, _>>()?;
        let grouped = group(first_branch, targets, &probabilities, &self.numbers.values, self.memory)?;
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
        let mut names: Vec<&str> = Vec::new();
        self.memory.take((ends.len() * size_of::<&str>()) as u64)?;
        for (index, pair) in ends.windows(2).enumerate() {
            self.memory.step()?;
            let bytes = text.get(pair[0] as usize..pair[1] as usize).ok_or_else(|| bad(index))?;
            names.push(std::str::from_utf8(bytes).map_err(|_| bad(index))?);
        }
        // Names in the order of their first use; an empty one is no name. All choices without an entry have
        // the first.
        let mut actions = Actions::default();
        let mut of_choice = match self.actions.take() {
            Some(used) => used,
            None => {
                let mut used = Vec::new();
                self.memory.grow(&mut used, most(self.choices), usize::MAX)?;
                used.resize(most(self.choices), 0);
                used
            }
        };
        let mut ids: HashMap<&str, u32> = HashMap::new();
        for action in &mut of_choice {
            self.memory.step()?;
            let name = *names.get(*action as usize).ok_or_else(|| bad(*action as usize))?;
            *action = match ids.get(name) {
                Some(id) => *id,
                None if name.is_empty() => 0,
                None => {
                    self.memory.take(name_bytes(name))?;
                    actions.names.push(name.to_string());
                    let id = u32::try_from(actions.names.len()).expect("fewer names than choices");
                    ids.insert(name, id);
                    id
                }
            };
        }
        actions.of_choice = of_choice;
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
fn or_one_each(
    memory: &Memory<'_>,
    part: Option<Vec<u32>>,
    owners: u64,
    items: u64,
    name: &str,
) -> Result<Vec<u32>, ReadError> {
    match part {
        Some(part) => Ok(part),
        None if owners == items => {
            let mut ranges = Vec::new();
            memory.grow(&mut ranges, most(owners + 1), usize::MAX)?;
            ranges.extend(0..=number(owners));
            Ok(ranges)
        }
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
    memory: &Memory<'_>,
) -> Result<Grouped, ReadError> {
    let choices = first_branch.len() - 1;
    let mut weights = Vec::new();
    memory.grow(&mut weights, choices, choices)?;
    let mut distributions = Distributions::default();
    let mut sequences = Sequences::default();
    let mut normalised = 0;
    let mut kept = 0;
    for choice in 0..choices {
        memory.step()?;
        let (start, end) = (first_branch[choice] as usize, first_branch[choice + 1] as usize);
        let ids = &probabilities[start..end];
        let error = |unweighable: Option<Unweighable>| {
            let place =
                Place::Entry { name: "choice-to-branches.bin".into(), index: choice as u64, offset: choice as u64 * 8 };
            match unweighable {
                Some(Unweighable::Stopped(stopped)) => stopped.into(),
                Some(reason) => ReadError::new(place, format!("this choice: {}", reason.problem()), reason.remedy()),
                None => ReadError::new(place, "a choice without branches", "at least one branch"),
            }
        };
        let mut intern = |probabilities: &[&Number]| {
            let weighed = weigh(probabilities, memory)?;
            let normalised = weighed.normalised;
            Ok(Outcome { weights: weighed.intern(&mut distributions, memory)?, normalised })
        };
        if ids.is_empty() {
            return Err(error(None));
        }
        let listed: Vec<&Number>;
        let listing = (end - start) as u64 * size_of::<&Number>() as u64;
        memory.room(listing)?;
        let regular = if has_duplicate(&targets[start..end], memory)? {
            None
        } else if let Some(outcome) = sequences.find(ids) {
            Some(outcome)
        } else {
            listed = ids.iter().map(|id| &numbers[*id as usize]).collect();
            match intern(&listed) {
                Ok(outcome) => {
                    sequences.insert(ids, outcome, memory)?;
                    Some(outcome)
                }
                Err(Unweighable::NotPositive(place)) if listed[place].value.is_zero() => None,
                Err(reason) => return Err(error(Some(reason))),
            }
        };
        first_branch[choice] = number(kept as u64);
        let outcome = if let Some(outcome) = regular {
            targets.copy_within(start..end, kept);
            kept += end - start;
            outcome
        } else {
            memory.room((end - start) as u64 * 2 * size_of::<Number>() as u64)?;
            let mut merged_targets = targets[start..end].to_vec();
            let values: Vec<Number> = ids.iter().map(|id| numbers[*id as usize].clone()).collect();
            if let Some(place) = values.iter().position(|number| number.value < RBig::ZERO) {
                return Err(error(Some(Unweighable::NotPositive(place))));
            }
            let merged = merge(&mut merged_targets, values, memory).map_err(|reason| error(Some(reason)))?;
            let outcome = intern(&merged.iter().collect::<Vec<_>>()).map_err(|reason| error(Some(reason)))?;
            targets[kept..kept + merged_targets.len()].copy_from_slice(&merged_targets);
            kept += merged_targets.len();
            outcome
        };
        weights.push(outcome.weights);
        normalised += u64::from(outcome.normalised);
    }
    first_branch[choices] = number(kept as u64);
    targets.truncate(kept);
    targets.shrink_to_fit();
    Ok(Grouped { first_target: first_branch, weights, targets, distributions, normalised })
}

impl Reward {
    /// The reward model. A reward of branches becomes its mean over the choice's branches, which
    /// changes no expected total.
    fn finish(
        self,
        first_branch: &[u32],
        probabilities: &[u32],
        numbers: &[Number],
        memory: &Memory<'_>,
    ) -> Result<RewardModel, ReadError> {
        let mut values = RewardValues::default();
        let places = self.numbers.values.iter().map(|number| values.intern(&number.value, memory));
        let places = places.collect::<Result<Vec<u32>, _>>()?;
        let in_place = |mut ids: Vec<u32>| {
            for id in &mut ids {
                *id = places[*id as usize];
            }
            if ids.iter().all(|id| *id == 0) { Vec::new() } else { ids }
        };
        let of_state = in_place(self.of_state);
        let mut of_choice = in_place(self.of_choice);
        if !self.of_branch.is_empty() {
            let choices = first_branch.len() - 1;
            memory.grow_to(&mut of_choice, choices, choices)?;
            of_choice.resize(choices, 0);
            for (choice, range) in first_branch.windows(2).enumerate() {
                let (mut mean, mut total) = (RBig::ZERO, RBig::ZERO);
                for branch in range[0] as usize..range[1] as usize {
                    memory.step()?;
                    let probability = &numbers[probabilities[branch] as usize].value;
                    mean += probability * &self.numbers.values[self.of_branch[branch] as usize].value;
                    total += probability;
                    let bits = mean.denominator().bit_len().max(total.denominator().bit_len());
                    if bits > LARGEST_DENOMINATOR {
                        let problem = format!(
                            "the rewards of the branches of choice {choice} have too large a common denominator"
                        );
                        return Err(ReadError::file(problem, "use fewer digits"));
                    }
                }
                if !mean.is_zero() && !total.is_zero() {
                    let sum = values.values[of_choice[choice] as usize].clone() + mean / total;
                    of_choice[choice] = values.intern(&sum, memory)?;
                }
            }
        }
        Ok(RewardModel { name: self.name, values: values.values, of_state, of_choice })
    }
}
