//! Games that know the rows of their states against the same games explored state by state.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::common::{Table, listing, table};
use budget::{Budget, Limits};
use mdp::rows::{RowGame, RowTurns, explore, explore_by_rows};
use mdp::{Counts, Distribution, ExploreOptions, Game, SolveOptions, StateId, StateSpace, Turn, solve};
use proptest::prelude::*;

/// A table from its first state, four states in a row, whose ranks are unrelated to where play leads.
struct Rows {
    table: Table,
    /// Whether a state is recorded alone, not with its row.
    alone: bool,
    /// How many states were expanded.
    expanded: AtomicU32,
    /// How many had been expanded at each notification of the end.
    ends: Mutex<Vec<u32>>,
}

impl Rows {
    fn new(table: Table, alone: bool) -> Self {
        Self { table, alone, expanded: AtomicU32::new(0), ends: Mutex::default() }
    }
}

impl Game for Rows {
    type State = usize;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<usize>> {
        vec![Distribution::certain(0), Distribution::certain(self.table.states.len() - 1)]
    }

    fn rules(&self, state: &usize, turn: &mut Turn<usize>) {
        self.expanded.fetch_add(1, Ordering::Relaxed);
        self.table.rules(state, turn);
    }

    fn exploration_finished(&self) {
        self.ends.lock().unwrap().push(self.expanded.load(Ordering::Relaxed));
    }
}

impl RowGame for Rows {
    fn row_length(&self) -> u32 {
        if self.alone { 1 } else { 4 }
    }

    fn row_of(&self, state: &usize) -> (usize, u32) {
        if self.alone { (*state, 0) } else { (state / 4 * 4, u32::try_from(state % 4).unwrap()) }
    }

    fn in_row(&self, row: &usize, position: u32) -> usize {
        row + position as usize
    }

    fn rank(&self, row: &usize) -> u32 {
        u32::try_from(row * 7 % 5).unwrap()
    }

    fn rules_of_row(&self, row: &usize, positions: &[u32], turns: &mut RowTurns<usize>) {
        assert!(positions.is_sorted_by(|left, right| left < right), "{positions:?}");
        for (place, position) in positions.iter().enumerate() {
            turns.alone(place, |turn| self.rules(&(row + *position as usize), turn), |next| self.row_of(next));
        }
    }
}

/// The rules of each state, by names of states.
fn listed(space: &StateSpace<usize>) -> Vec<(usize, String)> {
    let name = |state: &StateId| *space.state(*state);
    let mut list: Vec<(usize, String)> = (0..space.model().states())
        .map(|state| {
            let (payoff, choices) = listing(space.model(), state);
            let choices: Vec<_> = choices
                .iter()
                .map(|(targets, weights)| (targets.iter().map(name).collect::<Vec<_>>(), weights))
                .collect();
            (name(&state), format!("{payoff:?} {choices:?}"))
        })
        .collect();
    list.sort();
    list
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn rows_change_nothing(table in table(true, 1)) {
        let options = |threads| ExploreOptions::default().with_threads(threads);
        let alone = Rows::new(table.clone(), true);
        let expected = explore(&alone, &options(1)).expect("explored");
        let rows = Rows::new(table, false);
        let one = explore(&rows, &options(1)).expect("explored");
        let three = explore(&rows, &options(3)).expect("explored");
        prop_assert_eq!(listed(&one), listed(&expected));
        // Rows share rules in their own way, and stay together.
        let counts = |space: &StateSpace<usize>| Counts { outcomes: 0, levels: 0, ..space.model().counts() };
        prop_assert_eq!(counts(&one), counts(&expected));
        prop_assert!(one.model().counts().levels >= expected.model().counts().levels);
        prop_assert_eq!(one.states(), three.states());
        for state in 0..one.model().states() {
            prop_assert_eq!(listing(one.model(), state), listing(three.model(), state));
            prop_assert_eq!(one.number_of(one.state(state)), Some(state));
        }
        for (own, other) in one.starts().iter().zip(expected.starts()) {
            prop_assert_eq!(own.map(|state| *one.state(*state)), other.map(|state| *expected.state(*state)));
        }
    }
}

