//! The graph of rows: the successor rows of each row, whatever the positions.

use std::ops::Range;

use rayon::prelude::*;

use crate::model::{Code, StateId};
use crate::order::emitted::{InOrder, Numbered};
use crate::support::to_index;

/// The rows of a stream, whose states are consecutive, and the successor rows of each.
#[derive(Debug)]
pub(crate) struct RowGraph {
    rows: InOrder,
    next: Successors,
}

/// The successors of some rows, one row after another.
#[derive(Debug, Default)]
struct Successors {
    /// The end of each row's successors in `rows`.
    ends: Vec<u64>,
    rows: Vec<u32>,
    /// The successors of the current row.
    own: Vec<u32>,
}

/// Appends a target, unless it is among the last few: consecutive outcomes often have the same target. Entries before
/// `from` belong to another list.
#[inline]
pub(crate) fn push_new(targets: &mut Vec<u32>, from: usize, target: u32) {
    if !targets[from..].iter().rev().take(4).any(|known| *known == target) {
        targets.push(target);
    }
}

impl Successors {
    /// Adds a successor to the current row.
    #[inline]
    fn add(&mut self, row: u32) {
        push_new(&mut self.own, 0, row);
    }

    /// Ends the current row.
    fn end(&mut self) {
        self.own.sort_unstable();
        self.own.dedup();
        self.rows.append(&mut self.own);
        self.ends.push(self.rows.len() as u64);
    }

    fn begin_of(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| to_index(self.ends[before]))
    }

    /// Appends the successors of other rows.
    fn append(&mut self, other: &Self) {
        let before = self.rows.len() as u64;
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.rows.extend_from_slice(&other.rows);
    }
}

impl RowGraph {
    /// The successors of each row; `tables` are those to which the words refer.
    pub(crate) fn new(emitted: &Numbered<'_>, rows: InOrder, tables: &Code) -> Self {
        /// Rows that a thread takes at a time.
        const PIECE: usize = 1 << 11;
        let runs: Vec<Range<StateId>> = rows.first.windows(2).map(|two| two[0]..two[1]).collect();
        let piece = |runs: &[Range<StateId>]| {
            let mut next = Successors::default();
            for states in runs {
                let mut first = states.start;
                while first < states.end {
                    let own = emitted.block_states(states.end - first, |lane| first + lane);
                    for word in tables.choices_in(own.words).flat_map(|choice| choice.targets.words) {
                        next.add(rows.position[emitted.row(*word) as usize]);
                    }
                    first += own.lanes;
                }
                next.end();
            }
            next
        };
        let mut pieces = runs.par_chunks(PIECE).map(piece).collect::<Vec<_>>().into_iter();
        let mut next = pieces.next().unwrap_or_default();
        pieces.for_each(|piece| next.append(&piece));
        Self { rows, next }
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.first.len() - 1
    }

    /// How many states there are.
    pub(crate) fn count(&self) -> StateId {
        self.rows.first.last().copied().unwrap_or(0)
    }

    /// The states of a row.
    #[inline]
    pub(crate) fn states(&self, row: u32) -> Range<StateId> {
        self.rows.first[row as usize]..self.rows.first[row as usize + 1]
    }

    /// For each row, in the order of discovery, its position in this graph.
    pub(super) fn positions(&self) -> &[u32] {
        &self.rows.position
    }

    /// The range of the successors of a row, each once.
    pub(super) fn next_of(&self, row: u32) -> Range<usize> {
        self.next.begin_of(row as usize)..self.next.begin_of(row as usize + 1)
    }

    /// The successor at an index.
    #[inline]
    pub(super) fn next_at(&self, index: usize) -> u32 {
        self.next.rows[index]
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        let next = self.next.ends.capacity() * size_of::<u64>() + self.next.rows.capacity() * size_of::<u32>();
        (self.rows.first.capacity() + self.rows.position.capacity()) * size_of::<u32>() + next
    }
}
