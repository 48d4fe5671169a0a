//! A compiled book, and where play begins in it.

use super::Program;
use super::state::State;

/// A compiled book, and the state in which the hero sets out.
pub(crate) struct Starting {
    pub program: Program,
    pub state: State,
}
