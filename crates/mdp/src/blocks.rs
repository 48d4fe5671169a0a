//! Writing streams in which states that say the same share a run: a block of [`Code`](crate::model::Code).

use std::ops::Range;

use crate::model::{BLOCK, CHANCE, KIND, MOVES, StateId};
use crate::places::id;
use crate::weights::WeightTable;

/// Writes one state after another, blocks as long as their targets keep together.
#[derive(Debug)]
pub(crate) struct BlockWriter<'a> {
    weights: &'a WeightTable,
    pub(crate) offsets: Vec<u64>,
    pub(crate) words: Vec<u32>,
}

impl<'a> BlockWriter<'a> {
    pub(crate) fn new(weights: &'a WeightTable, states: usize) -> Self {
        let mut offsets = Vec::with_capacity(states + 1);
        offsets.push(0);
        Self { weights, offsets, words: Vec::new() }
    }

    fn states(&self) -> StateId {
        id(self.offsets.len() - 1)
    }

    /// The next states are these lanes of a block with these words. `number` says which number the target has that stands
    /// in a word for a lane.
    pub(crate) fn write(&mut self, words: &[u32], lanes: Range<u32>, number: impl Fn(u32, u32) -> StateId) {
        let mut from = lanes.start;
        while from < lanes.end {
            let mut to = lanes.end;
            targets(self.weights, words, |word| {
                if word & MOVES != 0 && to > from + 1 {
                    let first = number(word, from);
                    to = (from + 1..to).find(|lane| number(word, *lane) != first + (lane - from)).unwrap_or(to);
                }
            });
            self.piece(words, from, to - from, &number);
            from = to;
        }
    }

    fn piece(&mut self, words: &[u32], lane: u32, lanes: u32, number: impl Fn(u32, u32) -> StateId) {
        let moves = if lanes > 1 {
            self.words.extend([BLOCK | lanes, self.states(), id(words.len())]);
            MOVES
        } else {
            0
        };
        let mut rest = words;
        while let [header, after @ ..] = rest {
            self.words.push(*header);
            let targets = if *header & KIND == CHANCE { self.weights.count(*header) } else { 0 };
            let (targets, after) = after.split_at(targets);
            self.words.extend(targets.iter().map(|word| number(*word, lane) | (word & moves)));
            rest = after;
        }
        let end = self.words.len() as u64;
        for _ in 1..lanes {
            self.offsets.push(self.offsets[self.offsets.len() - 1]);
        }
        self.offsets.push(end);
    }
}

/// Goes through the targets in the words of a run in which no chance node is shared.
fn targets(weights: &WeightTable, words: &[u32], mut each: impl FnMut(u32)) {
    let mut rest = words;
    while let [header, after @ ..] = rest {
        let targets = if *header & KIND == CHANCE { weights.count(*header) } else { 0 };
        let (targets, after) = after.split_at(targets);
        for word in targets {
            each(*word);
        }
        rest = after;
    }
}
