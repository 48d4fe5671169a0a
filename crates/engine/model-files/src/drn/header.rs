//! The header of a DRN file: everything before `@model`.

use hashbrown::HashMap;

use crate::error::{Location, ReadError};
use crate::explicit::{Kind, MOST};
use crate::foreign::foreign;
use crate::memory::Memory;

/// The most reward models that a file may have. Each costs 4 bytes for every state and choice.
pub(super) const MOST_REWARD_MODELS: usize = 64;

#[derive(Debug)]
pub(super) struct Header {
    pub(super) kind: Kind,
    pub(super) states: u32,
    pub(super) choices: Option<u64>,
    pub(super) rewards: Vec<String>,
    /// `$name` with the number's text.
    pub(super) placeholders: HashMap<Vec<u8>, Vec<u8>>,
    /// The number of lines of the header, including `@model`.
    pub(super) lines: u64,
    /// Bytes of the header.
    pub(super) bytes: usize,
}

fn at(line: u64, column: usize, problem: impl Into<String>, remedy: impl Into<String>) -> ReadError {
    ReadError::new(Location::Line { line, column: column as u64 + 1 }, problem, remedy)
}

/// The lines of a text with their numbers (from 1), without line ends.
struct Lines<'a> {
    rest: &'a [u8],
    line: u64,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        let line = &self.rest[..end];
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    fn need(&mut self, what: &str) -> Result<&'a [u8], ReadError> {
        let line = self.line + 1;
        self.next().ok_or_else(|| at(line, 0, "the file ends here", format!("expected {what}")))
    }
}

fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn count(lines: &mut Lines<'_>, most: u64, what: &str) -> Result<u64, ReadError> {
    let text = lines.need("a number")?;
    let number = std::str::from_utf8(text.trim_ascii()).ok().and_then(|text| text.parse::<u64>().ok());
    match number {
        Some(number) if number <= most => Ok(number),
        Some(number) => Err(at(lines.line, 0, format!("{number} {what}"), format!("at most {most} are possible"))),
        None => Err(at(lines.line, 0, format!("`{}` is no number of {what}", shown(text)), "a whole number")),
    }
}

/// Reads the header from the beginning of a file. `None`: `text` ends before `@model`.
pub(super) fn parse(text: &[u8], whole: bool, memory: &Memory<'_>) -> Result<Option<Header>, ReadError> {
    let mut lines = Lines { rest: text, line: 0 };
    let (mut kind, mut states, mut choices, mut rewards) = (None, None, None, None);
    let mut placeholders = HashMap::new();
    // Bytes for the name, the value, and their entry in the table.
    let mut held = 0;
    loop {
        memory.step()?;
        let here = lines.rest;
        let Some(text_line) = lines.next() else {
            if !whole {
                return Ok(None);
            }
            return Err(at(
                lines.line.max(1),
                0,
                "the file ends before the line `@model`",
                "a DRN file has a header (@type, @nr_states, ...), then @model, then the states",
            ));
        };
        let line = text_line.trim_ascii();
        let number = lines.line;
        let twice = |seen: bool| {
            if seen { Err(at(number, 0, format!("{} stands twice", shown(line)), "once is right")) } else { Ok(()) }
        };
        if line.is_empty() || line.starts_with(b"//") {
            continue;
        }
        if let Some(name) = line.strip_prefix(b"@type:") {
            twice(kind.is_some())?;
            kind = Some(model_kind(name.trim_ascii(), number)?);
        } else if let Some(name) = line.strip_prefix(b"@value_type:") {
            value_type(name.trim_ascii(), number)?;
        } else if line == b"@parameters" {
            let names = lines.need("the names of the parameters, or an empty line")?;
            if !names.trim_ascii().is_empty() {
                let problem = format!("a parametric model, with parameters ({})", shown(names.trim_ascii()));
                return Err(at(lines.line, 0, problem, "give every parameter a value before the export"));
            }
        } else if line == b"@placeholders" {
            while lines.rest.first() == Some(&b'$') {
                let entry = lines.need("a placeholder")?;
                let Some(colon) = memchr::memchr(b':', entry) else {
                    return Err(at(lines.line, 0, format!("`{}` gives no value", shown(entry)), "$name : value"));
                };
                held += (entry.len() + 6 * size_of::<Vec<u8>>()) as u64;
                memory.step()?;
                memory.room(held)?;
                let (name, value) = (entry[1..colon].trim_ascii(), entry[colon + 1..].trim_ascii());
                if placeholders.insert(name.to_vec(), value.to_vec()).is_some() {
                    return Err(at(lines.line, 0, format!("a second `${}`", shown(name)), "each placeholder once"));
                }
            }
        } else if line == b"@reward_models" {
            twice(rewards.is_some())?;
            let names = lines.need("the names of the reward models, or an empty line")?;
            rewards = Some(reward_names(names, lines.line, lines.rest)?);
        } else if line == b"@nr_states" {
            twice(states.is_some())?;
            states = u32::try_from(count(&mut lines, u64::from(MOST), "states")?).ok();
        } else if line == b"@nr_choices" {
            twice(choices.is_some())?;
            choices = Some(count(&mut lines, u64::from(MOST), "choices")?);
        } else if line == b"@model" {
            let missing = |what: &str, remedy: &str| at(number, 0, format!("no {what} before @model"), remedy);
            memory.take(held)?;
            return Ok(Some(Header {
                kind: kind.ok_or_else(|| missing("@type", "`@type: MDP` or `@type: DTMC`"))?,
                states: states.ok_or_else(|| missing("@nr_states", "`@nr_states`, and the number on the next line"))?,
                choices,
                rewards: rewards.unwrap_or_default(),
                placeholders,
                lines: lines.line,
                bytes: text.len() - lines.rest.len(),
            }));
        } else {
            return Err(unknown_line(line, number, here, kind.is_none() && states.is_none()));
        }
    }
}

