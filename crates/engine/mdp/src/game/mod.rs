//! The one trait: what a game must say about itself.
//!
//! Weights are integers with a type of their own, so that no weight can be taken for a state that is an integer, and nothing is
//! rounded before a caller asks for floating point. A [`Turn`] is a set of buffers that is reused, so recording choices
//! allocates nothing; names of choices are dropped while exploring, and [`Game::actions`] asks the same rules for them later. A
//! game that describes several variants at once gives its weights a `Meaning` of its own: the engine adds such weights where
//! outcomes meet, and otherwise leaves them alone.

mod row;
mod row_game;
mod turn;

pub(crate) use row::{Group, never_meet};
pub use row::{InRow, Mark, Next, RowTurns, Said};
pub use row_game::RowGame;
pub use turn::Turn;
pub(crate) use turn::Weights;

use std::fmt::Debug;
use std::hash::Hash;

use crate::model::Distribution;

/// The rules of a game of one player against chance.
///
/// A game is a finite graph that is never written down: the engine asks for the
/// [`starts`](Game::starts), then for the [`rules`](Game::rules) of every state that it meets.
/// Everything else (which states there are, in which order they are solved, where the loops are)
/// it finds out for itself.
///
/// A state must hold all that the future can depend on and nothing else: two states that compare
/// equal are one. Small states without pointers (`Copy`, a few bytes) explore fastest.
///
/// Asked twice about the same state, a game must answer the same.
pub trait Game: Sync {
    /// A situation of the game.
    type State: Clone + Debug + Eq + Hash + Send + Sync;

    /// What the player can do, as [`Turn::choice`] names it; `()` for a game whose choices need no names.
    type Action: Send;

    /// Where play begins: one distribution for every start of interest, each of which gets its own
    /// value from one exploration.
    fn starts(&self) -> Vec<Distribution<Self::State>>;

    /// The rules of one state: writes to `turn` what it pays when it is finished, or else every
    /// choice of the player, in a fixed order. A turn in which chance moves alone has one choice.
    ///
    /// A state that says neither is an error ([`ExploreError::NoRules`](crate::ExploreError)).
    fn rules(&self, state: &Self::State, turn: &mut Turn<Self::State, Self::Action>);

    /// All states have been told, or as many as the budget allows: [`explore`](crate::explore()) says so, and
    /// so do those of [`rows`](crate::rows) that explore to the end. What was remembered to
    /// tell more of them can be forgotten.
    fn end_of_telling(&self) {}

    /// The actions of a state's choices, in order; none for a choice that was given no name.
    fn actions(&self, state: &Self::State) -> Vec<Option<Self::Action>> {
        let mut turn = Turn::with_names();
        self.rules(state, &mut turn);
        turn.into_names()
    }
}

/// A reference to a game is the same game: a function that takes a game can be lent one.
impl<G: Game> Game for &G {
    type State = G::State;
    type Action = G::Action;

    fn starts(&self) -> Vec<Distribution<G::State>> {
        G::starts(self)
    }

    fn rules(&self, state: &G::State, turn: &mut Turn<G::State, G::Action>) {
        G::rules(self, state, turn);
    }

    fn end_of_telling(&self) {
        G::end_of_telling(self);
    }

    fn actions(&self, state: &G::State) -> Vec<Option<G::Action>> {
        G::actions(self, state)
    }
}
