//! Explicit Markov decision processes in the files of other tools.
//!
//! [`read`] takes a DRN or UMB file (Storm, PRISM and Modest write these) and gives an
//! [`ExplicitModel`]: flat arrays with exact weights, labels and rewards. [`Expression`] picks
//! states by their labels. [`write_drn`] and [`write_umb`] write models for other tools, and
//! [`fingerprint`] tells whether two are the same.
//!
//! Nothing is rounded: a decimal in a file is the exact decimal, and a fraction is itself.

mod builder;
mod distributions;
mod drn;
mod error;
mod explicit;
mod expression;
mod fingerprint;
mod layered;
mod numbers;
mod sequences;
mod state_set;
mod umb;
mod weighing;

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

pub use builder::{BuildError, Builder};
pub use distributions::{Distributions, Weights, WeightsId};
pub use drn::{read_drn, write_drn};
pub use error::{Place, ReadError};
pub use explicit::{Block, ExplicitModel, INIT, Kind, MOST, Outcomes, RewardModel};
pub use expression::{Expression, ExpressionError};
pub use fingerprint::fingerprint;
pub use layered::{LAYERS, layered};
pub use numbers::{MOST_DIGITS, parse_number};
pub use state_set::StateSet;
pub use umb::{Compression, read_umb, write_umb};
pub use weighing::TOLERANCE;

/// What a file may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes that a compressed file may unpack to.
    pub unpacked_bytes: u64,
    /// The most bytes for weights that do not fit 64 bits.
    pub large_weight_bytes: u64,
}

impl Default for Limits {
    /// 4 GiB unpacked, 1 GiB for large weights.
    fn default() -> Self {
        Self { unpacked_bytes: 4 << 30, large_weight_bytes: 1 << 30 }
    }
}

/// Reads a model from a file, DRN or UMB: the content tells which.
///
/// # Errors
/// When the file cannot be read, is damaged, or holds a model that is no Markov decision process
/// and no Markov chain.
pub fn read(path: &Path, limits: &Limits) -> Result<ExplicitModel, ReadError> {
    let unreadable = |error| ReadError::file(format!("cannot be read: {error}"), "name a DRN or UMB file that exists");
    let mut file = File::open(path).map_err(unreadable)?;
    let mut start = Vec::new();
    file.by_ref().take(512).read_to_end(&mut start).map_err(unreadable)?;
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    if umb::looks_like_umb(&start) { read_umb(file, limits) } else { read_drn(file, limits) }
}
