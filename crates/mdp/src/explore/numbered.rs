//! From slots to numbers: the states of a row follow each other, and rows as they were told first.

use std::hash::Hash;
use std::ops::Range;

use super::found_rows::{FoundRows, InOrder, Numbers};
use super::runs::Runs;
use crate::blocks::{BlockWriter, Written, write_runs};
use crate::model::{Code, StateId, target};
use crate::order::{RowGraph, Successors};
use crate::places::inverse;

/// What was told, block by block.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    /// The slots of the states in the order in which they were told.
    pub(super) slots: &'a [u32],
    /// Where in `slots` the states of each block begin; one more entry than blocks.
    pub(super) blocks: &'a [u32],
    /// What they said, with slots for targets.
    pub(super) runs: &'a Runs,
}

impl Told<'_> {
    /// The block of what stands at a place in `slots`. It is looked for near `guess` first.
    fn block(&self, at: u32, guess: usize) -> usize {
        let is = |block: &usize| self.blocks[*block] <= at && at < self.blocks[*block + 1];
        let near = [guess, guess + 1].into_iter().filter(|block| block + 1 < self.blocks.len());
        near.into_iter().find(is).unwrap_or_else(|| self.blocks.partition_point(|first| *first <= at) - 1)
    }
}

/// What is known of a piece while it is written.
#[derive(Default)]
struct Piece {
    next: Successors,
    /// The last block.
    block: usize,
}

/// The same stream with numbers in place of slots, state by state in the order of those; and its rows.
pub(super) fn numbered<S: Clone + Eq + Hash + Sync>(
    tables: Code,
    told: Told<'_>,
    found: &FoundRows<S>,
    numbers: &Numbers,
    rows: InOrder,
) -> (Code, RowGraph) {
    let slots = told.slots;
    // Where each state was told, by its number.
    let told_at = inverse(slots.len(), |at| numbers.of(found, found.place(slots[at])));
    let runs: Vec<Range<StateId>> = rows.first.windows(2).map(|two| two[0]..two[1]).collect();
    let write = |piece: &mut Piece, run: usize, writer: &mut BlockWriter<'_>| {
        let states = &runs[run];
        let mut next = states.start;
        while next < states.end {
            let at = told_at[next as usize];
            piece.block = told.block(at, piece.block);
            let (first, end) = (told.blocks[piece.block], told.blocks[piece.block + 1]);
            let run = &told_at[next as usize..states.end as usize];
            let lanes = (1..end - at).find(|lane| run.get(*lane as usize) != Some(&(at + lane))).unwrap_or(end - at);
            let words = told.runs.run(piece.block);
            let number = |word: u32, lane: u32| {
                // They are in one row.
                let distance = slots[(at + lane) as usize] - slots[first as usize];
                numbers.of(found, found.place(target(word, distance)))
            };
            // Numbers of a row grow with the positions: as many as these states are from first to last, they follow each other.
            let follow = |word: u32| number(word, lanes - 1) - number(word, 0) == lanes - 1;
            writer.write(words, lanes, number, follow);
            for choice in tables.choices_in(words) {
                for word in choice.targets.words {
                    piece.next.add(rows.place[found.place(target(*word, 0)).row as usize]);
                }
            }
            next += lanes;
        }
        piece.next.end();
        Ok::<(), std::convert::Infallible>(())
    };
    let Ok(Written { offsets, words, kept }) = write_runs(&tables.weights, told.runs.words(), &runs, write);
    let next = kept.into_iter().map(|piece| piece.next).collect();
    (Code { offsets, words, ..tables }, RowGraph::new(rows.first, next))
}
