//! Groups of states in a row that are handled at once.

use std::ops::Range;

use mdp::rows::{InRow, RowTarget};

use crate::passes::ReadSet;
use crate::program::State;

/// Consecutive requested states of a row that have taken the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LaneGroup {
    /// The index of the first state among those requested.
    pub from: u32,
    pub to: u32,
    /// The position of the first state.
    pub position: u32,
    /// Whether the others have kept their distance to it; otherwise all are at that position.
    pub moves: bool,
}

/// The target of a group of states.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneTargets {
    pub from: u32,
    pub to: u32,
    pub next: RowTarget,
}

impl LaneGroup {
    /// All requested states.
    pub(super) fn of_all(own: &[u32]) -> Option<Self> {
        let to = u32::try_from(own.len()).ok()?;
        own.first().map(|position| Self { from: 0, to, position: *position, moves: true })
    }

    /// The position of one of its states; `own` are the positions in the row requested.
    #[inline]
    pub(super) fn at(&self, own: &[u32], state: u32) -> u32 {
        self.position + if self.moves { own[state as usize] - own[self.from as usize] } else { 0 }
    }

    /// The group after its position was kept or cleared.
    pub(super) fn kept(self, keeps: bool) -> Self {
        if keeps { self } else { Self { position: 0, moves: false, ..self } }
    }

    /// The group as the target in the row with this number.
    pub(super) fn to_row(self, row: u32) -> LaneTargets {
        let Self { from, to, position, moves } = self;
        LaneTargets { from, to, next: RowTarget { first: InRow { row, position }, moves } }
    }
}

/// Adds a state to the last group if it fits, else as a new one.
#[inline]
pub(super) fn join(groups: &mut Vec<LaneGroup>, own: &[u32], state: u32, position: u32) {
    if let Some(last) = groups.last_mut().filter(|last| last.to == state) {
        let alone = last.to == last.from + 1;
        let moved = last.position + own[state as usize] - own[last.from as usize];
        if (alone || last.moves) && position == moved || (alone || !last.moves) && position == last.position {
            last.moves = position == moved;
            last.to += 1;
            return;
        }
    }
    groups.push(LaneGroup { from: state, to: state + 1, position, moves: false });
}

/// The rows at which states stop, each with its groups of states.
#[derive(Debug, Default)]
pub(super) struct Stops {
    /// The registers that decide where they stop.
    pub depends: ReadSet,
    /// Those beyond `count` are spare.
    rows: Vec<(State, Vec<LaneGroup>)>,
    count: usize,
}

impl Stops {
    /// Removes all rows but keeps their memory.
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.depends = ReadSet::default();
    }

    /// The index of a row, which is added if it is new.
    pub(super) fn of(&mut self, row: &State) -> usize {
        self.rows[..self.count].iter().position(|(own, _)| own == row).unwrap_or_else(|| {
            if self.rows.len() == self.count {
                self.rows.push(<(State, Vec<LaneGroup>)>::default());
            }
            let (own, groups) = &mut self.rows[self.count];
            *own = *row;
            groups.clear();
            self.count += 1;
            self.count - 1
        })
    }

    /// The groups in the row at an index.
    pub(super) fn groups(&mut self, place: usize) -> &mut Vec<LaneGroup> {
        &mut self.rows[place].1
    }

    /// All rows with their groups.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&State, &[LaneGroup])> {
        self.rows[..self.count].iter().map(|(row, groups)| (row, &groups[..]))
    }
}

/// Consecutive states grouped by their targets.
pub(super) fn targets_by_row(own: &[u32], states: Range<u32>, next: impl Fn(u32) -> InRow) -> Vec<LaneTargets> {
    let mut targets: Vec<(u32, Vec<LaneGroup>)> = Vec::new();
    for state in states {
        let InRow { row, position } = next(state);
        match targets.last_mut().filter(|(known, _)| *known == row) {
            Some((_, groups)) => join(groups, own, state, position),
            None => {
                let mut groups = Vec::new();
                join(&mut groups, own, state, position);
                targets.push((row, groups));
            }
        }
    }
    targets.iter().flat_map(|(row, groups)| groups.iter().map(|group| group.to_row(*row))).collect()
}
