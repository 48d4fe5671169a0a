//! The states that are discovered first: a sample of a game that is too large to explore.

use budget::{Budget, Stage, Stopped};
use rustc_hash::FxHashSet;

use crate::game::{Game, Turn};

/// The first `most` states of a game, breadth first from its starts; fewer where there are no more. The rules are not
/// checked for errors.
///
/// ```
/// use budget::Budget;
/// use mdp::advanced::explore_prefix;
/// use mdp::{Distribution, Game, Turn};
///
/// /// Everyone moves on, for ever.
/// struct Road;
///
/// impl Game for Road {
///     type State = u64;
///     type Action = ();
///     fn starts(&self) -> Vec<Distribution<u64>> {
///         vec![Distribution::certain(0)]
///     }
///     fn rules(&self, state: &u64, turn: &mut Turn<u64>) {
///         turn.uniform([state + 1, state + 2]);
///     }
/// }
///
/// assert_eq!(explore_prefix(&Road, 4, &Budget::unlimited())?, [0, 1, 2, 3]);
/// # Ok::<(), budget::Stopped>(())
/// ```
///
/// # Errors
/// When the budget stops the run.
pub fn explore_prefix<G: Game>(game: &G, most: usize, budget: &Budget<'_>) -> Result<Vec<G::State>, Stopped> {
    let mut known: FxHashSet<G::State> = FxHashSet::default();
    let mut discovered: Vec<G::State> = Vec::new();
    let mut turn = Turn::new();
    let mut find = |state: &G::State, discovered: &mut Vec<G::State>| {
        if discovered.len() < most && known.insert(state.clone()) {
            discovered.push(state.clone());
        }
    };
    for start in game.starts() {
        start.iter().for_each(|(state, _)| find(state, &mut discovered));
    }
    let mut expanded = 0;
    while discovered.len() < most
        && let Some(state) = discovered.get(expanded)
    {
        turn.clear();
        game.rules(state, &mut turn);
        expanded += 1;
        for state in &turn.states {
            find(state, &mut discovered);
        }
        budget.step(Stage::Exploring, discovered.len() as u64, (discovered.len() - expanded) as u64)?;
        budget.memory((discovered.capacity() * 3 * size_of::<G::State>()) as u64)?;
    }
    Ok(discovered)
}
