//! From rules to a state space: every state that can be reached, breadth first.
//!
//! The states waiting to be expanded are cut into pieces that threads expand side by side; what
//! they found is then joined in the order of the pieces. So a state's number depends on the rules
//! only, not on the number of threads nor on who was faster.

mod chunk;
mod discovered;
mod error;
mod explorer;
mod limits;
mod merge;
mod options;
mod prefix;
pub(crate) mod rows;
mod shared_nodes;

pub use error::ExploreError;
pub(crate) use error::shown;
pub use options::ExploreOptions;
pub use prefix::found_first;

use budget::Budget;

use crate::game::Game;
use crate::model::StateSpace;
use crate::support::in_pool;
use explorer::Explorer;

/// Finds every state of `game` that can be reached from its starts, and puts them into solving
/// order.
///
/// # Errors
/// When the budget says stop ([`ExploreError::Stopped`], which says how far it came), or when the rules
/// contradict themselves.
pub fn explore<G: Game>(game: &G, options: &ExploreOptions<'_>) -> Result<StateSpace<G::State>, ExploreError> {
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |threads| Explorer::explored(game, budget, threads)?.finish())
}
