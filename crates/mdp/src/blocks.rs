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
    /// The same of the next states.
    next: Vec<u32>,
    next_moves: Vec<u32>,
}

impl<'a> BlockWriter<'a> {
    /// So many `states` are going to be written, in about so many `words`: what grows on the way would be there twice.
    pub(crate) fn new(weights: &'a WeightTable, states: usize, words: usize) -> Self {
        let mut offsets = Vec::with_capacity(states + 1);
        offsets.push(0);
        let words = Vec::with_capacity(words);
        Self {
            weights,
            offsets,
            words,
            first: Vec::new(),
            moves: Vec::new(),
            lanes: 0,
            next: Vec::new(),
            next_moves: Vec::new(),
        }
    }

    /// The next so many states say what these words do, in which no chance node is shared. `number` says which number the
    /// target has that stands in a word, for the first of them and those after it; `follow` whether those of a target that
    /// moves follow each other.
    pub(crate) fn write(
        &mut self,
        words: &[u32],
        lanes: u32,
        number: impl Fn(u32, u32) -> StateId,
        follow: impl Fn(u32) -> bool,
    ) {
        if self.read(words, lanes > 1, |word| number(word, 0), follow) {
            return self.take(lanes);
        }
        for lane in 0..lanes {
            self.read(words, false, |word| number(word, lane), |_| true);
            self.take(1);
        }
    }

    /// Reads what the next states say; says whether it is the same for all of them.
    fn read(
        &mut self,
        words: &[u32],
        several: bool,
        number: impl Fn(u32) -> StateId,
        follow: impl Fn(u32) -> bool,
    ) -> bool {
        self.next.clear();
        self.next_moves.clear();
        let mut rest = words;
        while let [header, after @ ..] = rest {
            let (targets, after) = after.split_at(targets_of(self.weights, *header));
            self.next.push(*header);
            self.next_moves.push(0);
            for word in targets {
                let moves = if several { word & MOVES } else { 0 };
                if moves != 0 && !follow(*word) {
                    return false;
                }
                self.next.push(number(*word));
                self.next_moves.push(moves);
            }
            rest = after;
        }
        true
    }

    /// Takes what was read to the block at hand, or begins another with it.
    fn take(&mut self, lanes: u32) {
        if !self.goes_on(lanes) {
            self.end_block();
            std::mem::swap(&mut self.first, &mut self.next);
            std::mem::swap(&mut self.moves, &mut self.next_moves);
        }
        self.lanes += lanes;
    }

    /// Whether the next states say what those of the block at hand say. Which targets move is seen from two states.
    fn goes_on(&mut self, more: u32) -> bool {
        let Self { weights, first, moves, lanes, next, next_moves, .. } = self;
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
                let same_way = more == 1 || moves[at] == next_moves[at];
                if !same_way || next[at] != first[at] + if moves[at] == 0 { 0 } else { *lanes } {
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
