//! The one trait: what a game must say about itself.

mod row;
mod turn;

pub(crate) use row::{Group, never_meet};
pub use row::{InRow, Mark, Next, RowTurns, Said};
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

    /// How many states a row has at most; 1 for a game that knows no rows.
    ///
    /// States that are alike but for one small number (what is left of a hero's health, of his gold) are a row, and their
    /// place in it is that number. A game that tells the rows of its states is explored faster: a row is looked up once
    /// for all of its states, and what they have in common is worked out once, if the game says it so
    /// ([`rules_of_row`](Game::rules_of_row)).
    ///
    /// ```
    /// use mdp::{Distribution, ExploreOptions, Game, Turn, explore};
    ///
    /// /// A thousand rooms with a monster each: it takes 0 to 2 of what health is left.
    /// struct Dungeon;
    ///
    /// impl Game for Dungeon {
    ///     type State = (u16, u8);
    ///     type Action = ();
    ///     fn starts(&self) -> Vec<Distribution<(u16, u8)>> {
    ///         vec![Distribution::certain((0, 50))]
    ///     }
    ///     fn rules(&self, (room, health): &(u16, u8), turn: &mut Turn<(u16, u8)>) {
    ///         match (*room, *health) {
    ///             (_, 0) => turn.end(0),
    ///             (1000, _) => turn.end(1),
    ///             (room, health) => turn.uniform([0, 1, 2].map(|loss| (room + 1, health.saturating_sub(loss)))),
    ///         }
    ///     }
    ///     fn row_length(&self) -> u32 {
    ///         51
    ///     }
    ///     fn row_of(&self, (room, health): &(u16, u8)) -> ((u16, u8), u32) {
    ///         ((*room, 0), u32::from(*health))
    ///     }
    ///     fn in_row(&self, (room, _): &(u16, u8), position: u32) -> (u16, u8) {
    ///         (*room, position as u8)
    ///     }
    /// }
    ///
    /// assert_eq!(explore(&Dungeon, &ExploreOptions::default())?.states().len(), 26 * 26 + 975 * 51);
    /// # Ok::<(), mdp::ExploreError>(())
    /// ```
    fn row_length(&self) -> u32 {
        1
    }

    /// The row of a state, as any one state that stands for it (always the same), and the position there, less than
    /// [`row_length`](Game::row_length).
    fn row_of(&self, state: &Self::State) -> (Self::State, u32) {
        (state.clone(), 0)
    }

    /// The state at a position of a row.
    fn in_row(&self, row: &Self::State, position: u32) -> Self::State {
        let _ = position;
        row.clone()
    }

    /// When a row is told: rows of smaller ranks come first. Where play leads from smaller ranks to larger ones, all states
    /// of a row are found before it is told, and are told together.
    fn rank(&self, row: &Self::State) -> u32 {
        let _ = row;
        0
    }

    /// All states have been told, or as many as the budget allows: [`explore`](crate::explore),
    /// [`explore_by_rows`](crate::explore_by_rows) and [`explore_rows`](crate::explore_rows) say so. What was remembered to
    /// tell more of them can be forgotten.
    fn end_of_telling(&self) {}

    /// The rules of the states at these positions of a row: the same as [`rules`](Game::rules) says of each of them
    /// [alone](RowTurns::alone), or what several of them say [together](RowTurns::together).
    fn rules_of_row(&self, row: &Self::State, positions: &[u32], turns: &mut RowTurns<Self::State, Self::Action>) {
        for (place, position) in positions.iter().enumerate() {
            let state = self.in_row(row, *position);
            turns.alone(place, |turn| self.rules(&state, turn), |state| self.row_of(state));
        }
    }

    /// The actions of a state's choices, in order; none for a choice that was given no name.
    fn actions(&self, state: &Self::State) -> Vec<Option<Self::Action>> {
        let mut turn = Turn::with_names();
        self.rules(state, &mut turn);
        turn.into_names()
    }
}
