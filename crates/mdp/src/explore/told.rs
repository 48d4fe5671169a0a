//! What was told of states, block by block, and their numbers: the states of a row follow each other, and rows as they were
//! told first.

use std::hash::Hash;
use std::ops::Range;

use rayon::prelude::*;

use super::found_rows::{FoundRows, InOrder, Numbers};
use super::runs::Runs;
use crate::model::{Code, StateId, target};
use crate::order::{self, RowGraph, Successors, together};
use crate::places::inverse;

/// What was told of the states that were found.
pub(super) struct ToldRows<'a, S> {
    found: &'a FoundRows<S>,
    numbers: &'a Numbers,
    /// The slots of the states in the order in which they were told.
    slots: &'a [u32],
    /// Where in `slots` the states of each block begin; one more entry than blocks.
    blocks: &'a [u32],
    /// What they said, with slots for targets.
    runs: &'a Runs,
    /// Where in `slots` each state stands, by its number.
    places: Vec<u32>,
}

impl<'a, S: Clone + Eq + Hash + Sync> ToldRows<'a, S> {
    pub(super) fn new(
        found: &'a FoundRows<S>,
        numbers: &'a Numbers,
        slots: &'a [u32],
        blocks: &'a [u32],
        runs: &'a Runs,
    ) -> Self {
        let places = inverse(slots.len(), |at| numbers.of(found, found.place(slots[at])));
        Self { found, numbers, slots, blocks, runs, places }
    }

    /// To which rows each row leads, by their places in the order of numbers. `tables` are what the words are about.
    pub(super) fn row_graph(&self, rows: InOrder, tables: &Code) -> RowGraph {
        /// Rows that a thread looks at without being asked for the next ones.
        const PIECE: usize = 1 << 11;
        let runs: Vec<Range<StateId>> = rows.first.windows(2).map(|two| two[0]..two[1]).collect();
        let piece = |runs: &[Range<StateId>]| {
            let mut next = Successors::default();
            let mut guess = 0;
            for states in runs {
                let mut first = states.start;
                while first < states.end {
                    let own = together(self, states.end - first, |lane| first + lane, &mut guess);
                    for word in tables.choices_in(own.words).flat_map(|choice| choice.targets.words) {
                        next.add(rows.place[self.found.place(target(*word, 0)).row as usize]);
                    }
                    first += own.lanes;
                }
                next.end();
            }
            next
        };
        let next = runs.par_chunks(PIECE).map(piece).collect();
        RowGraph::new(rows.first, next)
    }

    /// Bytes in use, beside what was found.
    pub(super) fn bytes(&self) -> u64 {
        let lists = size_of_val(self.slots) + size_of_val(self.blocks) + size_of_val(&self.places[..]);
        self.runs.bytes() + lists as u64
    }
}

impl<S: Clone + Eq + Hash + Sync> order::Told for ToldRows<'_, S> {
    fn words(&self) -> usize {
        self.runs.words()
    }

    #[inline]
    fn place(&self, state: StateId) -> u32 {
        self.places[state as usize]
    }

    #[inline]
    fn block(&self, place: u32, guess: &mut usize) -> (Range<u32>, &[u32]) {
        let is = |block: &usize| self.blocks[*block] <= place && place < self.blocks[*block + 1];
        let near = [*guess, *guess + 1].into_iter().filter(|block| block + 1 < self.blocks.len());
        let block = near.into_iter().find(is);
        *guess = block.unwrap_or_else(|| self.blocks.partition_point(|first| *first <= place) - 1);
        (self.blocks[*guess]..self.blocks[*guess + 1], self.runs.run(*guess))
    }

    #[inline]
    fn target(&self, word: u32, first: u32, place: u32) -> StateId {
        // They are in one row.
        let distance = self.slots[place as usize] - self.slots[first as usize];
        self.numbers.of(self.found, self.found.place(target(word, distance)))
    }
}
