//! The certificate and its file format.
//!
//! Text, one item a line:
//!
//! ```text
//! bestplay certificate 1
//! model 6490924f529149e3...        the model's fingerprint
//! goal finished & !agree           a goal expression
//! until !lost                      only where nothing but such states may lie on the way
//! cut 3                            only where choices are left out: in how many states
//! objective max                    or min
//! measure probability              or: measure reward NAME
//! states 272
//! 0 13/120 1 12                    state, value, choice, rank
//! 1 0 - 0                          `-`: no choice
//! 2 inf 0 3                        `inf`: infinite
//! ...
//! end
//! ```

use std::fmt;
use std::io::{self, BufRead, Read, Write};

use budget::{Budget, Stage, Stopped};
use dashu_base::BitTest;
use dashu_ratio::RBig;
use model_files::MOST;

/// The first line of the file; the number is the version of the format.
const HEAD: &str = "bestplay certificate 1";

/// The longest line, in bytes: a value of half a million digits.
const LONGEST_LINE: u64 = 1 << 20;

/// The claimed values of all states of a model, with the data that makes them checkable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// [`model_files::fingerprint`] of the model.
    pub model: String,
    /// The goal states, as a [`model_files::Expression`].
    pub goal: String,
    /// The only states through which play may pass, as an expression; `None`: all.
    pub until: Option<String>,
    /// The number of states whose choices the model lacks because play is over there; 0: none.
    pub cut: u32,
    /// Whether the claimed value is the largest or the smallest.
    pub objective: Objective,
    /// What is measured.
    pub measure: Measure,
    /// One for every state, in order.
    pub entries: Vec<Entry>,
}

/// The policy that determines the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The one with the largest value.
    Max,
    /// The one with the smallest value.
    Min,
}

/// What is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The probability of reaching the goal.
    Probability,
    /// The expected total reward until the goal, in the reward model of this name.
    Reward(String),
}

/// The claim about one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its value.
    pub value: Claim,
    /// The choice that attains it, counted from 0 within the state.
    pub choice: Option<u32>,
    /// Its rank; the conditions on it depend on objective and measure.
    pub rank: u64,
}

/// A claimed value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// This number.
    Finite(RBig),
    /// More than any number.
    Infinite,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(value) => value.fmt(f),
            Self::Infinite => f.write_str("inf"),
        }
    }
}

/// Why a certificate could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// The file is not a certificate.
    Bad {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it, and what would be right.
        problem: String,
    },
    /// The budget stopped the run: a limit, or an interruption.
    Stopped(Stopped),
}

impl From<Stopped> for FormatError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bad { line, problem } => write!(f, "line {line}: {problem}"),
            Self::Stopped(stopped) => stopped.fmt(f),
        }
    }
}

impl std::error::Error for FormatError {}

struct Lines<'a, R> {
    budget: &'a Budget<'a>,
    input: R,
    line: u64,
    text: String,
    /// Bytes read so far.
    read: u64,
}

impl<R: BufRead> Lines<'_, R> {
    fn error(&self, problem: impl Into<String>) -> FormatError {
        FormatError::Bad { line: self.line, problem: problem.into() }
    }

    fn next(&mut self) -> Result<&str, FormatError> {
        self.budget.step(Stage::Reading, self.read, 0)?;
        self.line += 1;
        self.text.clear();
        let read = self.input.by_ref().take(LONGEST_LINE).read_line(&mut self.text);
        match read {
            Err(error) => Err(self.error(format!("cannot be read: {error}"))),
            Ok(0) => Err(self.error("the file ends here, before the line `end`")),
            Ok(length) if length as u64 == LONGEST_LINE => Err(self.error("a line of more than 1 MiB")),
            Ok(length) => {
                self.read += length as u64;
                Ok(self.text.trim_end_matches(['\n', '\r']))
            }
        }
    }

    /// Looks for anything but white space after the end.
    fn finish(&mut self) -> Result<(), FormatError> {
        loop {
            self.line += 1;
            self.text.clear();
            self.budget.step(Stage::Reading, self.read, 0)?;
            match self.input.by_ref().take(LONGEST_LINE).read_line(&mut self.text) {
                Err(error) => return Err(self.error(format!("cannot be read: {error}"))),
                Ok(0) => return Ok(()),
                Ok(_) if self.text.trim().is_empty() => {}
                Ok(_) => return Err(self.error("text after the line `end`")),
            }
        }
    }

    /// The rest of a line that begins with a word.
    fn field(&mut self, word: &str) -> Result<String, FormatError> {
        let rest = self.next()?.strip_prefix(word).and_then(|rest| rest.strip_prefix(' ')).map(String::from);
        rest.ok_or_else(|| self.error(format!("expected `{word} ...`")))
    }
}

