//! Games that group their states into rows.

use super::Game;
use super::row::RowTurns;

/// A game whose states form rows.
///
/// States that differ in one small number only (a hero's remaining health, his gold) form a row, and their position in
/// it is that number. A game with rows is explored faster: a row is looked up once for all of its states, and what they
/// have in common is computed once, if the game records it together ([`rules_of_row`](RowGame::rules_of_row)).
///
/// ```
/// use mdp::rows::{RowGame, explore};
/// use mdp::{Distribution, ExploreOptions, Game, Turn};
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
/// }
///
/// impl RowGame for Dungeon {
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
pub trait RowGame: Game {
    /// The most states of a row; where it is 1 the game is explored like any other.
    fn row_length(&self) -> u32;

    /// The row of a state, represented by a state that is the same for the whole row, and the position there, less than
    /// [`row_length`](RowGame::row_length).
    fn row_of(&self, state: &Self::State) -> (Self::State, u32);

    /// The state at a position of a row.
    fn in_row(&self, row: &Self::State, position: u32) -> Self::State;

    /// The order of expansion: rows of smaller ranks come first. Where play leads from smaller ranks to larger ones,
    /// all states of a row are discovered before it is expanded, and are expanded together.
    fn rank(&self, row: &Self::State) -> u32 {
        let _ = row;
        0
    }

    /// The rules of the states at these positions of a row: either those that [`rules`](Game::rules) records for each
    /// of them [alone](RowTurns::alone), or those of several states [together](RowTurns::together).
    fn rules_of_row(&self, row: &Self::State, positions: &[u32], turns: &mut RowTurns<Self::State, Self::Action>) {
        for (index, position) in positions.iter().enumerate() {
            let state = self.in_row(row, *position);
            turns.alone(index, |turn| self.rules(&state, turn), |state| self.row_of(state));
        }
    }
}
