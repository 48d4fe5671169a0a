//! Which rows are expanded next.

use std::collections::BTreeMap;
use std::ops::Range;

use super::discovered_rows::DiscoveredRows;
use crate::game::{InRow, RowGame};
use crate::order::emitted::Fresh;
use crate::support::{BITS, bits, id};

/// The states that have been discovered but not expanded, by the ranks of their rows.
pub(super) struct Frontier {
    queues: BTreeMap<u32, RankQueue>,
    /// The rank of each row.
    ranks: Vec<u32>,
    /// For each row the positions in the frontier, this many words each.
    positions: Vec<u64>,
    width: usize,
}

/// The rows of one rank with states that have not been expanded, each once.
///
/// Where play has cycles within a rank, expanding some of its states adds others to it, again and again: sorting all of
/// them each time would take ever longer.
#[derive(Default)]
struct RankQueue {
    /// Added since the last sorting, in no order.
    added: Vec<u32>,
    /// Each sorted, with the first row last, and at most half as long as the one before.
    runs: Vec<Vec<u32>>,
}

impl RankQueue {
    /// Sorts what was added.
    fn sort(&mut self) {
        if self.added.is_empty() {
            return;
        }
        let mut run = std::mem::take(&mut self.added);
        run.sort_unstable_by(|left, right| right.cmp(left));
        while let Some(last) = self.runs.pop_if(|last| last.len() < 2 * run.len()) {
            run = merged(last, run);
        }
        self.runs.push(run);
    }

    /// Takes the first row. What was added must have been sorted.
    fn pop_first(&mut self) -> Option<u32> {
        let lasts = self.runs.iter_mut().filter_map(|run| Some((*run.last()?, run)));
        let (first, run) = lasts.min_by_key(|(last, _)| *last)?;
        run.pop();
        Some(first)
    }

    fn is_empty(&self) -> bool {
        self.added.is_empty() && self.runs.iter().all(Vec::is_empty)
    }

    fn bytes(&self) -> usize {
        let rows = self.added.capacity() + self.runs.iter().map(Vec::capacity).sum::<usize>();
        rows * size_of::<u32>()
    }
}

/// Two sorted runs merged into one.
fn merged(left: Vec<u32>, right: Vec<u32>) -> Vec<u32> {
    let mut both = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(from_left), Some(from_right)) = (left.peek(), right.peek()) {
        let next = if from_left > from_right { left.next() } else { right.next() };
        both.extend(next);
    }
    both.extend(left);
    both.extend(right);
    both
}

impl Frontier {
    /// For rows of at most `length` positions.
    pub(super) fn new(length: u32) -> Self {
        let width = (length as usize).div_ceil(BITS);
        Self { queues: BTreeMap::new(), ranks: Vec::new(), positions: Vec::new(), width }
    }

    /// Asks the game for the ranks of new rows.
    pub(super) fn learn<G: RowGame>(&mut self, game: &G, discovered: &DiscoveredRows<G::State>) {
        let new = &discovered.rows()[self.ranks.len()..];
        self.ranks.extend(new.iter().map(|row| game.rank(row)));
        self.positions.resize(self.ranks.len() * self.width, 0);
    }

    /// Adds states to the frontier.
    pub(super) fn add(&mut self, states: impl IntoIterator<Item = Fresh>) {
        for Fresh { word, bits } in states {
            let word = word as usize;
            let row = word / self.width;
            let first = row * self.width;
            if self.positions[first..first + self.width].iter().all(|word| *word == 0) {
                self.queues.entry(self.ranks[row]).or_default().added.push(id(row));
            }
            self.positions[word] |= bits;
        }
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        let queues = self.queues.values().map(RankQueue::bytes).sum::<usize>();
        queues + self.ranks.capacity() * size_of::<u32>() + self.positions.capacity() * size_of::<u64>()
    }

    /// The rank of the next states, if there are any.
    pub(super) fn rank_of_next(&self) -> Option<u32> {
        self.queues.first_key_value().map(|(rank, _)| *rank)
    }

    /// Takes about `about` states: the first ones in order, all of one rank, those of a row together.
    pub(super) fn next(&mut self, about: usize, batch: &mut Vec<InRow>) {
        batch.clear();
        let Some(mut queues) = self.queues.first_entry() else { return };
        let own = queues.get_mut();
        own.sort();
        while batch.len() < about.max(1)
            && let Some(row) = own.pop_first()
        {
            let first = row as usize * self.width;
            for (word_index, word) in (0..).zip(&mut self.positions[first..first + self.width]) {
                let queues = bits(std::mem::take(word));
                batch.extend(queues.map(|bit| InRow { row, position: word_index * u64::BITS + bit }));
            }
        }
        own.runs.retain(|run| !run.is_empty());
        if own.is_empty() {
            queues.remove();
        }
    }
}

/// Splits a batch into about `pieces` pieces without splitting rows.
pub(super) fn pieces(batch: &[InRow], pieces: usize) -> Vec<Range<usize>> {
    let size = batch.len().div_ceil(pieces);
    let mut chunks = Vec::with_capacity(pieces);
    let mut from = 0;
    while from < batch.len() {
        let mut to = batch.len().min(from + size);
        while to < batch.len() && batch[to].row == batch[to - 1].row {
            to += 1;
        }
        chunks.push(from..to);
        from = to;
    }
    chunks
}

/// The states of a batch, row by row.
pub(super) fn rows(states: &[InRow]) -> impl Iterator<Item = &[InRow]> {
    states.chunk_by(|left, right| left.row == right.row)
}

#[cfg(test)]
mod tests;
