//! Solutions on disk, so that advice does not solve again.
//!
//! A file holds the states, the model and the solution, and says what it is a solution of: an
//! [`Identity`]. Its layout: the bytes `bestplay solution` and a line feed; the format's version
//! (one byte); the identity's hash and the contents' hash (`SipHash` 1-3, 128 bits each, little
//! endian); the contents, in the [postcard](https://postcard.jamesmunns.com) wire format. A file
//! that is damaged, or made to do harm, gives an error: every number in it is checked before use.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::{fmt, fs};

use budget::{Budget, Progress, Stage, Stopped};
use postcard::de_flavors::Flavor;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::model::{Distribution, Model, StateId, StateSpace, Unsound};
use crate::solution::{Solution, SolutionParts};

const MAGIC: &[u8] = b"bestplay solution\n";
/// Changed whenever older programs could not read the contents rightly.
const VERSION: u8 = 6;
const HASH: usize = 16;

/// What a solution is a solution of. Two solutions with equal identities are interchangeable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Identity {
    /// The game, as the command calls it.
    pub game: String,
    /// The version of its rules: changed with every change that can change a value.
    pub rules: u32,
    /// Everything else that the values depend on, in one canonical form.
    pub parameters: String,
}

impl Identity {
    /// A hash of all three, the same on every machine.
    pub fn hash(&self) -> u128 {
        let mut text = Vec::new();
        for part in [self.game.as_bytes(), &self.rules.to_le_bytes(), self.parameters.as_bytes()] {
            text.extend_from_slice(&(part.len() as u64).to_le_bytes());
            text.extend_from_slice(part);
        }
        sip(&text)
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (rules {}) with {}", self.game, self.rules, self.parameters)
    }
}

fn sip(bytes: &[u8]) -> u128 {
    let mut hasher = SipHasher13::new();
    hasher.write(bytes);
    hasher.finish128().as_u128()
}

/// Why a solution could not be saved or loaded.
#[derive(Debug)]
pub enum SaveError {
    /// The budget said stop.
    Stopped(Stopped),
    /// The file cannot be read or written.
    Io(io::Error),
    /// The file is something else.
    NotASolution,
    /// The file was written by another version of the program.
    Version(u8),
    /// The file is shorter or longer than it says, or a byte has changed.
    Damaged,
    /// The file is intact but what it says cannot be true.
    Impossible(&'static str),
    /// The solution of something else.
    Other {
        /// What was asked for.
        expected: Box<Identity>,
        /// What the file holds.
        found: Box<Identity>,
    },
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stopped) => stopped.fmt(f),
            Self::Io(error) => error.fmt(f),
            Self::NotASolution => f.write_str("not a saved solution"),
            Self::Version(version) => {
                write!(f, "a saved solution of format {version}; this program reads format {VERSION}")
            }
            Self::Damaged => f.write_str("a damaged solution: its contents do not match its hash"),
            Self::Impossible(what) => write!(f, "a saved solution that cannot be: {what}"),
            Self::Other { expected, found } => write!(f, "the solution of {found}, not of {expected}"),
        }
    }
}

impl std::error::Error for SaveError {}

impl From<Unsound> for SaveError {
    fn from(unsound: Unsound) -> Self {
        match unsound {
            Unsound::Impossible(what) => Self::Impossible(what),
            Unsound::Stopped(stopped) => Self::Stopped(stopped),
        }
    }
}

impl From<Stopped> for SaveError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<io::Error> for SaveError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// For writers, whose errors are those of input and output.
impl From<SaveError> for io::Error {
    fn from(error: SaveError) -> Self {
        match error {
            SaveError::Io(error) => error,
            SaveError::Stopped(stopped) => stopped.into(),
            other => Self::other(other),
        }
    }
}

/// A solution with the states that it is about.
#[derive(Clone, Debug)]
pub struct Saved<S> {
    identity: Identity,
    space: StateSpace<S>,
    solution: Solution,
}

/// What the contents of a file are, in order: the identity, the states, the model, the starts, the solution.
type Contents<S> = (Identity, Vec<S>, Model, Vec<Distribution<StateId>>, SolutionParts);