/// The error for a line that no header has. If it is the first line, `text` from there on may be of another format.
fn unknown_line(line: &[u8], number: u64, text: &[u8], first: bool) -> ReadError {
    if first && let Some((format, remedy)) = foreign(text) {
        return at(number, 0, format!("{format}, not DRN"), remedy);
    }
    // The type of the model gives a better error than a line that only such models have.
    let mut types = text.split(|byte| *byte == b'\n').filter_map(|line| line.trim_ascii().strip_prefix(b"@type:"));
    if let Some(Err(error)) = types.next().map(|name| model_kind(name.trim_ascii(), number)) {
        return error;
    }
    let remedy = "a DRN header has @type, @value_type, @parameters, @placeholders, @reward_models, @nr_states, \
                  @nr_choices and @model";
    at(number, 0, format!("`{}` is no part of a DRN header", shown(line)), remedy)
}

fn model_kind(name: &[u8], line: u64) -> Result<Kind, ReadError> {
    let (what, remedy) = match name.to_ascii_uppercase().as_slice() {
        b"MDP" => return Ok(Kind::Mdp),
        b"DTMC" => return Ok(Kind::Dtmc),
        b"CTMC" => ("a continuous-time Markov chain", "where time does not matter, the DTMC of its jumps"),
        b"MA" | b"MARKOV AUTOMATON" => ("a Markov automaton", "where time does not matter, the MDP of its jumps"),
        b"POMDP" => ("a partially observable MDP", "an MDP, whose player sees everything"),
        b"SMG" | b"S2PG" | b"STOCHASTIC TWO PLAYER GAME" => {
            ("a stochastic game of several players", "an MDP, which has one player")
        }
        b"IMDP" | b"IDTMC" => ("an interval model", "one number for each probability"),
        b"PTA" => ("a probabilistic timed automaton", "the MDP of its digital clocks"),
        _ => ("a kind of model that is not known", "`@type: MDP` or `@type: DTMC`"),
    };
    Err(at(
        line,
        0,
        format!("a model of type `{}`: {what}", shown(name)),
        format!("only MDP and DTMC are supported: {remedy}"),
    ))
}

/// The error for an unsupported type of probabilities.
fn value_type(name: &[u8], line: u64) -> Result<(), ReadError> {
    let lower = name.to_ascii_lowercase();
    let what = match lower.as_slice() {
        b"double" | b"rational" => return Ok(()),
        name if memchr::memmem::find(name, b"interval").is_some() => "an interval model",
        name if [&b"param"[..], b"function"].iter().any(|part| memchr::memmem::find(name, part).is_some()) => {
            "a parametric model"
        }
        _ => "a type that is not known",
    };
    let problem = format!("probabilities of type `{}`: {what}", shown(name));
    Err(at(line, 0, problem, "only double and rational are supported: every number must be known"))
}

/// The name of an unnamed reward model, as in UMB.
const UNNAMED: &str = "default";

/// The names of reward models. Storm writes a blank after each, also after one without a name.
fn reward_names(text: &[u8], line: u64, rest: &[u8]) -> Result<Vec<String>, ReadError> {
    let text = std::str::from_utf8(text)
        .map_err(|error| at(line, error.valid_up_to(), "text that is not UTF-8", "save the file as UTF-8"))?;
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let names = match text.strip_suffix(' ') {
        // Blanks may also be left over: the lists of rewards show how many models there are.
        Some(blank_ended) if first_list(rest).is_none_or(|rewards| rewards != words.len()) => {
            blank_ended.split(' ').collect()
        }
        _ => words,
    };
    if names.len() > MOST_REWARD_MODELS {
        let problem = format!("{} reward models", names.len());
        return Err(at(line, 0, problem, format!("at most {MOST_REWARD_MODELS} are supported")));
    }
    let names: Vec<String> =
        names.into_iter().map(|name| if name.is_empty() { UNNAMED } else { name }.into()).collect();
    if let Some(name) = names.iter().enumerate().find(|(place, name)| names[..*place].contains(name)) {
        return Err(at(line, 0, format!("two reward models `{}`", name.1), "different names"));
    }
    Ok(names)
}

/// The number of rewards in the first list of a state or an action, if there is one nearby.
fn first_list(text: &[u8]) -> Option<usize> {
    /// The number of lines that are searched: there is a list at the first state or nowhere.
    const LINES: usize = 64;
    let mut lines = text.split(|byte| *byte == b'\n').take(LINES).map(<[u8]>::trim_ascii);
    lines.find_map(|line| {
        let rest = line.strip_prefix(b"state ").or_else(|| line.strip_prefix(b"action "))?;
        let mut words = rest.splitn(2, |byte| *byte == b' ').skip(1);
        let list = words.next()?.trim_ascii_start().strip_prefix(b"[")?;
        let list = &list[..memchr::memchr(b']', list)?];
        Some(list.split(|byte| *byte == b',').count())
    })
}
