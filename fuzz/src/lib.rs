//! Fuzzing: damaged input for every reader of the project, with checks of what must hold whatever the input is. It
//! knows nothing of what the input means. Start reading at [`Target`], and at `targets.rs`, which lists them.
//!
//! A [`Target`] is a function from bytes to a [`Verdict`], or to what is wrong. [`run`](run::run) takes
//! the inputs of its [`Corpus`], damages them, and calls it; a panic, an input that takes too long, and
//! memory beyond [`MEMORY`] are findings too. So is a target that reads fewer than one in
//! [`ONE_IN`] of its inputs: what it would show lies behind the first refusal. A new target is a file in
//! `targets` and a line in [`TARGETS`].
//!
//! ```text
//! cargo run --release -p fuzz -- all --seconds 60
//! cargo run --release -p fuzz -- drn --inputs 1000000 --seed 7
//! cargo run --release -p fuzz -- drn --replay target/fuzz/drn-0123456789abcdef
//! ```

pub mod mutate;
pub mod run;
pub mod targets;

use std::path::PathBuf;

pub use targets::TARGETS;

/// What a reader made of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was read.
    Accepted,
    /// It was refused, with a message.
    Refused,
}

/// A reader, and where its inputs come from.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// What it is called on the command line.
    pub name: &'static str,
    /// The inputs that are damaged.
    pub corpus: &'static [Corpus],
    /// Words that mean something to the reader.
    pub words: &'static [&'static str],
    /// The longest input, in bytes.
    pub longest: usize,
    /// Reads an input and checks what must hold. An error is a finding: what does not hold.
    pub check: fn(&[u8]) -> Result<Verdict, String>,
}

/// Inputs that a target begins with.
#[derive(Clone, Copy, Debug)]
pub enum Corpus {
    /// Files of the repository: those of a folder whose names end like this.
    Files {
        /// The folder, from the root of the repository.
        folder: &'static str,
        /// How the names end; the empty text for all.
        ending: &'static str,
    },
    /// What the program writes today, so that no input is in a format of yesterday. An error says why it cannot.
    Made(fn() -> Result<Vec<Vec<u8>>, String>),
}

/// A target that reads fewer than one in so many inputs looks at too little.
pub const ONE_IN: u64 = 100;

/// The most memory that reading an input may take, in bytes: what the targets give as the limit.
pub const MEMORY: u64 = 64 << 20;

/// What may be in use beside what counts for the limit: stacks, buffers of a fixed size.
pub const BESIDE: u64 = 16 << 20;

/// A budget with the limit [`MEMORY`].
pub fn budget() -> budget::Budget<'static> {
    budget::Budget::new(budget::Limits { max_memory: MEMORY, ..budget::Limits::default() })
}

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
