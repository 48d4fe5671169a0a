//! Which rows are told next.

use std::collections::BTreeMap;
use std::ops::Range;

use super::found_rows::FoundRows;
use crate::game::Game;
use crate::row::InRow;

/// The states that have not been told, by the ranks of their rows.
#[derive(Default)]
pub(super) struct Agenda {
    waiting: BTreeMap<u32, Vec<InRow>>,
    /// The rank of each row.
    ranks: Vec<u32>,
}

impl Agenda {
    /// Learns the ranks of rows that are new.
    pub(super) fn learn<G: Game>(&mut self, game: &G, found: &FoundRows<G::State>) {
        let new = &found.rows()[self.ranks.len()..];
        self.ranks.extend(new.iter().map(|row| game.rank(row)));
    }

    /// Adds states that are to be told.
    pub(super) fn add(&mut self, states: &[InRow]) {
        // Those that follow each other are often of one rank.
        let rank = |state: &InRow| self.ranks[state.row as usize];
        for states in states.chunk_by(|left, right| rank(left) == rank(right)) {
            self.waiting.entry(rank(&states[0])).or_default().extend(states);
        }
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.waiting.values().map(|states| states.capacity() * size_of::<InRow>()).sum::<usize>()
            + self.ranks.capacity() * size_of::<u32>()
    }

    /// The rank of the states that are told next, if there are any.
    pub(super) fn rank_of_next(&self) -> Option<u32> {
        self.waiting.first_key_value().map(|(rank, _)| *rank)
    }

    /// Takes the states that are told next, about so many and all of one rank: those of a row stand together.
    pub(super) fn next(&mut self, about: usize, batch: &mut Vec<InRow>) {
        batch.clear();
        let Some(mut first) = self.waiting.first_entry() else { return };
        let waiting = first.get_mut();
        // The first stand last.
        waiting.sort_unstable_by(|left, right| right.cmp(left));
        let row = |place: usize| waiting[place].row;
        let mut begin = waiting.len().saturating_sub(about.max(1));
        while begin > 0 && row(begin - 1) == row(begin) {
            begin -= 1;
        }
        batch.extend(waiting.drain(begin..).rev());
        if waiting.is_empty() {
            first.remove();
        }
    }
}

/// Cuts a batch into about so many pieces, rows whole.
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

/// The rows of states that stand together.
pub(super) fn rows(states: &[InRow]) -> impl Iterator<Item = &[InRow]> {
    states.chunk_by(|left, right| left.row == right.row)
}
