//! Which rows are told next.

use std::collections::BTreeMap;
use std::ops::Range;

use super::found_rows::FoundRows;
use crate::game::Game;
use crate::row::InRow;

/// The states that have not been told, by the ranks of their rows.
#[derive(Default)]
pub(super) struct Agenda {
    waiting: BTreeMap<u32, Waiting>,
    /// The rank of each row.
    ranks: Vec<u32>,
}

/// The states of one rank that have not been told.
///
/// Where play goes round in a rank, telling some of its states adds others to it, again and again: to sort all of them each
/// time would take ever longer.
#[derive(Default)]
struct Waiting {
    /// In no order, since they were last asked for.
    added: Vec<InRow>,
    /// Each in order, the first state last, and at most half as long as the one before.
    runs: Vec<Vec<InRow>>,
}

impl Waiting {
    /// Brings into order what was added.
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

    /// The first state, and the run in which it stands.
    fn first(&self) -> Option<(InRow, usize)> {
        let lasts = self.runs.iter().zip(0..).filter_map(|(run, own)| run.last().map(|last| (*last, own)));
        lasts.min()
    }

    /// Takes about so many states, the first ones in order, the rows whole.
    fn take(&mut self, about: usize, batch: &mut Vec<InRow>) {
        self.sort();
        while let Some((first, run)) = self.first() {
            let full = batch.len() >= about.max(1);
            if full && batch.last().is_some_and(|last| last.row != first.row) {
                break;
            }
            self.runs[run].pop();
            batch.push(first);
        }
        self.runs.retain(|run| !run.is_empty());
    }

    fn is_empty(&self) -> bool {
        self.added.is_empty() && self.runs.is_empty()
    }

    fn bytes(&self) -> usize {
        let states = self.added.capacity() + self.runs.iter().map(Vec::capacity).sum::<usize>();
        states * size_of::<InRow>()
    }
}

/// Two runs as one.
fn merged(left: Vec<InRow>, right: Vec<InRow>) -> Vec<InRow> {
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
            self.waiting.entry(rank(&states[0])).or_default().added.extend(states);
        }
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.waiting.values().map(Waiting::bytes).sum::<usize>() + self.ranks.capacity() * size_of::<u32>()
    }

    /// The rank of the states that are told next, if there are any.
    pub(super) fn rank_of_next(&self) -> Option<u32> {
        self.waiting.first_key_value().map(|(rank, _)| *rank)
    }

    /// Takes the states that are told next, about so many and all of one rank: those of a row stand together.
    pub(super) fn next(&mut self, about: usize, batch: &mut Vec<InRow>) {
        batch.clear();
        let Some(mut first) = self.waiting.first_entry() else { return };
        first.get_mut().take(about, batch);
        if first.get().is_empty() {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever is added between, it comes out as if all that waits were sorted each time.
        #[test]
        fn states_come_in_order(
            steps in prop::collection::vec((prop::collection::vec((0..30u32, 0..4u32), 0..60), 0..25usize), 1..20),
        ) {
            let (mut waiting, mut all) = (Waiting::default(), Vec::new());
            for (added, about) in steps {
                let mut added: Vec<InRow> = added.into_iter().map(|(row, position)| InRow { row, position }).collect();
                added.retain(|state| !all.contains(state));
                added.sort_unstable_by_key(|state| u32::MAX - state.row);
                added.dedup();
                waiting.added.extend(&added);
                all.extend(added);
                all.sort_unstable();
                let mut taken = Vec::new();
                waiting.take(about, &mut taken);
                let mut end = about.max(1).min(all.len());
                while end < all.len() && end > 0 && all[end].row == all[end - 1].row {
                    end += 1;
                }
                let expected: Vec<InRow> = all.drain(..end).collect();
                prop_assert_eq!(taken, expected);
                prop_assert_eq!(waiting.is_empty(), all.is_empty());
                prop_assert!(!waiting.runs.iter().any(Vec::is_empty));
            }
        }
    }
}
