//! The states that are found first: a look at a game that is too large to be explored.

use budget::{Budget, Stage, Stopped};
use rustc_hash::FxHashSet;

use crate::game::{Game, Turn};

/// The first `most` states of a game, breadth first from its starts; fewer where there are no more. What the rules say
/// is not checked.
///
/// ```
/// use budget::Budget;
/// use mdp::advanced::found_first;
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
/// assert_eq!(found_first(&Road, 4, &Budget::unlimited())?, [0, 1, 2, 3]);
/// # Ok::<(), budget::Stopped>(())
/// ```
///
/// # Errors
/// When the budget says stop.
pub fn found_first<G: Game>(game: &G, most: usize, budget: &Budget<'_>) -> Result<Vec<G::State>, Stopped> {
    let mut known: FxHashSet<G::State> = FxHashSet::default();
    let mut found: Vec<G::State> = Vec::new();
    let mut turn = Turn::new();
    let mut find = |state: &G::State, found: &mut Vec<G::State>| {
        if found.len() < most && known.insert(state.clone()) {
            found.push(state.clone());
        }
    };
    for start in game.starts() {
        start.iter().for_each(|(state, _)| find(state, &mut found));
    }
    let mut expanded = 0;
    while found.len() < most
        && let Some(state) = found.get(expanded)
    {
        turn.clear();
        game.rules(state, &mut turn);
        expanded += 1;
        for state in &turn.states {
            find(state, &mut found);
        }
        budget.step(Stage::Exploring, found.len() as u64, (found.len() - expanded) as u64)?;
        budget.memory((found.capacity() * 3 * size_of::<G::State>()) as u64)?;
    }
    Ok(found)
}
