//! Reading.
//!
//! The parts of an archive come in any order, so each is turned into its array as it streams by;
//! what depends on several parts is done at the end. Memory follows what the file really holds,
//! never what it declares.

use std::io::{Read, Seek};
use std::ops::ControlFlow;

use budget::Budget;
use hashbrown::HashSet;

use super::archive::{Archive, read_index};
use super::parts::Parts;
use crate::builder::name_bytes;
use crate::error::ReadError;
use crate::explicit::ExplicitModel;
use crate::memory::Memory;

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
