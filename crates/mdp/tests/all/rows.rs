//! Games that know the rows of their states against the same games told state by state.

use crate::common::{Table, listing, table};
use mdp::{Counts, Distribution, ExploreOptions, Game, RowTurns, StateId, StateSpace, Turn, explore};
use proptest::prelude::*;

/// A table from its first state, four states a row, whose ranks say nothing of where play leads.
struct Rows {
    table: Table,
    /// The state is said alone, not with its row.
    alone: bool,
}

impl Game for Rows {
    type State = usize;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<usize>> {
        vec![Distribution::certain(0), Distribution::certain(self.table.states.len() - 1)]
    }

    fn rules(&self, state: &usize, turn: &mut Turn<usize>) {
        self.table.rules(state, turn);
    }

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

/// What is said of each state, with states by their names.
fn said(space: &StateSpace<usize>) -> Vec<(usize, String)> {
    let name = |state: &StateId| *space.state(*state);
    let mut said: Vec<(usize, String)> = (0..space.model().states())
        .map(|state| {
            let (payoff, choices) = listing(space.model(), state);
            let choices: Vec<_> = choices
                .iter()
                .map(|(targets, weights)| (targets.iter().map(name).collect::<Vec<_>>(), weights))
                .collect();
            (name(&state), format!("{payoff:?} {choices:?}"))
        })
        .collect();
    said.sort();
    said
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn rows_change_nothing(table in table(true, 1)) {
        let options = |threads| ExploreOptions::default().with_threads(threads);
        let alone = Rows { table: table.clone(), alone: true };
        let expected = explore(&alone, &options(1)).expect("explored");
        let rows = Rows { table, alone: false };
        let one = explore(&rows, &options(1)).expect("explored");
        let three = explore(&rows, &options(3)).expect("explored");
        prop_assert_eq!(said(&one), said(&expected));
        // Rows share what they have in common in their own way, and keep together.
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

/// So many rooms one after another, and what is left of the health: enough for many batches.
struct Rooms(u32);

impl Game for Rooms {
    type State = (u32, u32);
    type Action = ();

    fn starts(&self) -> Vec<Distribution<(u32, u32)>> {
        vec![Distribution::certain((0, 30))]
    }

    fn rules(&self, (room, health): &(u32, u32), turn: &mut Turn<(u32, u32)>) {
        match (*room, *health) {
            (_, 0) => turn.end(0),
            (room, _) if room == self.0 => turn.end(1),
            (room, health) => turn.uniform(
                [0, 1, 2]
                    .map(|loss| (room + 1 + loss, health.saturating_sub(loss)))
                    .map(|(room, health)| (room.min(self.0), health)),
            ),
        }
    }

    fn row_length(&self) -> u32 {
        31
    }

    fn row_of(&self, (room, health): &(u32, u32)) -> ((u32, u32), u32) {
        ((*room, 0), *health)
    }

    fn in_row(&self, (room, _): &(u32, u32), position: u32) -> (u32, u32) {
        (*room, position)
    }
}

#[test]
fn many_batches() {
    let explored =
        |threads| explore(&Rooms(3_000), &ExploreOptions::default().with_threads(threads)).expect("explored");
    let (one, two): (StateSpace<_>, StateSpace<_>) = (explored(1), explored(2));
    assert!(one.states().len() > 60_000, "{}", one.states().len());
    assert_eq!(one.states(), two.states());
    assert_eq!(one.model().counts(), two.model().counts());
}
