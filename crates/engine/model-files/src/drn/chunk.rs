//! The content of a range of a DRN file.

use budget::Stopped;

use super::tables::Added;

/// The content of a chunk. Choices and targets are counted from the chunk's beginning.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// The number of the first state, and its position in the text for an error.
    pub(super) first_state: Option<(u32, Fault)>,
    /// For every state, the number of choices up to its end.
    pub(super) choice_ends: Vec<u32>,
    /// For every choice, the number of targets up to its end.
    pub(super) target_ends: Vec<u32>,
    pub(super) weights: Vec<u32>,
    pub(super) targets: Vec<u32>,
    pub(super) label_names: Vec<String>,
    /// Label and state (by its number in the file), in order of states.
    pub(super) labels: Vec<(u32, u32)>,
    pub(super) action_names: Vec<String>,
    /// Choice and name.
    pub(super) actions: Vec<(u32, u32)>,
    /// State (counted from the chunk's beginning), reward model, number.
    pub(super) state_rewards: Vec<(u32, u8, u32)>,
    /// Choice, reward model, number.
    pub(super) choice_rewards: Vec<(u32, u8, u32)>,
    pub(super) normalised: u64,
    pub(super) lines: u64,
    pub(super) added: Added,
    /// Bytes that were requested for all of this.
    pub(super) taken: u64,
    /// Why parsing stopped, if not at the end.
    pub(super) halt: Option<Halt>,
}

/// Why parsing stopped. The cause is boxed, so that results of the hot path stay small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Halt(pub(super) Box<Cause>);

/// Why parsing stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// The text is invalid.
    Fault(Fault),
    /// The budget stopped the run.
    Stopped(Stopped),
}

impl From<Stopped> for Halt {
    fn from(stopped: Stopped) -> Self {
        Self(Cause::Stopped(stopped).into())
    }
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self(Cause::Fault(fault).into())
    }
}

/// An error, at a line counted from the chunk's beginning (from 0).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) problem: String,
    pub(super) remedy: String,
}

/// The error for `state` in place of `expected`.
pub(super) fn out_of_order(state: u32, expected: u64) -> (String, String) {
    let problem = if u64::from(state) < expected {
        format!("state {state} stands a second time")
    } else {
        format!("state {state} where state {expected} should stand")
    };
    (problem, format!("states are numbered from 0, in order and without gaps: state {expected} comes here"))
}
