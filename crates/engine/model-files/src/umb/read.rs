//! Reading.
//!
//! The parts of an archive can be in any order, so each is converted to its array as it is read; everything that
//! depends on several parts is done at the end. Memory depends on the actual content of the file, never on what it
//! declares.

use std::io::{Read, Seek};
use std::ops::ControlFlow;

use budget::Budget;
use hashbrown::HashSet;

use super::index::{Index, VERSION};
use super::parts::Parts;
use crate::archive::{Archive, INDEX, Member};
use crate::error::{Location, ReadError};
use crate::explicit::ExplicitModel;
use crate::memory::{Memory, name_bytes};
use crate::unpack::unreadable;

/// Reads a model from a UMB archive, plain or compressed with gzip or xz.
///
/// An archive is read to its end: the checksums of the compressed formats must be right, and nothing
/// may follow. (A plain archive has checksums of the names and sizes of its parts only.)
///
/// # Errors
/// With the part of the archive and the entry, when it is not a UMB archive, is damaged, or contains another kind of
/// model; when the budget stops the run.
pub fn read_umb(input: impl Read + Seek + Send, budget: &Budget<'_>) -> Result<ExplicitModel, ReadError> {
    read(input, 0, budget)
}

/// [`read_umb`] for a file of this size, which is reported as progress.
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
    archive.entries(|Member { name, size, .. }, input| {
        memory.take(name_bytes(name))?;
        if !seen.insert(name.clone()) {
            return Err(ReadError::part(name, "stands in the archive twice", "each part once"));
        }
        parts.accept(name, *size, input)?;
        Ok(ControlFlow::Continue(()))
    })?;
    archive.finish()?;
    parts.finish()
}

/// The longest [`INDEX`], in bytes.
const LONGEST_INDEX: u64 = 16 << 20;

/// The index of an archive.
fn read_index(input: &mut (impl Read + Seek + Send), size: u64, budget: &Budget<'_>) -> Result<Index, ReadError> {
    /// How many bytes the entries of an index take for each byte of its text, at most.
    const EXPANSION: u64 = 16;
    let memory = Memory::new(budget, size);
    let mut found = None;
    Archive::open(input, &memory)?.entries(|Member { name, size, .. }, input| {
        if name != INDEX {
            return Ok(ControlFlow::Continue(()));
        }
        if *size > LONGEST_INDEX {
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
        let place = Location::Line { line: error.line() as u64, column: error.column() as u64 };
        ReadError::part(INDEX, format!("{place}: {error}"), "an index as the UMB format describes it")
    })?;
    if index.format_version != VERSION && index.format_version != 0 {
        let problem = format!("version {} of the format", index.format_version);
        return Err(ReadError::part(INDEX, problem, format!("version {VERSION} is supported")));
    }
    Ok(index)
}
