//! Exploration of games whose states form rows.
//!
//! Where play leads from smaller ranks to larger ones, a game that is too large for memory can be explored in parts
//! ([`explore_part`]).
//!
//! A row is a set of states that differ in one small number only. It is looked up once for all successors in it. Rows
//! are expanded in the order of their ranks (`frontier.rs`), so that a row is complete before it is expanded, and all
//! states of a row together. States of a row with equal choices, whose successors are the same or shifted by the same
//! distance, become one block of words, whether the game records them together or one by one; the choices recorded for
//! one row can be reused for another row with other successor rows.
//!
//! Each thread first takes rows that are neighbours, because their expansion shares cached results (`sections.rs`,
//! `worker.rs`). Recorded words stay where their thread wrote them (`order/emitted`). When exploration ends the game is
//! notified, and can drop its caches. [`explore_by_rows`] stores states by rows (`row_space.rs`), in a fraction of the
//! memory that single states take. [`explore_part`] stops between two ranks before state numbers run out, and
//! [`explore_rows`] builds a model of the states that can be reached from a set (`row_set.rs`): together they solve
//! games in parts.

mod discovered_rows;
mod frontier;
mod partial;
mod row_explorer;
mod row_set;
mod row_space;
mod sections;
mod worker;

pub use partial::{FirstPart, explore_part, explore_rows};
pub use row_set::RowSet;
pub use row_space::RowSpace;

use budget::Budget;

use crate::explore::{ExploreError, ExploreOptions};
use crate::game::RowGame;
use crate::model::StateSpace;
use crate::support::in_pool;
use row_explorer::{RowExplorer, Wanted};

/// Finds every state of `game` that can be reached from its starts, row by row, and puts them into solving order.
///
/// # Errors
/// As [`mdp::explore`](crate::explore()).
pub fn explore<G: RowGame>(game: &G, options: &ExploreOptions<'_>) -> Result<StateSpace<G::State>, ExploreError> {
    if game.row_length() <= 1 {
        return super::explore(game, options);
    }
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |threads| {
        RowExplorer::explored(game, budget, Wanted::States, threads, RowExplorer::enter_starts)?.finish()
    })
}

/// The same, with states stored by rows, which takes a fraction of the memory.
///
/// ```
/// use mdp::rows::{RowGame, explore_by_rows};
/// use mdp::{Distribution, ExploreOptions, Game, SolveOptions, Turn, solve};
///
/// /// A hundred rooms, in each of which a coin decides whether one of 20 points of health is lost.
/// struct Dungeon;
///
/// impl Game for Dungeon {
///     type State = (u8, u8);
///     type Action = ();
///     fn starts(&self) -> Vec<Distribution<(u8, u8)>> {
///         vec![Distribution::certain((0, 20))]
///     }
///     fn rules(&self, (room, health): &(u8, u8), turn: &mut Turn<(u8, u8)>) {
///         match (*room, *health) {
///             (_, 0) => turn.end(0),
///             (100, _) => turn.end(1),
///             (room, health) => turn.uniform([(room + 1, health), (room + 1, health - 1)]),
///         }
///     }
/// }
///
/// impl RowGame for Dungeon {
///     fn row_length(&self) -> u32 {
///         21
///     }
///     fn row_of(&self, (room, health): &(u8, u8)) -> ((u8, u8), u32) {
///         ((*room, 0), u32::from(*health))
///     }
///     fn in_row(&self, (room, _): &(u8, u8), position: u32) -> (u8, u8) {
///         (*room, position as u8)
///     }
///     fn rank(&self, (room, _): &(u8, u8)) -> u32 {
///         u32::from(*room)
///     }
/// }
///
/// let space = explore_by_rows(&Dungeon, &ExploreOptions::default())?;
/// let solution = solve(space.model(), &SolveOptions::default())?;
/// let unhurt = space.number_of(&(100, 0), 20).expect("can be reached");
/// assert_eq!(solution.value(unhurt).decimal(), 1.0);
/// assert!(solution.value_of(&space.starts()[0]).decimal() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`explore`].
pub fn explore_by_rows<G: RowGame>(game: &G, options: &ExploreOptions<'_>) -> Result<RowSpace<G::State>, ExploreError> {
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |threads| {
        RowExplorer::explored(game, budget, Wanted::Rows, threads, RowExplorer::enter_starts)?.finish_rows()
    })
}
