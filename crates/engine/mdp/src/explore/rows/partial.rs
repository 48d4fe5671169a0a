//! Exploration of a game in parts, from sets of states.

use std::hash::Hash;

use budget::Budget;

use super::discovered_rows::DiscoveredRows;
use super::row_explorer::{Between, RowExplorer, Wanted};
use super::row_set::RowSet;
use super::row_space::RowSpace;
use crate::explore::{ExploreError, ExploreOptions};
use crate::game::RowGame;
use crate::model::StateId;
use crate::support::{id, in_pool};

/// The first states of a game, and their successors: the result of [`explore_part`].
#[derive(Debug)]
pub struct FirstPart<S> {
    discovered: DiscoveredRows<S>,
    rank: Option<u32>,
}

impl<S: Clone + Eq + Hash + Ord> FirstPart<S> {
    /// The discovered states in rows that `of` accepts.
    pub fn states(&self, of: impl Fn(&S) -> bool) -> RowSet<S> {
        let rows = (0..).zip(self.discovered.rows()).filter(|(_, row)| of(row));
        RowSet::of_rows(
            self.discovered.slots.length(),
            rows.map(|(at, row)| (row.clone(), self.discovered.slots.reached(at))).collect(),
        )
    }

    /// How many states were discovered.
    pub fn len(&self) -> StateId {
        id(self.discovered.slots.states())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The smallest rank of a state that was not expanded; `None` when all were.
    pub fn rank(&self) -> Option<u32> {
        self.rank
    }
}

/// Explores a game from these states in the order of its ranks, and stops between two ranks (of the states expanded
/// last, and of the next ones) where `may_end` accepts it, once `enough` states have been expanded, or half of all
/// state numbers are in use. However many starts there are, each part gets that far. A game without rows is explored as
/// a whole.
///
/// ```
/// use mdp::rows::{RowGame, RowSet, explore_part, explore_rows};
/// use mdp::{Distribution, ExploreOptions, Game, SolveOptions, Turn, solve};
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
/// }
///
/// impl RowGame for Dungeon {
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
/// let first = RowSet::of(21, [((0, 0), 20)]);
/// let part = explore_part(&Dungeon, &first, 5_000, &|_, _| true, &ExploreOptions::default())?;
/// let rank = part.rank().expect("there is more");
/// assert!(rank < 1000 && part.len() >= 5_000);
/// // What the rest of the dungeon is begun with.
/// let begun = part.states(|(room, _)| u32::from(*room) >= rank);
/// assert_eq!(begun.len(), 21);
/// let rest = explore_rows(&Dungeon, &begun, &ExploreOptions::default())?;
/// let solution = solve(rest.model(), &SolveOptions::default())?;
/// assert_eq!(solution.value(rest.number_of(&(1000, 0), 3).expect("can be reached")).decimal(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`mdp::explore`](crate::explore()).
pub fn explore_part<G: RowGame<State: Ord>>(
    game: &G,
    starts: &RowSet<G::State>,
    enough: usize,
    may_end: &(dyn Fn(u32, u32) -> bool + Sync),
    options: &ExploreOptions<'_>,
) -> Result<FirstPart<G::State>, ExploreError> {
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |threads| {
        let mut explorer = RowExplorer::new(game, budget, Wanted::Discovered);
        explorer.enter_rows(starts);
        let mut rank = None;
        explorer.expand(threads, &mut |Between { expanded, half_full, last, next }| {
            let ends = game.row_length() > 1 && (expanded >= enough || half_full) && may_end(last, next);
            rank = ends.then_some(next);
            ends
        })?;
        Ok(FirstPart { discovered: explorer.into_discovered(), rank })
    })
}

/// Explores a game from these states, each of which is a start, and stores states by rows.
///
/// # Errors
/// As [`mdp::explore`](crate::explore()).
pub fn explore_rows<G: RowGame<State: Ord>>(
    game: &G,
    starts: &RowSet<G::State>,
    options: &ExploreOptions<'_>,
) -> Result<RowSpace<G::State>, ExploreError> {
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |threads| {
        let enter = |explorer: &mut RowExplorer<'_, G>| {
            explorer.enter_rows(starts);
            Ok(())
        };
        RowExplorer::explored(game, budget, Wanted::Rows, threads, enter)?.finish_rows()
    })
}
