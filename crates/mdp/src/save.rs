//! Solutions on disk, so that advice does not solve again.
//!
//! A file holds the states, the model and the solution, and says what it is a solution of: an
//! [`Identity`]. Its layout: the bytes `bestplay solution` and a line feed; the format's version
//! (one byte); the identity's hash and the contents' hash (`SipHash` 1-3, 128 bits each, little
//! endian); the contents, in the [postcard](https://postcard.jamesmunns.com) wire format. A file
//! that is damaged, or made to do harm, gives an error: every number in it is checked before use.

use std::fmt;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::Path;

use budget::{Budget, Stage, Stopped};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::distribution::Distribution;
use crate::model::StateId;
use crate::solve::Solution;
use crate::space::StateSpace;

const MAGIC: &[u8] = b"bestplay solution\n";
/// Changed whenever older programs could not read the contents rightly.
const VERSION: u8 = 1;
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

/// A solution with the states that it is about.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Saved<S> {
    /// What it is a solution of.
    pub identity: Identity,
    /// The states.
    #[serde(bound(serialize = "S: Serialize", deserialize = "S: DeserializeOwned"))]
    pub space: StateSpace<S>,
    /// Their values and best choices.
    pub solution: Solution,
}

impl<S: Eq + Hash + Serialize + DeserializeOwned> Saved<S> {
    /// The file's bytes.
    ///
    /// # Errors
    /// [`SaveError::Io`] when a state refuses to be written, or when the budget says stop.
    pub fn to_bytes(&self, budget: Option<&Budget<'_>>) -> Result<Vec<u8>, SaveError> {
        let own = Budget::default();
        let budget = budget.unwrap_or(&own);
        budget.step(Stage::Writing, 0, 0)?;
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        bytes.extend(self.identity.hash().to_le_bytes());
        let hash_at = bytes.len();
        bytes.extend([0; HASH]);
        let begin = bytes.len();
        let mut bytes = postcard::to_extend(self, bytes).map_err(io::Error::other)?;
        let hash = sip(&bytes[begin..]);
        bytes[hash_at..begin].copy_from_slice(&hash.to_le_bytes());
        Ok(bytes)
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// When they are no intact solution, or the budget says stop.
    pub fn from_bytes(bytes: &[u8], budget: Option<&Budget<'_>>) -> Result<Self, SaveError> {
        let own = Budget::default();
        let budget = budget.unwrap_or(&own);
        budget.step(Stage::Reading, 0, bytes.len() as u64)?;
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
        let mut saved: Self = postcard::from_bytes(contents).map_err(|_| SaveError::Damaged)?;
        if saved.identity.hash().to_le_bytes() != identity {
            return Err(SaveError::Damaged);
        }
        saved.check().map_err(SaveError::Impossible)?;
        saved.space.rebuild_index().map_err(SaveError::Impossible)?;
        Ok(saved)
    }

    /// Writes a file. It appears whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written, or the budget says stop.
    pub fn save(&self, path: &Path, budget: Option<&Budget<'_>>) -> Result<(), SaveError> {
        let bytes = self.to_bytes(budget)?;
        Ok(whole_file::write(path, |file| file.write_all(&bytes))?)
    }

    /// Reads a file, and checks that it is a solution of what is expected.
    ///
    /// # Errors
    /// When the file cannot be read, is no intact solution, or the solution of something else, or when the
    /// budget says stop.
    pub fn load(path: &Path, expected: Option<&Identity>, budget: Option<&Budget<'_>>) -> Result<Self, SaveError> {
        let own = Budget::default();
        let budget = budget.unwrap_or(&own);
        budget.memory(fs::metadata(path)?.len())?;
        let saved = Self::from_bytes(&fs::read(path)?, Some(budget))?;
        match expected {
            Some(expected) if *expected != saved.identity => {
                Err(SaveError::Other { expected: Box::new(expected.clone()), found: Box::new(saved.identity) })
            }
            _ => Ok(saved),
        }
    }

    fn check(&self) -> Result<(), &'static str> {
        let model = &self.space.model;
        model.check()?;
        if self.space.states.len() != model.states() as usize {
            return Err("not as many states as the model has");
        }
        let known =
            |start: &Distribution<StateId>| start.is_sound() && start.iter().all(|(state, _)| *state < model.states());
        if !self.space.starts.iter().all(known) {
            return Err("a start that is not a state");
        }
        self.solution.check(model)
    }
}
