//! A compiled book with its initial state.

use super::Program;
use super::state::State;

/// A compiled book with its initial state.
pub(crate) struct Starting {
    pub program: Program,
    pub state: State,
}
