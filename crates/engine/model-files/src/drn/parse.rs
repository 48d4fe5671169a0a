//! Parses a range of lines, independently of the lines before and after.

use hashbrown::HashMap;

use super::chunk::{Chunk, Fault, Halt, out_of_order};
use super::header::Header;
use super::tables::{NoNumber, Overlay, Tables, pack};
use crate::duplicates::has_duplicate;
use crate::explicit::Kind;
use crate::memory::{Memory, name_bytes};
use crate::numbers::Number;
use crate::sequences::Outcome;
use crate::weighing::{Unweighable, merge};

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
    line_start: usize,
    header: &'a Header,
    memory: &'a Memory<'a>,
    overlay: Overlay<'a>,
    chunk: Chunk,
    label_ids: HashMap<&'a [u8], u32>,
    action_ids: HashMap<&'a [u8], u32>,
    /// The numbers of the choice that is being read.
    numbers: Vec<u32>,
    /// The beginning of its targets, and its line.
    open: Option<(usize, u64)>,
    /// Whether its targets have been in increasing order so far.
    ascending: bool,
    state: Option<u32>,
    /// A cache of recent short texts of numbers, and their numbers: avoids most lookups in the table.
    recent: [(u64, u32); RECENT],
}

const RECENT: usize = 64;

/// Parses whole lines that begin with a state (or contain nothing relevant).
pub(super) fn parse(text: &[u8], header: &Header, tables: &Tables, memory: &Memory<'_>) -> Chunk {
    let mut parser = Parser {
        text,
        at: 0,
        line: 0,
        line_start: 0,
        header,
        memory,
        overlay: Overlay::new(tables, &header.placeholders, memory),
        chunk: Chunk::default(),
        label_ids: HashMap::new(),
        action_ids: HashMap::new(),
        numbers: Vec::new(),
        open: None,
        ascending: true,
        state: None,
        recent: [(0, 0); RECENT],
    };
    let halt = parser.run().err();
    let Parser { mut chunk, overlay, line, .. } = parser;
    chunk.lines = line;
    chunk.halt = halt;
    chunk.added = overlay.into_added();
    let rewards = chunk.state_rewards.capacity() + chunk.choice_rewards.capacity();
    let listed = chunk.labels.capacity() * size_of::<(u32, u32)>() + rewards * size_of::<(u32, u8, u32)>();
    chunk.taken += chunk.added.taken + listed as u64;
    chunk
}

type Step<T = ()> = Result<T, Halt>;

/// The number of lines between two checks of the budget.
const LINES: u64 = 1 << 12;

