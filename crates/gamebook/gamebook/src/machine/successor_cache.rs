//! What follows an answer in a row, or chance in one, remembered by what that depends on.
//!
//! A stake is won or lost alike whatever lies in the backpack. Which registers count is learned from what was read and
//! written on all the ways that play can go then; the others are kept or forgotten, as each place says where they lead.

use mdp::rows::{Checkpoint, RecordedRow, RowTurns};
use rustc_hash::FxHashMap;

use crate::passes::{Dependences, Depends};
use crate::program::State;

/// What follows so many answers, and so many outcomes of them, is remembered by a thread: some megabytes.
const MOST_FOLLOWED: usize = 1 << 12;
const MOST_OUTCOMES: usize = 1 << 18;
/// What leads to more rows than this is not remembered.
const MOST_ROWS: usize = 32;

/// Of what is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RequestedLanes {
    /// The positions of the row at hand, a bit for each.
    pub positions: u32,
    /// The stage in which it is.
    pub stage: usize,
}

/// The key of what the registers hold on which it depends, and of what is requested.
type Key = (State, RequestedLanes);

/// A row to which choices lead, as far as it depends on some registers, and the bits of others that come there as they were.
#[derive(Clone, Copy, Debug)]
struct To {
    known: State,
    passed: State,
}

/// What follows an answer.
#[derive(Debug)]
struct Entry {
    rows: Vec<To>,
    recorded: RecordedRow<String>,
}

/// What follows answers, as far as a thread has found it out.
#[derive(Default)]
pub(super) struct Followed {
    /// The registers on which it depends what follows an answer that leads to a place.
    depends: Dependences,
    known: FxHashMap<Key, usize>,
    entries: Vec<Entry>,
    /// How many outcomes they have.
    outcomes: usize,
    /// The numbers of rows.
    rows: Vec<u32>,
    way: Way,
}

/// What is seen on the ways that follow an answer.
#[derive(Default)]
struct Way {
    is_followed: bool,
    /// On what they depend.
    depends: Depends,
    /// The rows that were come to, by their numbers, each with the bits that come there as they were.
    rows: Vec<(u32, State)>,
    /// Not all is known on which they depend.
    is_given_up: bool,
}

impl Followed {
    pub(super) fn clear(&mut self) {
        self.depends.clear();
        self.known.clear();
        self.entries.clear();
        self.outcomes = 0;
        self.way = Way::default();
    }

    /// Says what follows an answer, if that is known; `row` is that of the states right after it.
    pub(super) fn again(
        &mut self,
        row: &State,
        requested: RequestedLanes,
        turns: &mut RowTurns<State, String>,
    ) -> bool {
        let Self { depends, known, entries, rows, .. } = self;
        for (depends, key) in depends.keys(row) {
            let Some(entry) = known.get(&(key, requested)) else { continue };
            let Entry { rows: to, recorded } = &entries[*entry];
            rows.clear();
            rows.extend(to.iter().map(|to| turns.row(&to.known.beside(&depends.touched, &to.passed, row))));
            turns.again(recorded, rows);
            return true;
        }
        false
    }

    /// From here on what is seen belongs to the way that follows an answer.
    pub(super) fn begin(&mut self) {
        let Way { is_followed, depends, rows, is_given_up } = &mut self.way;
        (*is_followed, *depends, *is_given_up) = (true, Depends::default(), false);
        rows.clear();
    }

    /// On what the way depends.
    pub(super) fn depends(&mut self) -> &mut Depends {
        &mut self.way.depends
    }

    /// What the way depends on is not known.
    pub(super) fn give_up(&mut self) {
        self.way.is_given_up = true;
    }

    /// Play settles in the row with this number; these bits come there as they were, if nothing touches them.
    pub(super) fn comes_to(&mut self, row: u32, passed: State) {
        let Way { is_followed, rows, .. } = &mut self.way;
        if *is_followed && rows.len() <= MOST_ROWS && !rows.iter().any(|(known, _)| *known == row) {
            rows.push((row, passed));
        }
    }

    /// The way that followed an answer is over. What was recorded on it since `checkpoint` is remembered.
    pub(super) fn end(
        &mut self,
        row: &State,
        requested: RequestedLanes,
        turns: &RowTurns<State, String>,
        checkpoint: Checkpoint,
    ) {
        let Self { depends, known, entries, outcomes, rows, way } = self;
        way.is_followed = false;
        if way.is_given_up || way.rows.len() > MOST_ROWS {
            return;
        }
        let Some((depends, key)) = depends.learn(row, &way.depends, &State::default()) else { return };
        rows.clear();
        rows.extend(way.rows.iter().map(|(row, _)| *row));
        let Some(recorded) = turns.since(checkpoint, rows) else { return };
        let to = |(number, passed): &(u32, State)| {
            let to = turns.named(*number);
            let known = to.only(&depends);
            debug_assert_eq!(known.beside(&depends, passed, row), *to);
            To { known, passed: *passed }
        };
        let rows = way.rows.iter().map(to).collect();
        if entries.len() >= MOST_FOLLOWED || *outcomes >= MOST_OUTCOMES {
            known.clear();
            entries.clear();
            *outcomes = 0;
        }
        *outcomes += recorded.outcomes();
        known.insert((key, requested), entries.len());
        entries.push(Entry { rows, recorded });
    }
}
