//! What the player does, and what comes of it.

use crate::program::State;

/// One answer of a question, and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub action: Action,
    pub state: State,
}

/// What the player does: which answer he gives, and the number that he chooses with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Action {
    pub answer: usize,
    pub number: Option<i32>,
}

/// What comes of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decided {
    /// The player is asked.
    Asked,
    /// There is only this answer.
    Answered(usize),
}
