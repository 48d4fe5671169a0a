//! The part of a game that comes first.

use budget::Budget;

use super::error::ExploreError;
use super::found_rows::FoundRows;
use super::options::ExploreOptions;
use super::row_explorer::RowExplorer;
use crate::game::Game;
use crate::model::StateId;
use crate::pool::in_pool;

/// The states of a game that come first, and those to which they lead: what [`explore_part`] found.
#[derive(Debug)]
pub struct FirstPart<'g, G: Game> {
    game: &'g G,
    found: FoundRows<G::State>,
    rank: Option<u32>,
}

impl<G: Game> FirstPart<'_, G> {
    /// Every state that was found.
    pub fn states(&self) -> impl Iterator<Item = G::State> {
        self.found.places().map(|place| self.game.in_row(&self.found.rows()[place.row as usize], place.position))
    }

    /// How many states were found.
    pub fn len(&self) -> StateId {
        crate::places::id(self.found.states())
    }

    /// Whether there are none; a game has a start.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The smallest rank of a state that was not told; `None` when all were.
    pub fn rank(&self) -> Option<u32> {
        self.rank
    }
}

/// Explores a game in the order of its ranks, and no further than to a place where `may_end` allows it (between the rank of
/// the states that were told last and the smallest of the others) once `enough` states have been told: however many starts
/// there are, each part goes so far. A game without rows is explored whole.
///
/// ```
/// use mdp::{Distribution, ExploreOptions, Game, Turn, explore_part};
///
/// /// A walk through a thousand rooms, with 20 points of health.
/// struct Dungeon;
///
/// impl Game for Dungeon {
///     type State = (u16, u8);
///     type Action = ();
///     fn starts(&self) -> Vec<Distribution<(u16, u8)>> {
///         vec![Distribution::certain((0, 20))]
///     }
///     fn rules(&self, (room, health): &(u16, u8), turn: &mut Turn<(u16, u8)>) {
///         match (*room, *health) {
///             (_, 0) => turn.end(0),
///             (1000, _) => turn.end(1),
///             (room, health) => turn.uniform([(room + 1, health), (room + 1, health - 1)]),
///         }
///     }
///     fn row_length(&self) -> u32 {
///         21
///     }
///     fn row_of(&self, (room, health): &(u16, u8)) -> ((u16, u8), u32) {
///         ((*room, 0), u32::from(*health))
///     }
///     fn in_row(&self, (room, _): &(u16, u8), position: u32) -> (u16, u8) {
///         (*room, position as u8)
///     }
///     fn rank(&self, (room, _): &(u16, u8)) -> u32 {
///         u32::from(*room)
///     }
/// }
///
/// let part = explore_part(&Dungeon, 5_000, &|_, _| true, &ExploreOptions::default())?;
/// let rank = part.rank().expect("there is more");
/// assert!(rank < 1000 && part.len() >= 5_000);
/// assert_eq!(part.states().filter(|(room, _)| u32::from(*room) >= rank).count(), 21);
/// # Ok::<(), mdp::ExploreError>(())
/// ```
///
/// # Errors
/// As [`explore`](super::explore()).
pub fn explore_part<'g, G: Game>(
    game: &'g G,
    enough: usize,
    may_end: &(dyn Fn(u32, u32) -> bool + Sync),
    options: &ExploreOptions<'_>,
) -> Result<FirstPart<'g, G>, ExploreError> {
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |threads| {
        let mut explorer = RowExplorer::new(game, budget);
        explorer.enter_starts()?;
        let mut rank = None;
        explorer.expand(threads, &mut |count, told, next| {
            let ends = game.row_length() > 1 && count >= enough && may_end(told, next);
            rank = ends.then_some(next);
            ends
        })?;
        Ok(FirstPart { game, found: explorer.into_found(), rank })
    })
}