impl<'a> Parser<'a> {
    fn run(&mut self) -> Step {
        // A transition takes four bytes of text and four in an array that grows by doubling. Anything that takes more
        // requests memory where it is added.
        let arrays = 2 * self.text.len() as u64;
        self.memory.take(arrays)?;
        self.chunk.taken += arrays;
        loop {
            if self.line.is_multiple_of(LINES) {
                self.memory.check()?;
            }
            self.line_start = self.at;
            self.skip_blanks();
            match self.peek() {
                Some(b'0'..=b'9') => self.transition()?,
                Some(b'a') => self.action()?,
                Some(b's') => self.new_state()?,
                Some(b'/') if self.text[self.at..].starts_with(b"//") => {
                    self.at = memchr::memchr(b'\n', &self.text[self.at..]).map_or(self.text.len(), |end| self.at + end);
                }
                Some(b'\n' | b'\r') => {}
                None => break,
                Some(_) => return Err(self.unknown_line()),
            }
            self.end_line()?;
        }
        self.close_state()
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    #[inline]
    fn end_line(&mut self) -> Step {
        self.skip_blanks();
        if self.peek() == Some(b'\r') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'\n') => {
                self.at += 1;
                self.line += 1;
                Ok(())
            }
            None => Ok(()),
            Some(_) => Err(self.fault(
                self.at,
                format!("`{}` at the end of the line", self.shown()),
                "the line should end here",
            )),
        }
    }

    /// A position in the current line, counted from 1.
    fn column(&self, at: usize) -> u64 {
        (at - self.line_start) as u64 + 1
    }

    #[cold]
    fn fault(&self, at: usize, problem: impl Into<String>, remedy: impl Into<String>) -> Halt {
        let column = self.column(at);
        Fault { line: self.line, column, problem: problem.into(), remedy: remedy.into() }.into()
    }

    /// The next word for an error message, shortened.
    #[cold]
    fn shown(&self) -> String {
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let text = String::from_utf8_lossy(&rest[..end.min(60)]);
        let short: String = text.chars().take(30).collect();
        if short.len() < end { format!("{short}…") } else { short }
    }

    #[cold]
    fn unknown_line(&self) -> Halt {
        let remedy = "a line begins with `state`, `action`, a target state or `//`";
        self.fault(self.at, format!("a line that begins with `{}`", self.shown()), remedy)
    }

    /// An integer below 2^32 - 1.
    #[inline]
    fn index(&mut self, what: &str) -> Step<u32> {
        let start = self.at;
        let mut value: u64 = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = (value * 10 + u64::from(digit - b'0')).min(1 << 40);
            self.at += 1;
        }
        if self.at == start {
            return Err(self.fault(start, format!("`{}` where {what} should stand", self.shown()), "a whole number"));
        }
        u32::try_from(value).map_err(|_| self.no_such_state(start, "a state number above 2^32"))
    }

    #[cold]
    fn no_such_state(&self, at: usize, what: &str) -> Halt {
        let states = self.header.states;
        self.fault(at, what, format!("the file declares {states} states (@nr_states), numbered from 0"))
    }

    fn transition(&mut self) -> Step {
        if self.open.is_none() {
            let remedy = "first a line `state N`, then a line `action NAME`, then its target states";
            return Err(self.fault(self.at, "a target state that belongs to no choice", remedy));
        }
        let start = self.at;
        let target = self.index("a target state")?;
        if target >= self.header.states {
            return Err(self.no_such_state(start, &format!("target state {target} does not exist")));
        }
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return Err(self.fault(
                self.at,
                format!("`{}` after the target state", self.shown()),
                "`TARGET : PROBABILITY`",
            ));
        }
        self.at += 1;
        self.skip_blanks();
        let (text, packed) = self.word();
        let number = self.number(text, packed)?;
        self.ascending &= self.numbers.is_empty() || self.chunk.targets.last().is_some_and(|last| *last < target);
        self.numbers.push(number);
        self.chunk.targets.push(target);
        Ok(())
    }

    /// The text up to the next blank or line end, and packed.
    #[inline]
    fn word(&mut self) -> (&'a [u8], u64) {
        let start = self.at;
        let mut packed = 0;
        while let Some(byte) = self.peek()
            && byte > b' '
        {
            packed = packed << 8 | u64::from(byte);
            self.at += 1;
        }
        (&self.text[start..self.at], packed)
    }

    #[inline]
    fn number(&mut self, text: &'a [u8], packed: u64) -> Step<u32> {
        let [.., top] = packed.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
        let slot = usize::from(top >> 2);
        if self.recent[slot].0 == packed && text.len() <= 8 && packed != 0 {
            return Ok(self.recent[slot].1);
        }
        let id = self.new_number(text, packed)?;
        if text.len() <= 8 {
            self.recent[slot] = (packed, id);
        }
        Ok(id)
    }

    fn new_number(&mut self, text: &'a [u8], packed: u64) -> Step<u32> {
        if text.first() == Some(&b'[') {
            let at = text.as_ptr().addr() - self.text.as_ptr().addr();
            let problem = "an interval where a number belongs: an interval model, which is not supported";
            return Err(self.fault(at, problem, "one number, such as 0.25 or 1/4"));
        }
        self.overlay.number_of(text, packed).map_err(|refused| {
            let problem = match refused {
                NoNumber::Text(problem) => problem,
                NoNumber::Stopped(stopped) => return stopped.into(),
            };
            let at = text.as_ptr().addr() - self.text.as_ptr().addr();
            self.fault(at, problem, "a decimal such as 0.25 or a fraction such as 1/4")
        })
    }

    fn action(&mut self) -> Step {
        let start = self.at;
        let (word, _) = self.word();
        if word != b"action" {
            self.at = start;
            return Err(self.unknown_line());
        }
        self.close_choice()?;
        let Some(first) = self.state.map(|_| self.chunk.choice_ends.last().map_or(0, |end| *end as usize)) else {
            return Err(self.fault(start, "an action that belongs to no state", "first a line `state N`"));
        };
        let place = self.chunk.weights.len() - first;
        if self.header.kind == Kind::Dtmc && place == 1 {
            return Err(self.fault(start, "a second action in a state of a Markov chain", "one action, or @type: MDP"));
        }
        self.skip_blanks();
        let (name, _) = self.word();
        let choice = position(&self.chunk.weights);
        if name != b"__NOLABEL__" && !is_number(name, place) && !name.is_empty() {
            let next = position(&self.chunk.action_names);
            let id = *self.action_ids.entry(name).or_insert(next);
            if id == next {
                let text = self.utf8(name)?;
                self.named(&text)?;
                self.chunk.action_names.push(text);
            }
            self.chunk.actions.push((choice, id));
        }
        self.skip_blanks();
        let mut rewards = std::mem::take(&mut self.chunk.choice_rewards);
        let result = self.rewards(choice, &mut rewards);
        self.chunk.choice_rewards = rewards;
        self.open = Some((self.chunk.targets.len(), self.line));
        result
    }

    /// Requests memory for a new name.
    fn named(&mut self, name: &str) -> Step {
        let bytes = name_bytes(name);
        self.memory.take(bytes)?;
        self.chunk.taken += bytes;
        Ok(())
    }

    fn utf8(&self, text: &[u8]) -> Step<String> {
        let at = text.as_ptr().addr() - self.text.as_ptr().addr();
        std::str::from_utf8(text)
            .map(String::from)
            .map_err(|_| self.fault(at, "text that is not UTF-8", "save the file as UTF-8"))
    }

    /// A list `[1, 2.5]` with a reward for each reward model, if there is one.
    fn rewards(&mut self, owner: u32, list: &mut Vec<(u32, u8, u32)>) -> Step {
        if self.peek() != Some(b'[') {
            return Ok(());
        }
        let open = self.at;
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|byte| matches!(byte, b']' | b'\n')).unwrap_or(rest.len());
        if rest.get(end) != Some(&b']') {
            return Err(self.fault(open, "a list of rewards without end", "close it with `]` in the same line"));
        }
        let models = self.header.rewards.len();
        let mut count: u8 = 0;
        for item in rest[1..end].split(|byte| *byte == b',') {
            let item = item.trim_ascii();
            if item.iter().any(|byte| *byte <= b' ') {
                return Err(self.fault(open, "rewards without a comma between them", "`[1, 2]`"));
            }
            let number = self.number(item, pack(item))?;
            if !self.overlay.number(number).value.is_zero() && usize::from(count) < models {
                self.memory.grow(list, 1, usize::MAX)?;
                list.push((owner, count, number));
            }
            count = count.saturating_add(1);
        }
        if usize::from(count) != models {
            let problem = if count == u8::MAX { "too many rewards".into() } else { format!("{count} rewards") };
            let remedy = format!("the file names {models} reward models (@reward_models)");
            return Err(self.fault(open, problem, remedy));
        }
        self.at += end + 1;
        Ok(())
    }

    fn new_state(&mut self) -> Step {
        let start = self.at;
        let (word, _) = self.word();
        if word != b"state" {
            self.at = start;
            return Err(self.unknown_line());
        }
        self.close_state()?;
        self.skip_blanks();
        let place = self.at;
        let state = self.index("the state's number")?;
        if state >= self.header.states {
            return Err(self.no_such_state(place, &format!("state {state}")));
        }
        match self.state {
            Some(last) if state != last + 1 => return Err(self.out_of_order(place, state, u64::from(last) + 1)),
            Some(_) => {}
            None => {
                let (line, column) = (self.line, self.column(place));
                let (problem, remedy) = out_of_order(state, 0);
                self.chunk.first_state = Some((state, Fault { line, column, problem, remedy }));
            }
        }
        self.state = Some(state);
        self.skip_blanks();
        match self.peek() {
            Some(b'!') => return Err(self.fault(self.at, "an exit rate", "only MDP and DTMC are supported")),
            Some(b'{') => return Err(self.fault(self.at, "an observation", "only MDP and DTMC are supported")),
            _ => {}
        }
        let mut rewards = std::mem::take(&mut self.chunk.state_rewards);
        let result = self.rewards(position(&self.chunk.choice_ends), &mut rewards);
        self.chunk.state_rewards = rewards;
        result?;
        self.labels(state)
    }

    #[cold]
    fn out_of_order(&self, at: usize, state: u32, expected: u64) -> Halt {
        let (problem, remedy) = out_of_order(state, expected);
        self.fault(at, problem, remedy)
    }

    fn labels(&mut self, state: u32) -> Step {
        loop {
            self.skip_blanks();
            let start = self.at;
            let label = match self.peek() {
                None | Some(b'\n' | b'\r') => return Ok(()),
                Some(b'"') => {
                    let rest = &self.text[start + 1..];
                    let end = rest.iter().position(|byte| matches!(byte, b'"' | b'\n')).unwrap_or(rest.len());
                    if rest.get(end) != Some(&b'"') {
                        return Err(self.fault(start, "a label without closing quote", "close it with `\"`"));
                    }
                    self.at = start + end + 2;
                    &rest[..end]
                }
                Some(_) => self.word().0,
            };
            if label.is_empty() {
                return Err(self.fault(start, "an empty label", "a name"));
            }
            let next = position(&self.chunk.label_names);
            let id = *self.label_ids.entry(label).or_insert(next);
            if id == next {
                let text = self.utf8(label)?;
                self.named(&text)?;
                self.chunk.label_names.push(text);
            }
            self.memory.grow(&mut self.chunk.labels, 1, usize::MAX)?;
            self.chunk.labels.push((id, state));
        }
    }

    fn close_state(&mut self) -> Step {
        self.close_choice()?;
        if self.state.is_some() {
            self.chunk.choice_ends.push(position(&self.chunk.weights));
        }
        Ok(())
    }

    fn close_choice(&mut self) -> Step {
        let Some((start, line)) = self.open.take() else { return Ok(()) };
        let found = if self.numbers.is_empty() {
            Err(("a choice without target states".into(), "at least one line `TARGET : PROBABILITY`"))
        } else {
            match self.outcome(start) {
                Err(Unweighable::Stopped(stopped)) => return Err(stopped.into()),
                found => found.map_err(|fault| (fault.problem(), fault.remedy())),
            }
        };
        let outcome = found.map_err(|(problem, remedy)| {
            let problem = format!("this choice: {problem}");
            Fault { line, column: 1, problem, remedy: remedy.into() }
        })?;
        self.chunk.normalised += u64::from(outcome.normalised);
        self.chunk.weights.push(outcome.weights);
        self.chunk.target_ends.push(position(&self.chunk.targets));
        self.numbers.clear();
        self.ascending = true;
        Ok(())
    }

    #[inline]
    fn outcome(&mut self, start: usize) -> Result<Outcome, Unweighable> {
        if self.ascending || !has_duplicate(&self.chunk.targets[start..], self.memory)? {
            match self.overlay.weights_of(&self.numbers) {
                Err(Unweighable::NotPositive(_)) => {}
                done => return done,
            }
        }
        self.irregular_outcome(start)
    }

    /// A choice that lists a target twice, or one of probability zero.
    #[cold]
    fn irregular_outcome(&mut self, start: usize) -> Result<Outcome, Unweighable> {
        self.memory.room(self.numbers.len() as u64 * 2 * size_of::<Number>() as u64)?;
        let probabilities: Vec<Number> = self.numbers.iter().map(|id| self.overlay.number(*id).clone()).collect();
        if let Some(place) = probabilities.iter().position(|number| number.value < dashu_ratio::RBig::ZERO) {
            return Err(Unweighable::NotPositive(place));
        }
        let mut targets = self.chunk.targets.split_off(start);
        let merged = merge(&mut targets, probabilities, self.memory)?;
        self.chunk.targets.extend(targets);
        self.overlay.weights_of_values(&merged.iter().collect::<Vec<_>>())
    }
}

/// Whether `text` is `number` in decimal.
#[inline]
fn is_number(text: &[u8], number: usize) -> bool {
    match u8::try_from(number) {
        Ok(digit @ 0..10) => text == [b'0' + digit],
        _ => text == number.to_string().as_bytes(),
    }
}

/// The index of the next entry of an array.
fn position<T>(array: &[T]) -> u32 {
    u32::try_from(array.len()).expect("a chunk has fewer entries than can be numbered")
}
