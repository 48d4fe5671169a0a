//! Where rows of states lead: to which other rows, whatever the positions.

use std::ops::Range;

use rayon::prelude::*;

use crate::model::{Code, StateId};
use crate::order::emitted::{InOrder, Numbered};
use crate::support::place;

/// The rows of a stream, whose states follow each other, and to which rows each leads.
#[derive(Debug)]
pub(crate) struct RowGraph {
    rows: InOrder,
    next: Successors,
}

/// To which rows some rows lead, one after another.
#[derive(Debug, Default)]
struct Successors {
    /// Where in `rows` those of each row end.
    ends: Vec<u64>,
    rows: Vec<u32>,
    /// Those of the row at hand.
    own: Vec<u32>,
}

/// Appends where an outcome leads, unless one of those just before it does: outcomes one after another often lead to the same.
/// Those before `from` belong to somebody else.
#[inline]
pub(crate) fn push_new(targets: &mut Vec<u32>, from: usize, target: u32) {
    if !targets[from..].iter().rev().take(4).any(|known| *known == target) {
        targets.push(target);
    }
}

impl Successors {
    /// The row at hand leads to this one.
    #[inline]
    fn add(&mut self, row: u32) {
        push_new(&mut self.own, 0, row);
    }

    /// The row at hand is over.
    fn end(&mut self) {
        self.own.sort_unstable();
        self.own.dedup();
        self.rows.append(&mut self.own);
        self.ends.push(self.rows.len() as u64);
    }

    fn begin_of(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| place(self.ends[before]))
    }

    /// Those of the rows here, and after them those of the rows there.
    fn append(&mut self, other: &Self) {
        let before = self.rows.len() as u64;
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.rows.extend_from_slice(&other.rows);
    }
}

impl RowGraph {
    /// To which rows each row leads; `tables` are what the words are about.
    pub(crate) fn new(told: &Numbered<'_>, rows: InOrder, tables: &Code) -> Self {
        /// Rows that a thread looks at without being asked for the next ones.
        const PIECE: usize = 1 << 11;
        let runs: Vec<Range<StateId>> = rows.first.windows(2).map(|two| two[0]..two[1]).collect();
        let piece = |runs: &[Range<StateId>]| {
            let mut next = Successors::default();
            for states in runs {
                let mut first = states.start;
                while first < states.end {
                    let own = told.together(states.end - first, |lane| first + lane);
                    for word in tables.choices_in(own.words).flat_map(|choice| choice.targets.words) {
                        next.add(rows.place[told.row(*word) as usize]);
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

    /// The row of this graph that each row is which was found, in the order in which they were found.
    pub(super) fn places(&self) -> &[u32] {
        &self.rows.place
    }

    /// Where those stand to which a row leads, each once.
    pub(super) fn next_of(&self, row: u32) -> Range<usize> {
        self.next.begin_of(row as usize)..self.next.begin_of(row as usize + 1)
    }

    /// The row at such a place.
    #[inline]
    pub(super) fn next_at(&self, place: usize) -> u32 {
        self.next.rows[place]
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        let next = self.next.ends.capacity() * size_of::<u64>() + self.next.rows.capacity() * size_of::<u32>();
        (self.rows.first.capacity() + self.rows.place.capacity()) * size_of::<u32>() + next
    }
}
