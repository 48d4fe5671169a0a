//! What a solve of a series leaves behind as it goes, so that it can go on where it was stopped.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use mdp::RowSet;
use rustc_hash::FxHasher;

use crate::program::Program;
use crate::state::State;

/// Where finished parts are kept.
pub trait Shelf {
    /// A part that was kept.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String>;

    /// Keeps a part: it is there whole, or as before.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep(&self, name: &str, part: &[u8]) -> Result<(), String>;
}

/// Keeps parts in memory.
#[derive(Debug, Default)]
pub struct InMemory(Mutex<BTreeMap<String, Vec<u8>>>);

impl Shelf for InMemory {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned())
    }

    fn keep(&self, name: &str, part: &[u8]) -> Result<(), String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.into(), part.into());
        Ok(())
    }
}

/// The first bytes of a part.
const MAGIC: &[u8; 16] = b"bestplay series\x05";

/// States, and numbers that belong to them.
pub(super) type Part = (RowSet<State>, Vec<f64>);

/// A part for a shelf: what kind of part it is, of which game, how many rows of states, how many words tell their
/// positions, how many numbers; all of these, and a sum over that.
pub(super) fn write_part(game: u64, states: &RowSet<State>, numbers: &[f64]) -> Vec<u8> {
    let (rows, positions) = (states.rows(), states.positions());
    let words = 4 + rows.len() * State::WORDS + positions.len() + numbers.len() + 1;
    let mut bytes = Vec::with_capacity(MAGIC.len() + words * 8);
    bytes.extend(MAGIC);
    let counts = [game, rows.len() as u64, positions.len() as u64, numbers.len() as u64];
    let states = rows.iter().flat_map(State::words).chain(positions.iter().copied());
    for word in counts.into_iter().chain(states).chain(numbers.iter().map(|number| number.to_bits())) {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(sum(&bytes).to_le_bytes());
    bytes
}

/// What [`write_part`] wrote; nothing if it is of another game or damaged. Rows have so many positions at most.
pub(super) fn read_part(game: u64, length: u32, bytes: &[u8]) -> Option<Part> {
    let (rest, own) = bytes.split_last_chunk::<8>()?;
    if u64::from_le_bytes(*own) != sum(rest) {
        return None;
    }
    let mut words = rest.strip_prefix(MAGIC)?.chunks_exact(8).map(|word| {
        let mut own = [0; 8];
        own.copy_from_slice(word);
        u64::from_le_bytes(own)
    });
    let [of, rows, positions, numbers] = [words.next()?, words.next()?, words.next()?, words.next()?];
    let expected = rows.checked_mul(State::WORDS as u64)?.checked_add(positions)?.checked_add(numbers)?;
    if of != game || words.len() as u64 != expected {
        return None;
    }
    let (rows, positions) = (usize::try_from(rows).ok()?, usize::try_from(positions).ok()?);
    let mut next = || words.next().unwrap_or(0);
    let rows = (0..rows).map(|_| State::from_words(std::array::from_fn(|_| next()))).collect();
    let positions = (0..positions).map(|_| next()).collect();
    let states = RowSet::from_parts(length.max(1), rows, positions)?;
    Some((states, words.map(f64::from_bits).collect()))
}

fn sum(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// A number for a game: programs with the same rules and the same start have the same.
pub(super) fn game_number(program: &Program, start: &State) -> u64 {
    let mut hasher = FxHasher::default();
    program.steps.hash(&mut hasher);
    program.sections.hash(&mut hasher);
    start.hash(&mut hasher);
    for register in 0..program.layout.registers() {
        let register = crate::state::Register::try_from(register).unwrap_or(crate::state::Register::MAX);
        program.layout.range(register).hash(&mut hasher);
    }
    hasher.finish()
}