/// This many rooms one after another, and the remaining health: enough for many batches.
struct Dungeon {
    rooms: u32,
    health: u32,
    alone: bool,
}

impl Game for Dungeon {
    type State = (u32, u32);
    type Action = ();

    fn starts(&self) -> Vec<Distribution<(u32, u32)>> {
        vec![Distribution::certain((0, self.health))]
    }

    fn rules(&self, (room, health): &(u32, u32), turn: &mut Turn<(u32, u32)>) {
        match (*room, *health) {
            (_, 0) => turn.end(0),
            (room, _) if room == self.rooms => turn.end(1),
            (room, health) => turn.uniform(
                [0, 1, 2]
                    .map(|loss| (room + 1 + loss, health.saturating_sub(loss)))
                    .map(|(room, health)| (room.min(self.rooms), health)),
            ),
        }
    }
}

impl RowGame for Dungeon {
    fn row_length(&self) -> u32 {
        if self.alone { 1 } else { self.health + 1 }
    }

    fn row_of(&self, (room, health): &(u32, u32)) -> ((u32, u32), u32) {
        if self.alone { ((*room, *health), 0) } else { ((*room, 0), *health) }
    }

    fn in_row(&self, (room, health): &(u32, u32), position: u32) -> (u32, u32) {
        (*room, if self.alone { *health } else { position })
    }

    /// Long rows are complete before they are expanded.
    fn rank(&self, (room, _): &(u32, u32)) -> u32 {
        if self.health > 64 { *room } else { 0 }
    }
}

fn rooms(rooms: u32, health: u32, alone: bool, threads: usize) -> StateSpace<(u32, u32)> {
    let options = ExploreOptions::default().with_threads(threads);
    explore(&Dungeon { rooms, health, alone }, &options).expect("explored")
}

#[test]
fn many_batches() {
    let (one, two) = (rooms(3_000, 30, false, 1), rooms(3_000, 30, false, 2));
    assert!(one.states().len() > 60_000, "{}", one.states().len());
    assert_eq!(one.states(), two.states());
    assert_eq!(one.model().counts(), two.model().counts());
}

/// Rows longer than a word has bits.
#[test]
fn long_rows() {
    let (rows, alone) = (rooms(90, 200, false, 2), rooms(90, 200, true, 1));
    assert_eq!(rows.states().len(), alone.states().len());
    let solved = |space: &StateSpace<(u32, u32)>| solve(space.model(), &SolveOptions::exact()).expect("solvable");
    let (own, expected) = (solved(&rows), solved(&alone));
    let counts = rows.model().counts();
    assert!(counts.outcomes * 5 < counts.transitions, "{counts:?}");
    for (number, state) in (0..).zip(rows.states()) {
        let other = alone.number_of(state).expect("a state of both");
        assert_eq!(own.value(number).exact, expected.value(other).exact, "{state:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, ..ProptestConfig::default() })]

    /// A game is notified once that exploration has ended, and nothing is asked after that; also when a limit ended it.
    #[test]
    fn the_end_of_exploration_is_notified_once(table in table(true, 1), alone: bool, by_rows: bool, most in 1..20u64) {
        let budget = Budget::new(Limits { max_states: most, ..Limits::default() });
        let options = ExploreOptions::default().with_threads(2).with_budget(&budget);
        let game = Rows::new(table, alone);
        let found = if by_rows {
            explore_by_rows(&game, &options).map(|space| space.model().states())
        } else {
            explore(&game, &options).map(|space| space.model().states())
        };
        prop_assert!(found.is_err() || found.is_ok_and(|states| u64::from(states) <= most));
        prop_assert_eq!(game.ends.into_inner().unwrap(), [game.expanded.into_inner()]);
    }
}
