//! Writes streams in which states with the same choices share a run: a block of [`Code`](crate::code::Code).

use std::ops::Range;

use budget::Stopped;
use rayon::prelude::*;

use super::stream::Code;
use super::weights::WeightTable;
use super::words::{BLOCK, CHANCE, KIND, MOVES, StateId};
use crate::support::{FEW_STATES, filled, id};

/// Writes one state after another, in blocks that are as long as possible, however the states were grouped before.
#[derive(Debug)]
pub(crate) struct BlockWriter<'a> {
    weights: &'a WeightTable,
    /// The first state that is written.
    start: StateId,
    /// Where the words of each state end.
    ends: &'a mut [u64],
    /// How many of them have been written.
    written: usize,
    words: Vec<u32>,
    /// The words of the first state of the current block, and for each whether it moves with the states: [`MOVES`] or
    /// 0.
    first: Vec<u32>,
    moves: Vec<u32>,
    lanes: u32,
    /// The same for the next states.
    next: Vec<u32>,
    next_moves: Vec<u32>,
}

impl<'a> BlockWriter<'a> {
    /// With room for this many words.
    fn new(weights: &'a WeightTable, words: usize) -> Self {
        Self {
            weights,
            start: 0,
            ends: &mut [],
            written: 0,
            words: Vec::with_capacity(words),
            first: Vec::new(),
            moves: Vec::new(),
            lanes: 0,
            next: Vec::new(),
            next_moves: Vec::new(),
        }
    }

    /// The next states have these words, in which no chance node is shared. `number` gives the number of the target
    /// that a word stands for, for the first of the states and those after it; `moving`, of a target that moves, the
    /// first of these numbers: with [`MOVES`] if they are consecutive, without if they are all the same, `None`
    /// otherwise.
    pub(crate) fn write(
        &mut self,
        words: &[u32],
        lanes: u32,
        number: impl Fn(u32, u32) -> StateId,
        moving: impl Fn(u32) -> Option<(StateId, u32)>,
    ) {
        let several = |word: u32| if word & MOVES == 0 { Some((number(word, 0), 0)) } else { moving(word) };
        if lanes > 1 && self.read(words, several) {
            return self.take(lanes);
        }
        for lane in 0..lanes {
            self.read(words, |word| Some((number(word, lane), 0)));
            self.take(1);
        }
    }

    /// Reads the words of the next states: `number` gives the number of a target and whether it moves, unless that
    /// differs among them.
    fn read(&mut self, words: &[u32], number: impl Fn(u32) -> Option<(StateId, u32)>) -> bool {
        self.next.clear();
        self.next_moves.clear();
        let mut rest = words;
        while let [header, after @ ..] = rest {
            let (targets, after) = after.split_at(targets_of(self.weights, *header));
            self.next.push(*header);
            self.next_moves.push(0);
            for word in targets {
                let Some((number, moves)) = number(*word) else { return false };
                self.next.push(number);
                self.next_moves.push(moves);
            }
            rest = after;
        }
        true
    }

    /// Adds what was read to the current block, or begins another with it.
    fn take(&mut self, lanes: u32) {
        if !self.goes_on(lanes) {
            self.end_block();
            std::mem::swap(&mut self.first, &mut self.next);
            std::mem::swap(&mut self.moves, &mut self.next_moves);
        }
        self.lanes += lanes;
    }

    /// Whether the next states have the same choices as those of the current block. The first two states determine
    /// which targets move.
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

    /// Writes nothing for the next states, not even where their words begin, which is never needed.
    pub(crate) fn skip(&mut self, states: u32) {
        self.end_block();
        self.written += states as usize;
        // The next states begin here.
        if let Some(last) = self.ends[..self.written].last_mut() {
            *last = self.words.len() as u64;
        }
    }

    /// Ends the current block: the next state begins another.
    fn end_block(&mut self) {
        let Self { start, ends, written, words, first, moves, lanes, .. } = self;
        let begin = words.len() as u64;
        if *lanes > 1 {
            words.extend([BLOCK | *lanes, *start + id(*written), id(first.len())]);
            words.extend(first.iter().zip(moves).map(|(word, moves)| word | *moves));
        } else {
            words.extend_from_slice(first);
        }
        // All states of a block begin where the first of them does.
        if let Some((last, others)) = ends[*written..*written + *lanes as usize].split_last_mut() {
            others.fill(begin);
            *last = words.len() as u64;
        }
        *written += *lanes as usize;
        *lanes = 0;
        first.clear();
    }

