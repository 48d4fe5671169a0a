//! Writing streams in which states that say the same share a run: a block of [`Code`](crate::model::Code).

use crate::model::{BLOCK, CHANCE, KIND, MOVES, StateId};
use crate::places::id;
use crate::weights::WeightTable;

/// Writes one state after another: blocks that are as long as can be, whoever has found out what the states have in common.
#[derive(Debug)]
pub(crate) struct BlockWriter<'a> {
    weights: &'a WeightTable,
    offsets: Vec<u64>,
    words: Vec<u32>,
    /// The words of the first state of the block at hand, and what moves in them: [`MOVES`] or nothing for each.
    first: Vec<u32>,
    moves: Vec<u32>,
    lanes: u32,
    /// The words of the next state.
    next: Vec<u32>,
}

impl<'a> BlockWriter<'a> {
    /// So many `states` are going to be written, in about so many `words`: what grows on the way would be there twice.
    pub(crate) fn new(weights: &'a WeightTable, states: usize, words: usize) -> Self {
        let mut offsets = Vec::with_capacity(states + 1);
        offsets.push(0);
        let words = Vec::with_capacity(words);
        Self { weights, offsets, words, first: Vec::new(), moves: Vec::new(), lanes: 0, next: Vec::new() }
    }

    /// The next state says what these words do, in which no chance node is shared. `number` says which number the target has
    /// that stands in a word.
    pub(crate) fn write(&mut self, words: &[u32], number: impl Fn(u32) -> StateId) {
        self.next.clear();
        let mut rest = words;
        while let [header, after @ ..] = rest {
            let (targets, after) = after.split_at(targets_of(self.weights, *header));
            self.next.push(*header);
            self.next.extend(targets.iter().map(|word| number(*word)));
            rest = after;
        }
        if !self.goes_on() {
            self.end_block();
            std::mem::swap(&mut self.first, &mut self.next);
            self.moves.clear();
            self.moves.resize(self.first.len(), 0);
        }
        self.lanes += 1;
    }

    /// Whether the next state says what those of the block at hand say. Which targets move is seen from the first two.
    fn goes_on(&mut self) -> bool {
        let Self { weights, first, moves, lanes, next, .. } = self;
        if *lanes == 0 || first.len() != next.len() {
            return false;
        }
        let mut at = 0;
        while at < first.len() {
            if first[at] != next[at] {
                return false;
            }
            let targets = at + 1..at + 1 + targets_of(weights, first[at]);
            for at in targets.clone() {
                if *lanes == 1 {
                    moves[at] = if next[at] == first[at] { 0 } else { MOVES };
                }
                if next[at] != first[at] + if moves[at] == 0 { 0 } else { *lanes } {
                    return false;
                }
            }
            at = targets.end;
        }
        true
    }

    /// Ends the block at hand: the next state begins another.
    pub(crate) fn end_block(&mut self) {
        let Self { offsets, words, first, moves, lanes, .. } = self;
        if *lanes > 1 {
            words.extend([BLOCK | *lanes, id(offsets.len() - 1), id(first.len())]);
            words.extend(first.iter().zip(moves).map(|(word, moves)| word | *moves));
        } else {
            words.extend_from_slice(first);
        }
        let begin = offsets[offsets.len() - 1];
        offsets.extend((1..*lanes).map(|_| begin));
        if *lanes > 0 {
            offsets.push(words.len() as u64);
        }
        *lanes = 0;
        first.clear();
    }

    /// Where each state's words begin, and the words.
    pub(crate) fn finish(mut self) -> (Vec<u64>, Vec<u32>) {
        self.end_block();
        self.words.shrink_to_fit();
        (self.offsets, self.words)
    }
}

/// How many targets follow a header.
fn targets_of(weights: &WeightTable, header: u32) -> usize {
    if header & KIND == CHANCE { weights.count(header) } else { 0 }
}