impl Certificate {
    /// Reads a certificate.
    ///
    /// # Errors
    /// With the line, when the file is not a certificate; when the budget stops the run.
    pub fn read(input: impl BufRead, budget: &Budget<'_>) -> Result<Self, FormatError> {
        let mut lines = Lines { budget, input, line: 0, text: String::new(), read: 0 };
        if lines.next()? != HEAD {
            return Err(lines.error(format!("a certificate begins with `{HEAD}`")));
        }
        let model = lines.field("model")?;
        let goal = lines.field("goal")?;
        let mut line = lines.next()?.to_string();
        let until = line.strip_prefix("until ").map(String::from);
        if until.is_some() {
            line = lines.next()?.to_string();
        }
        let mut cut = 0;
        if let Some(count) = line.strip_prefix("cut ") {
            let count = count.parse().ok().filter(|count| (1..=MOST).contains(count));
            cut = count.ok_or_else(|| lines.error("expected `cut COUNT`, with a number above 0"))?;
            line = lines.next()?.to_string();
        }
        let objective = match line.as_str() {
            "objective max" => Objective::Max,
            "objective min" => Objective::Min,
            _ => return Err(lines.error("expected `objective max` or `objective min`")),
        };
        let measure = match lines.field("measure")?.split_once(' ') {
            Some(("reward", name)) => Measure::Reward(name.into()),
            None if lines.text.trim_end() == "measure probability" => Measure::Probability,
            _ => return Err(lines.error("the measure is `probability` or `reward NAME`")),
        };
        let states = lines.field("states")?;
        let states = states.parse().ok().filter(|states| *states <= MOST);
        let states: u32 = states.ok_or_else(|| lines.error("expected the number of states"))?;
        budget.states(states.into())?;
        let mut entries: Vec<Entry> = Vec::new();
        // Bytes of the values in addition to their entries.
        let mut values = 0;
        for state in 0..states {
            if entries.len() == entries.capacity() {
                let capacity = (entries.len() + entries.len() / 2).max(64);
                let taken = (entries.len() + capacity) * size_of::<Entry>();
                budget.memory(values + taken as u64)?;
                budget.more_memory((capacity * size_of::<Entry>()) as u64)?;
                entries.reserve_exact(capacity - entries.len());
            }
            let entry = parse_entry(lines.next()?, state).map_err(|problem| lines.error(problem))?;
            if let Claim::Finite(value) = &entry.value {
                values += (value.numerator().bit_len() + value.denominator().bit_len()) as u64 / 8;
                budget.memory(values + (entries.capacity() * size_of::<Entry>()) as u64)?;
            }
            entries.push(entry);
        }
        if lines.next()? != "end" {
            return Err(lines.error(format!("expected `end` after {states} states")));
        }
        lines.finish()?;
        Ok(Self { model, goal, until, cut, objective, measure, entries })
    }

    /// Writes the certificate.
    ///
    /// # Errors
    /// When writing fails. When the budget stops the run, the error contains the reason, see [`Stopped::behind`].
    pub fn write(&self, mut output: impl Write, budget: &Budget<'_>) -> io::Result<()> {
        writeln!(output, "{HEAD}\nmodel {}\ngoal {}", self.model, self.goal)?;
        if let Some(until) = &self.until {
            writeln!(output, "until {until}")?;
        }
        if self.cut > 0 {
            writeln!(output, "cut {}", self.cut)?;
        }
        let objective = match self.objective {
            Objective::Max => "max",
            Objective::Min => "min",
        };
        writeln!(output, "objective {objective}")?;
        match &self.measure {
            Measure::Probability => writeln!(output, "measure probability")?,
            Measure::Reward(name) => writeln!(output, "measure reward {name}")?,
        }
        writeln!(output, "states {}", self.entries.len())?;
        for (state, entry) in self.entries.iter().enumerate() {
            budget.step(Stage::Writing, 0, 0)?;
            match entry.choice {
                Some(choice) => writeln!(output, "{state} {} {choice} {}", entry.value, entry.rank)?,
                None => writeln!(output, "{state} {} - {}", entry.value, entry.rank)?,
            }
        }
        writeln!(output, "end")?;
        output.flush()
    }
}

fn parse_entry(line: &str, state: u32) -> Result<Entry, String> {
    let expected = || format!("expected `{state} VALUE CHOICE RANK` for state {state}");
    let mut words = line.split(' ');
    let mut word = || words.next().ok_or_else(expected);
    if word()?.parse() != Ok(state) {
        return Err(expected());
    }
    let value = match word()? {
        "inf" => Claim::Infinite,
        number => Claim::Finite(fraction(number).ok_or_else(|| format!("`{number:.40}` is no fraction"))?),
    };
    let choice = match word()? {
        "-" => None,
        number => Some(number.parse().map_err(|_| expected())?),
    };
    let rank = word()?.parse().map_err(|_| expected())?;
    if words.next().is_some() {
        return Err(expected());
    }
    Ok(Entry { value, choice, rank })
}

/// `n` or `n/d`.
fn fraction(text: &str) -> Option<RBig> {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(numerator.strip_prefix('-').unwrap_or(numerator)) || !digits(denominator) {
        return None;
    }
    if denominator.bytes().all(|byte| byte == b'0') {
        return None;
    }
    Some(RBig::from_parts(numerator.parse().ok()?, denominator.parse().ok()?))
}
