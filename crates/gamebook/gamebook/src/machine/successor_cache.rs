//! A cache of the successors of an answer, or of a chance, in a row.
//!
//! Winning or losing a stake does not depend on the backpack. Which registers count is learned from those read and written on
//! all paths after the answer; the others are kept or cleared, as the place of each target says.

use mdp::rows::{Checkpoint, RecordedRow, RowTurns};
use rustc_hash::FxHashMap;

use crate::passes::{ReadSet, ReadSets};
use crate::program::State;

/// The most cached answers, and the most outcomes of them, of a thread: a few megabytes.
const MOST_FOLLOWED: usize = 1 << 12;
const MOST_OUTCOMES: usize = 1 << 18;
/// Answers with more targets are not cached.
const MOST_ROWS: usize = 32;

/// The lanes that the engine requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RequestedLanes {
    /// The positions of the row, one bit each.
    pub positions: u32,
    /// The stage of the row.
    pub stage: usize,
}

/// The cache key: the values of the registers read, and the lanes requested.
type Key = (State, RequestedLanes);

/// A target: the registers that are known, and the bits of the others that are copied.
#[derive(Clone, Copy, Debug)]
struct To {
    known: State,
    passed: State,
}

/// The successors of an answer.
#[derive(Debug)]
struct Entry {
    rows: Vec<To>,
    recorded: RecordedRow<String>,
}

/// The cache of a thread.
#[derive(Default)]
pub(super) struct SuccessorCache {
    /// The registers on which the successors of an answer depend.
    depends: ReadSets,
    known: FxHashMap<Key, usize>,
    entries: Vec<Entry>,
    /// The number of cached outcomes.
    outcomes: usize,
    /// Buffer for the numbers of rows.
    rows: Vec<u32>,
    way: Way,
}

/// The paths after an answer, as they are recorded.
#[derive(Default)]
struct Way {
    is_followed: bool,
    /// The registers on which they depend.
    depends: ReadSet,
    /// The rows reached, by number, each with the bits that are copied.
    rows: Vec<(u32, State)>,
    /// Not all registers are known.
    is_given_up: bool,
}

impl SuccessorCache {
    pub(super) fn clear(&mut self) {
        self.depends.clear();
        self.known.clear();
        self.entries.clear();
        self.outcomes = 0;
        self.way = Way::default();
    }

    /// Emits the cached successors of an answer; returns whether there were any. `row` is that of the states right after it.
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

    /// Starts recording the paths after an answer.
    pub(super) fn begin(&mut self) {
        let Way { is_followed, depends, rows, is_given_up } = &mut self.way;
        (*is_followed, *depends, *is_given_up) = (true, ReadSet::default(), false);
        rows.clear();
    }

    /// The registers on which the recorded paths depend.
    pub(super) fn depends(&mut self) -> &mut ReadSet {
        &mut self.way.depends
    }

    /// Marks the recording as incomplete.
    pub(super) fn give_up(&mut self) {
        self.way.is_given_up = true;
    }

    /// Records that play stops in the row with this number, with the bits that are copied if no step touches them.
    pub(super) fn comes_to(&mut self, row: u32, passed: State) {
        let Way { is_followed, rows, .. } = &mut self.way;
        if *is_followed && rows.len() <= MOST_ROWS && !rows.iter().any(|(known, _)| *known == row) {
            rows.push((row, passed));
        }
    }

    /// Ends the recording and caches what was emitted since `checkpoint`.
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
