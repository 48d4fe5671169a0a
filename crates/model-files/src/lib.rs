//! Explicit Markov decision processes in the files of other tools.
//!
//! [`read`] takes a DRN or UMB file (Storm, PRISM and Modest write these) and gives an
//! [`ExplicitModel`]: flat arrays with exact weights, labels and rewards. [`Expression`] picks
//! states by their labels. [`write_drn`] and [`write_umb`] write models for other tools, and
//! [`fingerprint`] tells whether two are the same.
//!
//! Nothing is rounded: a decimal in a file is the exact decimal, and a fraction is itself.

mod arrays;
mod builder;
mod distributions;
mod drn;
mod error;
mod explicit;
mod expression;
mod fingerprint;
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
use std::io::{Read, Seek};
use std::path::Path;

use budget::Budget;

pub use arrays::{Arrays, Column};
pub use builder::{BuildError, Builder};
pub use distributions::{Distributions, Weights, WeightsId};
pub use drn::{read_drn, write_drn};
pub use error::{Place, ReadError};
pub use explicit::{Block, ExplicitModel, INIT, Kind, MOST, Outcomes, RewardModel};
pub use expression::{Expression, ExpressionError};
pub use fingerprint::fingerprint;
pub use layered::{LAYERS, layered};
pub use memory::number_bytes;
pub use numbers::{MOST_DIGITS, parse_number};
pub use state_set::StateSet;
pub use umb::{Compression, read_umb, write_umb};
pub use weighing::TOLERANCE;

use memory::Memory;
use unpack::{START, is_packed, is_tar, unpack, unreadable};

/// Reads a model from a file, DRN or UMB, plain or compressed with gzip or xz: the content tells which.
///
/// What reading takes, and how long, is asked of `budget`.
///
/// # Errors
/// When the file cannot be read, is damaged, or holds a model that is no Markov decision process
/// and no Markov chain; when the run is to stop.
pub fn read(path: &Path, budget: &Budget<'_>) -> Result<ExplicitModel, ReadError> {
    let missing = |error| ReadError::file(format!("cannot be read: {error}"), "name a DRN or UMB file that exists");
    let mut file = File::open(path).map_err(missing)?;
    let size = file.metadata().map_or(0, |data| data.len());
    let mut start = Vec::new();
    file.by_ref().take(START as u64).read_to_end(&mut start).map_err(missing)?;
    let unpacked = if is_packed(&start) {
        let memory = Memory::new(budget, size);
        let mut unpacked = Vec::new();
        file.rewind().map_err(missing)?;
        let content = unpack(&file, &start, &memory)?;
        content.take(START as u64).read_to_end(&mut unpacked).map_err(|error| unreadable(&error))?;
        unpacked
    } else {
        start
    };
    file.rewind().map_err(missing)?;
    if is_tar(&unpacked) { umb::read(file, size, budget) } else { drn::read(file, size, budget) }
}
