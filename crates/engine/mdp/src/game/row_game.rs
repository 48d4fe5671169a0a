//! Games that know which of their states are alike.

use super::Game;
use super::row::RowTurns;

/// A game whose states stand in rows.
///
/// States that are alike but for one small number (what is left of a hero's health, of his gold) are a row, and their
/// place in it is that number. A game that tells the rows of its states is explored faster: a row is looked up once
/// for all of its states, and what they have in common is worked out once, if the game says it so
/// ([`rules_of_row`](RowGame::rules_of_row)).
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
    /// How many states a row has at most; where it is 1 the game is explored like any other.
    fn row_length(&self) -> u32;

    /// The row of a state, as any one state that stands for it (always the same), and the position there, less than
    /// [`row_length`](RowGame::row_length).
    fn row_of(&self, state: &Self::State) -> (Self::State, u32);

    /// The state at a position of a row.
    fn in_row(&self, row: &Self::State, position: u32) -> Self::State;

    /// When a row is told: rows of smaller ranks come first. Where play leads from smaller ranks to larger ones, all states
    /// of a row are found before it is told, and are told together.
    fn rank(&self, row: &Self::State) -> u32 {
        let _ = row;
        0
    }

    /// The rules of the states at these positions of a row: the same as [`rules`](Game::rules) says of each of them
    /// [alone](RowTurns::alone), or what several of them say [together](RowTurns::together).
    fn rules_of_row(&self, row: &Self::State, positions: &[u32], turns: &mut RowTurns<Self::State, Self::Action>) {
        for (place, position) in positions.iter().enumerate() {
            let state = self.in_row(row, *position);
            turns.alone(place, |turn| self.rules(&state, turn), |state| self.row_of(state));
        }
    }
}
