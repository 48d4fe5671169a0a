//! Actions of the player and the states after them.

use crate::program::State;

/// An answer of a question and the state after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub action: Action,
    pub state: State,
}

/// An action of the player: the answer and, for some answers, the number chosen with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Action {
    pub answer: usize,
    pub number: Option<i32>,
}

/// The outcome of a question as far as it is independent of the hero's health.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decided {
    /// The player has a choice.
    Asked,
    /// Only this answer is possible.
    Answered(usize),
}
