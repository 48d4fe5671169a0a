//! The trait that a game implements.
//!
//! Weights are integers with a type of their own, so that no weight can be taken for a state that is an integer, and
//! nothing is rounded before a caller asks for floating point. A [`Turn`] is a set of buffers that is reused, so
//! recording choices allocates nothing; names of choices are dropped during exploration, and [`Game::actions`]
//! evaluates the same rules again to get them. A game that describes several variants at once gives its weights a
//! `Meaning` of its own: the engine adds up such weights where outcomes are equal, and does not touch them otherwise.

mod row;
mod row_game;
mod turn;

pub use row::{Checkpoint, InRow, RecordedRow, RowTarget, RowTurns};
pub(crate) use row::{Group, never_meet};
pub use row_game::RowGame;
pub use turn::Turn;
pub(crate) use turn::Weights;

use std::fmt::Debug;
use std::hash::Hash;

use crate::model::Distribution;

/// The rules of a game of one player against chance.
///
/// A game is a finite graph that is never written down: the engine asks for the [`starts`](Game::starts), then for the
/// [`rules`](Game::rules) of every state that it discovers. It determines everything else itself: which states there
/// are, in which order to solve them, where the cycles are.
///
/// A state must hold everything that the future can depend on and nothing else: two states that compare equal are the
/// same. Small states without pointers (`Copy`, a few bytes) explore fastest.
///
/// The rules of a state must be the same each time they are evaluated.
pub trait Game: Sync {
    /// A situation of the game.
    type State: Clone + Debug + Eq + Hash + Send + Sync;

    /// The player's actions, as named by [`Turn::choice`]; `()` for a game whose choices need no names.
    type Action: Send;

    /// Where play begins: one distribution for every start of interest, each of which gets its own
    /// value from one exploration.
    fn starts(&self) -> Vec<Distribution<Self::State>>;

    /// The rules of one state: records in `turn` the payoff of a finished state, or else every choice of the player, in
    /// a fixed order. A turn in which chance moves alone has one choice.
    ///
    /// A state with neither is an error ([`ExploreError::NoRules`](crate::ExploreError)).
    fn rules(&self, state: &Self::State, turn: &mut Turn<Self::State, Self::Action>);

    /// Called when exploration ends, complete or not, by [`explore`](crate::explore()) and those functions of
    /// [`rows`](crate::rows) that explore to the end. Caches that only served the exploration can be dropped.
    fn exploration_finished(&self) {}

    /// The actions of a state's choices, in order; `None` for a choice without a name.
    fn actions(&self, state: &Self::State) -> Vec<Option<Self::Action>> {
        let mut turn = Turn::with_names();
        self.rules(state, &mut turn);
        turn.into_names()
    }
}

/// A reference to a game is a game, so functions that take a game can also borrow one.
impl<G: Game> Game for &G {
    type State = G::State;
    type Action = G::Action;

    fn starts(&self) -> Vec<Distribution<G::State>> {
        G::starts(self)
    }

    fn rules(&self, state: &G::State, turn: &mut Turn<G::State, G::Action>) {
        G::rules(self, state, turn);
    }

    fn exploration_finished(&self) {
        G::exploration_finished(self);
    }

    fn actions(&self, state: &G::State) -> Vec<Option<G::Action>> {
        G::actions(self, state)
    }
}
