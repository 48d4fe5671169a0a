//! Explicit Markov decision processes in the files of other tools. This crate knows nothing about solving models. Start
//! reading at `explicit.rs`, the model in memory, and at `drn/mod.rs`, the simpler one of the two formats.
//!
//! [`read`] takes a DRN or UMB file (Storm, PRISM and Modest write these) and gives an [`ExplicitModel`]: flat arrays
//! with exact weights, labels and rewards. [`Expression`] picks states by their labels. [`write_drn`] and [`write_umb`]
//! write models for other tools, and [`fingerprint`] identifies a model.
//!
//! Nothing is rounded: decimals and fractions in a file are read exactly.

mod archive;
mod arrays;
mod builder;
mod distributions;
mod drn;
mod duplicates;
mod error;
mod explicit;
mod expression;
mod fingerprint;
mod foreign;
mod group;
mod layered;
mod memory;
mod number_table;
mod numbers;
mod sequences;
mod state_set;
mod umb;
mod unpack;
mod weighing;

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use budget::Budget;

pub use arrays::{Arrays, Column};
pub use builder::{BuildError, Builder};
pub use distributions::{Distributions, Weights, WeightsId};
pub use drn::{read_drn, write_drn};
pub use error::{Location, ReadError};
pub use explicit::{Block, ExplicitModel, INIT, Kind, MOST, Outcomes, RewardModel};
pub use expression::{Expression, ExpressionError, Part};
pub use fingerprint::fingerprint;
pub use layered::{LAYERS, layered};
pub use memory::number_bytes;
pub use numbers::{MOST_DIGITS, parse_number};
pub use state_set::StateSet;
pub use umb::{Compression, read_umb, write_umb};
pub use weighing::TOLERANCE;

use archive::{Member, only_file};
use memory::Memory;
use unpack::{START, is_packed, is_tar, unpack, unreadable};

/// Reads a model from a file, DRN (also as the only file of a tar archive) or UMB, plain or compressed with gzip or xz:
/// the content shows which.
///
/// `budget` limits memory and time.
///
/// # Errors
/// When the file cannot be read, is damaged, or contains a model that is neither a Markov decision process nor a Markov
/// chain; when the budget stops the run.
pub fn read(path: &Path, budget: &Budget<'_>) -> Result<ExplicitModel, ReadError> {
    let file = File::open(path).map_err(|error| missing(&error))?;
    let size = file.metadata().map_or(0, |data| data.len());
    read_sized(file, size, budget)
}

/// Reads a model from the bytes of a file, as [`read`] does.
///
/// # Errors
/// As [`read`].
pub fn read_from(input: impl Read + Seek + Send, budget: &Budget<'_>) -> Result<ExplicitModel, ReadError> {
    read_sized(input, 0, budget)
}

fn missing(error: &io::Error) -> ReadError {
    ReadError::file(format!("cannot be read: {error}"), "name a DRN or UMB file that exists")
}

/// [`read_from`] for a file of this size, which is reported as progress.
fn read_sized(mut input: impl Read + Seek + Send, size: u64, budget: &Budget<'_>) -> Result<ExplicitModel, ReadError> {
    let again = |error| missing(&error);
    let mut start = Vec::new();
    input.by_ref().take(START as u64).read_to_end(&mut start).map_err(again)?;
    let memory = Memory::new(budget, size);
    let unpacked = if is_packed(&start) {
        let mut unpacked = Vec::new();
        input.rewind().map_err(again)?;
        let content = unpack(&mut input, &start, &memory)?;
        content.take(START as u64).read_to_end(&mut unpacked).map_err(|error| unreadable(&error))?;
        unpacked
    } else {
        start.clone()
    };
    input.rewind().map_err(again)?;
    if !is_tar(&unpacked) {
        return drn::read(input, size, budget);
    }
    let Some(Member { begin, size: bytes, .. }) = only_file(&mut input, &memory)? else {
        return umb::read(input, size, budget);
    };
    // Storm writes DRN as the only file of an archive when it is to be compressed.
    input.rewind().map_err(again)?;
    let mut content = unpack(input, &start, &memory)?;
    io::copy(&mut content.by_ref().take(begin), &mut io::sink()).map_err(|error| unreadable(&error))?;
    drn::read(content.take(bytes), 0, budget)
}
