//! From rules to a state space: every state that can be reached, breadth first.
//!
//! The states waiting to be expanded are cut into pieces that threads expand side by side; what
//! they found is then joined in the order of the pieces. So a state's number depends on the rules
//! only, not on the number of threads nor on who was faster.
//!
//! Where play leads from smaller ranks to larger ones, a game that is too large for memory can be explored part by part
//! ([`explore_part`]).

mod chunk;
mod discovered;
mod discovered_rows;
mod error;
mod explorer;
mod frontier;
mod limits;
mod merge;
mod options;
mod partial;
mod prefix;
mod row_explorer;
mod row_set;
mod row_space;
mod sections;
mod shared_nodes;
mod worker;

pub use error::ExploreError;
pub use options::ExploreOptions;
pub use partial::{FirstPart, explore_part, explore_rows};
pub use prefix::found_first;
pub use row_set::RowSet;
pub use row_space::RowSpace;

use budget::Budget;

use crate::game::Game;
use crate::model::StateSpace;
use crate::support::in_pool;
use explorer::Explorer;
use row_explorer::{RowExplorer, Wanted};

/// Finds every state of `game` that can be reached from its starts, and puts them into solving
/// order.
///
/// # Errors
/// When the budget says stop ([`ExploreError::Stopped`], which says how far it came), or when the rules
/// contradict themselves.
pub fn explore<G: Game>(game: &G, options: &ExploreOptions<'_>) -> Result<StateSpace<G::State>, ExploreError> {
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |threads| {
        if game.row_length() > 1 {
            RowExplorer::explored(game, budget, Wanted::States, threads, RowExplorer::enter_starts)?.finish()
        } else {
            Explorer::explored(game, budget, threads)?.finish()
        }
    })
}

/// The same, with states kept by rows: of a game that has them they take a fraction of the memory.
///
/// ```
/// use mdp::{Distribution, ExploreOptions, Game, SolveOptions, Turn, explore_by_rows, solve};
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
pub fn explore_by_rows<G: Game>(game: &G, options: &ExploreOptions<'_>) -> Result<RowSpace<G::State>, ExploreError> {
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |threads| {
        RowExplorer::explored(game, budget, Wanted::Rows, threads, RowExplorer::enter_starts)?.finish_rows()
    })
}
