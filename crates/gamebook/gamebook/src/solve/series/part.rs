//! Finished parts of a solution, as bytes for a shelf. A part names itself and is rejected as anything else.

use std::fmt;
use std::hash::Hasher;

use mdp::rows::RowSet;
use rustc_hash::FxHasher;

use crate::program::State;

/// States and the numbers that belong to them.
pub(super) type Part = (RowSet<State>, Vec<f64>);

/// The prefix of a part's first line in every version.
const ANY: &[u8] = b"bestplay series";
/// The first line of a part in this version.
const FIRST: &str = concat!("bestplay series, part 6, version ", env!("CARGO_PKG_VERSION"));
/// The maximal length of the second line.
const LONGEST: usize = 200;

/// Identifies a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head<'a> {
    /// Its name on the shelf.
    pub name: &'a str,
    /// [The number of its game](super::shelf::game_number).
    pub game: u64,
    /// The hash of the cuts on which it depends.
    pub cut: u64,
}

impl Head<'_> {
    fn line(&self) -> String {
        let Self { name, game, cut } = self;
        format!("{name} of game {game:016x} in cut {cut:016x}")
    }
}

/// Why a part does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    Damaged,
    Version,
    Name,
    Game,
    Cut,
    /// It was cut for a larger limit on memory.
    TooLarge,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Damaged => "damaged, or no part of a series",
            Self::Version => "of another version of this program",
            Self::Name => "another part under its name",
            Self::Game => "of another book, series, hero or question",
            Self::Cut => "of the same books, cut elsewhere",
            Self::TooLarge => "cut for a larger limit on memory",
        })
    }
}

/// A part as bytes: two lines that identify it; the numbers of rows, position words and numbers; all of these; and a checksum
/// of everything.
pub(super) fn write_part(head: &Head<'_>, states: &RowSet<State>, numbers: &[f64]) -> Vec<u8> {
    let (rows, positions) = (states.rows(), states.positions());
    let words = 3 + rows.len() * State::WORDS + positions.len() + numbers.len() + 1;
    let lines = format!("{FIRST}\n{}\n", head.line());
    let mut bytes = Vec::with_capacity(lines.len() + words * 8);
    bytes.extend(lines.as_bytes());
    let counts = [rows.len() as u64, positions.len() as u64, numbers.len() as u64];
    let states = rows.iter().flat_map(State::words).chain(positions.iter().copied());
    for word in counts.into_iter().chain(states).chain(numbers.iter().map(|number| number.to_bits())) {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(sum(&bytes).to_le_bytes());
    bytes
}

/// Reads what [`write_part`] wrote under the same head. `length` is the maximal length of rows.
pub(super) fn read_part(head: &Head<'_>, length: u32, bytes: &[u8]) -> Result<Part, Unfit> {
    let (first, rest) = line(bytes).ok_or(Unfit::Damaged)?;
    if first != FIRST.as_bytes() {
        return Err(if first.starts_with(ANY) { Unfit::Version } else { Unfit::Damaged });
    }
    let (whole, own) = bytes.split_last_chunk::<8>().ok_or(Unfit::Damaged)?;
    if u64::from_le_bytes(*own) != sum(whole) {
        return Err(Unfit::Damaged);
    }
    let (second, _) = line(rest).ok_or(Unfit::Damaged)?;
    is_same(head, second)?;
    body(length, &whole[first.len() + second.len() + 2..]).ok_or(Unfit::Damaged)
}

/// The first line of some bytes, and the rest.
fn line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().take(LONGEST).position(|byte| *byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// Compares a line with a head; on a mismatch returns the first difference.
fn is_same(head: &Head<'_>, line: &[u8]) -> Result<(), Unfit> {
    if line == head.line().as_bytes() {
        return Ok(());
    }
    let of_game = format!(" of game {:016x} in cut ", head.game);
    let line = std::str::from_utf8(line).map_err(|_| Unfit::Damaged)?;
    Err(match line.split_once(&of_game) {
        Some((name, _)) if name == head.name => Unfit::Cut,
        Some(_) => Unfit::Name,
        None => Unfit::Game,
    })
}

/// Parses what stands between the head and the checksum.
fn body(length: u32, bytes: &[u8]) -> Option<Part> {
    let (words, []) = bytes.as_chunks::<8>() else { return None };
    let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
    let [rows, positions, numbers] = [words.next()?, words.next()?, words.next()?];
    let expected = rows.checked_mul(State::WORDS as u64)?.checked_add(positions)?.checked_add(numbers)?;
    if words.len() as u64 != expected {
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

#[cfg(test)]
mod tests;
