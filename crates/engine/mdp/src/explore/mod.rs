//! From rules to a state space: every state that can be reached, breadth first.
//!
//! The frontier is split into pieces that threads expand in parallel, leaving new states unnumbered; the results are
//! joined in the order of the pieces. So a state's number depends on the rules only, neither on the number of threads
//! nor on their speed.
//!
//! Two exceptions number a new state at once: exploration with one thread, and a frontier so small that one thread expands it
//! sooner than others wake up (estimated from the states before). The numbers are the same in both cases.
//!
//! States lie in one vector; the hash table holds only their numbers. Equal chance nodes are stored once; the search
//! for them stops, by a rule that depends on the nodes alone, in games where it saves less than it costs. The budget is
//! checked between batches, against the most memory that the next batch can need.

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
pub use prefix::explore_prefix;

use budget::Budget;

use crate::game::Game;
use crate::model::StateSpace;
use crate::support::in_pool;
use explorer::Explorer;

/// Finds every state of `game` that can be reached from its starts, and puts them into solving
/// order.
///
/// # Errors
/// When the budget stops the run ([`ExploreError::Stopped`], with the progress so far), or when the rules contradict
/// themselves.
pub fn explore<G: Game>(game: &G, options: &ExploreOptions<'_>) -> Result<StateSpace<G::State>, ExploreError> {
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |threads| Explorer::explored(game, budget, threads)?.finish())
}
