//! UMB, the unified Markov binary format of Storm, PRISM and Modest.
//!
//! A tar archive, plain or compressed, with an index in JSON and one binary part for each array. The format's
//! description: <https://github.com/pmc-tools/umb>. Doubles are read as the shortest decimals that represent them (0.3
//! is 3/10), fractions exactly; intervals are refused.

mod index;
mod numbers;
mod part;
mod parts;
mod read;
mod refused;
mod reward;
mod words;
mod write;

pub(crate) use read::read;
pub use read::read_umb;
pub use write::{Compression, write_umb};