    /// Appends the words written here to those of the states before.
    fn put_after(&mut self, before: &mut Vec<u32>) {
        let length = before.len() as u64;
        self.ends.iter_mut().for_each(|end| *end += length);
        before.extend_from_slice(&self.words);
    }

    /// Clears what was written, keeps the memory: these states come next.
    fn begin(&mut self, start: StateId, ends: &'a mut [u64]) {
        self.start = start;
        self.ends = ends;
        self.written = 0;
        self.words.clear();
    }
}

/// Writes all states of a stream, run after run; no block extends beyond a run. Several threads write pieces in
/// parallel, with the same result. `write` writes a run, and may count its steps in each piece, to check a budget after
/// some of them. `words` is the expected length of the stream, and `tables` are those to which the words refer.
pub(crate) fn write_runs(
    tables: Code,
    words: usize,
    runs: &[Range<StateId>],
    write: impl Fn(&mut u32, usize, &mut BlockWriter<'_>) -> Result<(), Stopped> + Sync,
) -> Result<Code, Stopped> {
    /// The fewest states of a piece.
    const PIECE: usize = 1 << 12;
    /// Pieces for each thread that are written before they are put together.
    const AT_ONCE: usize = 8;
    let states = runs.last().map_or(0, |run| run.end);
    let write_piece = |runs: Range<usize>, writer: &mut BlockWriter<'_>| {
        let mut steps = 0;
        for run in runs {
            write(&mut steps, run, writer)?;
            writer.end_block();
        }
        Ok(())
    };
    let weights = &tables.weights;
    // Some blocks are split by the new order. Growing the vector would need it twice; memory that is never written to
    // costs nothing.
    let words = words + words / 4;
    let mut offsets = filled(0, states as usize + 1);
    let mut all;
    let threads = rayon::current_num_threads();
    if threads == 1 || states as usize <= FEW_STATES {
        let mut writer = BlockWriter::new(weights, words);
        writer.begin(0, &mut offsets[1..]);
        write_piece(0..runs.len(), &mut writer)?;
        all = writer.words;
    } else {
        let mut pieces = Vec::new();
        let mut begin = 0;
        for (at, run) in runs.iter().enumerate() {
            let states = runs[begin].start..run.end;
            if at + 1 == runs.len() || states.len() >= PIECE {
                pieces.push((begin..at + 1, states));
                begin = at + 1;
            }
        }
        all = Vec::with_capacity(words);
        let mut rest = &mut offsets[1..];
        // While some pieces are put together, the next are written.
        let writers = || (0..pieces.len().min(AT_ONCE * threads)).map(|_| BlockWriter::new(weights, 0)).collect();
        let (mut writing, mut written): (Vec<BlockWriter<'_>>, Vec<BlockWriter<'_>>) = (writers(), writers());
        let mut done = 0;
        for pieces in pieces.chunks(AT_ONCE * threads) {
            for ((_, states), writer) in pieces.iter().zip(&mut writing) {
                let (ends, after) = rest.split_at_mut(states.len());
                rest = after;
                writer.begin(states.start, ends);
            }
            let write =
                |((runs, _), writer): (&(Range<usize>, _), &mut BlockWriter<'_>)| write_piece(runs.clone(), writer);
            let write = || pieces.par_iter().zip(&mut writing).try_for_each(write);
            let put = || written[..done].iter_mut().for_each(|writer| writer.put_after(&mut all));
            let ((), result) = rayon::join(put, write);
            result?;
            std::mem::swap(&mut writing, &mut written);
            done = pieces.len();
        }
        written[..done].iter_mut().for_each(|writer| writer.put_after(&mut all));
    }
    all.shrink_to_fit();
    Ok(Code { offsets, words: all, ..tables })
}

/// How many targets follow a header.
fn targets_of(weights: &WeightTable, header: u32) -> usize {
    if header & KIND == CHANCE { weights.count(header) } else { 0 }
}