impl<S: Eq + Hash> Saved<S> {
    /// A solution that is to be saved with the states that it is about.
    ///
    /// # Panics
    /// When it is not the solution of the space's model, or what ends pay was said beside the model
    /// ([`solve_with`](crate::advanced::solve_with)): files hold models with their own payoffs.
    pub fn new(identity: Identity, space: StateSpace<S>, solution: Solution) -> Self {
        assert!(Arc::ptr_eq(space.model(), solution.model()), "the solution of another model");
        assert!(solution.ends().is_none(), "what ends pay is not in the model");
        Self { identity, space, solution }
    }

    /// What it is a solution of.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The states.
    pub fn space(&self) -> &StateSpace<S> {
        &self.space
    }

    /// Their values and best choices.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }
}

impl<S: Eq + Hash + Serialize + DeserializeOwned> Saved<S> {
    /// The file's bytes.
    ///
    /// # Errors
    /// [`SaveError::Io`] when a state refuses to be written, or when the budget says stop.
    pub fn to_bytes(&self, budget: Option<&Budget<'_>>) -> Result<Vec<u8>, SaveError> {
        let mut bytes = Vec::new();
        self.write(&mut bytes, budget)?;
        Ok(bytes)
    }

    /// Writes the file's bytes, of which it keeps none.
    ///
    /// # Errors
    /// [`SaveError::Io`] when they cannot be written, or when the budget says stop.
    pub fn write(&self, output: &mut (impl Write + ?Sized), budget: Option<&Budget<'_>>) -> Result<(), SaveError> {
        let own = Budget::default();
        let budget = budget.unwrap_or(&own);
        // Their hash stands before the contents, so they are written twice: first for the hash.
        let hash = self.write_contents(&mut io::sink(), budget)?;
        output.write_all(MAGIC)?;
        output.write_all(&[VERSION])?;
        output.write_all(&self.identity.hash().to_le_bytes())?;
        output.write_all(&hash.to_le_bytes())?;
        self.write_contents(output, budget)?;
        Ok(())
    }

    /// Writes the contents and returns their hash.
    fn write_contents(&self, output: &mut (impl Write + ?Sized), budget: &Budget<'_>) -> Result<u128, SaveError> {
        let mut sink = Writing { output, hasher: SipHasher13::new(), written: 0, budget, failed: None };
        let Self { identity, space, solution } = self;
        let contents = (identity, &space.states, &*space.model, &space.starts, solution.parts());
        let written = postcard::to_io(&contents, &mut sink).map(|_| ());
        // What went wrong in writing is not in the error that comes back.
        match sink.failed {
            Some(failed) => Err(failed),
            None => {
                written.map_err(io::Error::other)?;
                Ok(sink.hasher.finish128().as_u128())
            }
        }
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// When they are no intact solution, or the budget says stop.
    pub fn from_bytes(bytes: &[u8], budget: Option<&Budget<'_>>) -> Result<Self, SaveError> {
        let own = Budget::default();
        let budget = budget.unwrap_or(&own);
        let rest = bytes.strip_prefix(MAGIC).ok_or(SaveError::NotASolution)?;
        let (version, rest) = rest.split_first().ok_or(SaveError::Damaged)?;
        if *version != VERSION {
            return Err(SaveError::Version(*version));
        }
        let (identity, rest) = rest.split_at_checked(HASH).ok_or(SaveError::Damaged)?;
        let (hash, contents) = rest.split_at_checked(HASH).ok_or(SaveError::Damaged)?;
        if sip(contents).to_le_bytes() != hash {
            return Err(SaveError::Damaged);
        }
        let stopped = Cell::new(None);
        let mut reading = postcard::Deserializer::from_flavor(Reading { rest: contents, budget, stopped: &stopped });
        let read = Contents::deserialize(&mut reading);
        let rest = reading.finalize();
        if let Some(stopped) = stopped.get() {
            return Err(SaveError::Stopped(stopped));
        }
        let read = read.map_err(|_| SaveError::Damaged)?;
        if rest.map_err(|_| SaveError::Damaged)? > 0 || read.0.hash().to_le_bytes() != identity {
            return Err(SaveError::Damaged);
        }
        Self::from_contents(read, budget)
    }

    /// Writes a file. It appears whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written, or the budget says stop.
    pub fn save(&self, path: &Path, budget: Option<&Budget<'_>>) -> Result<(), SaveError> {
        whole_file::write(path, |file| self.write(file, budget))
    }

    /// Reads a file, and checks that it is a solution of what is expected.
    ///
    /// # Errors
    /// When the file cannot be read, is no intact solution, or the solution of something else, or when the
    /// budget says stop.
    pub fn load(path: &Path, expected: Option<&Identity>, budget: Option<&Budget<'_>>) -> Result<Self, SaveError> {
        let own = Budget::default();
        let budget = budget.unwrap_or(&own);
        // What is read is at least as large in memory as in the file, and both are there at once.
        budget.more_memory(fs::metadata(path)?.len().saturating_mul(2))?;
        let saved = Self::from_bytes(&fs::read(path)?, Some(budget))?;
        match expected {
            Some(expected) if *expected != saved.identity => {
                Err(SaveError::Other { expected: Box::new(expected.clone()), found: Box::new(saved.identity) })
            }
            _ => Ok(saved),
        }
    }

    /// What was read, if it can be true.
    fn from_contents(contents: Contents<S>, budget: &Budget<'_>) -> Result<Self, SaveError> {
        let (identity, states, model, starts, parts) = contents;
        model.check(budget)?;
        if states.len() != model.states() as usize {
            return Err(SaveError::Impossible("not as many states as the model has"));
        }
        let known =
            |start: &Distribution<StateId>| start.is_sound() && start.iter().all(|(state, _)| *state < model.states());
        if !starts.iter().all(known) {
            return Err(SaveError::Impossible("a start that is not a state"));
        }
        let model = Arc::new(model);
        let solution = Solution::from_parts(model.clone(), parts).map_err(SaveError::Impossible)?;
        let space = StateSpace::new(states, model, starts).map_err(SaveError::Impossible)?;
        Ok(Self { identity, space, solution })
    }
}

/// Bytes between two looks at the budget.
const LOOK: u64 = 1 << 16;

/// Where the contents are written: they are hashed on the way, and the budget is asked whether to go on.
struct Writing<'a, W: ?Sized> {
    output: &'a mut W,
    hasher: SipHasher13,
    written: u64,
    budget: &'a Budget<'a>,
    failed: Option<SaveError>,
}

impl<W: Write + ?Sized> Write for Writing<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let more = bytes.len() as u64;
        if self.written % LOOK + more >= LOOK {
            let progress = Progress { stage: Stage::Writing, done: self.written, waiting: 0, memory: 0 };
            if let Err(stopped) = self.budget.advance(progress) {
                self.failed = Some(stopped.into());
                return Err(io::Error::other(stopped));
            }
        }
        self.written += more;
        self.hasher.write(bytes);
        self.output.write_all(bytes).map_err(|error| {
            let kind = error.kind();
            self.failed = Some(error.into());
            kind
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Bytes that are read while the budget is asked whether to go on. Ends with how many are left.
struct Reading<'de> {
    rest: &'de [u8],
    budget: &'de Budget<'de>,
    stopped: &'de Cell<Option<Stopped>>,
}

impl<'de> Flavor<'de> for Reading<'de> {
    type Remainder = usize;
    type Source = &'de [u8];

    fn pop(&mut self) -> postcard::Result<u8> {
        Ok(self.try_take_n(1)?[0])
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }

    fn try_take_n(&mut self, count: usize) -> postcard::Result<&'de [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(postcard::Error::DeserializeUnexpectedEnd)?;
        self.rest = rest;
        // Every byte is asked for by itself: the budget is looked at now and then only.
        if rest.len() as u64 % LOOK < count as u64 {
            let progress = Progress { stage: Stage::Reading, done: 0, waiting: rest.len() as u64, memory: 0 };
            if let Err(stopped) = self.budget.advance(progress) {
                self.stopped.set(Some(stopped));
                return Err(postcard::Error::SerdeDeCustom);
            }
        }
        Ok(taken)
    }

    fn finalize(self) -> postcard::Result<usize> {
        Ok(self.rest.len())
    }
}
