//! Rows: states that are alike but for one small number, said together.

use std::hash::Hash;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::game::Turn;
use crate::places::id;
use crate::space::hash_of;

/// A next state by its row and its position there; the row is a number that [`RowTurns::row`] gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InRow {
    /// Which row.
    pub row: u32,
    /// Where in the row, from 0.
    pub position: u32,
}

/// What several states of one row say of themselves: a [`Turn`] each, in which next states are [`InRow`]. Reused for all rows,
/// so saying it allocates nothing once its buffers have grown.
#[derive(Debug)]
pub struct RowTurns<S, A = ()> {
    /// The rows to which the choices lead, each once.
    rows: Vec<S>,
    hashes: Vec<u64>,
    known: HashTable<u32>,
    turns: Vec<Turn<InRow, A>>,
    /// For games that say a state alone.
    alone: Turn<S, A>,
}

/// Up to here a row is found by going through all.
const FEW: usize = 8;

impl<S, A> Default for RowTurns<S, A> {
    fn default() -> Self {
        Self { rows: Vec::new(), hashes: Vec::new(), known: HashTable::new(), turns: Vec::new(), alone: Turn::new() }
    }
}

impl<S: Clone + Eq + Hash, A> RowTurns<S, A> {
    /// Forgets everything, keeps the memory; so many states are to be said.
    pub(crate) fn clear(&mut self, states: usize) {
        self.rows.clear();
        self.hashes.clear();
        self.known.clear();
        if self.turns.len() < states {
            self.turns.resize_with(states, Turn::new);
        }
        self.turns[..states].iter_mut().for_each(Turn::clear);
    }

    /// The number of a row to which choices lead, as [`InRow`] wants it.
    pub fn row(&mut self, row: &S) -> u32 {
        let hash = hash_of(row);
        let Self { rows, hashes, known, .. } = self;
        if rows.len() <= FEW {
            if let Some(known) = (0..).zip(&*hashes).find(|(at, own)| **own == hash && rows[*at as usize] == *row) {
                return known.0;
            }
            if rows.len() == FEW {
                for (at, hash) in (0..).zip(&*hashes) {
                    known.insert_unique(*hash, at, |other| hashes[*other as usize]);
                }
            }
        }
        let new = id(rows.len());
        if rows.len() >= FEW {
            let same = |other: &u32| hashes[*other as usize] == hash && rows[*other as usize] == *row;
            match known.entry(hash, same, |other| hashes[*other as usize]) {
                Entry::Occupied(known) => return *known.get(),
                Entry::Vacant(free) => {
                    free.insert(new);
                }
            }
        }
        rows.push(row.clone());
        hashes.push(hash);
        new
    }

    /// What the state says that was asked for at this place.
    ///
    /// # Panics
    /// When fewer states were asked for.
    pub fn turn(&mut self, place: usize) -> &mut Turn<InRow, A> {
        &mut self.turns[place]
    }

    /// Adds to what the state says that was asked for at this place what is said with states, not rows. `row_of` splits a state into its row and
    /// its position.
    ///
    /// # Panics
    /// When fewer states were asked for.
    pub fn alone(&mut self, place: usize, rules: impl FnOnce(&mut Turn<S, A>), row_of: impl Fn(&S) -> (S, u32)) {
        let mut alone = std::mem::take(&mut self.alone);
        alone.clear();
        rules(&mut alone);
        let mut turn = std::mem::take(&mut self.turns[place]);
        turn.append(&mut alone, |state| {
            let (row, position) = row_of(state);
            InRow { row: self.row(&row), position }
        });
        self.turns[place] = turn;
        self.alone = alone;
    }

    /// The rows to which the choices lead, by their numbers, with their hashes.
    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = (&S, u64)> {
        self.rows.iter().zip(self.hashes.iter().copied())
    }

    pub(crate) fn said(&self, place: usize) -> &Turn<InRow, A> {
        &self.turns[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_one_number() {
        let mut turns: RowTurns<u32> = RowTurns::default();
        for _ in 0..2 {
            turns.clear(1);
            for row in (0..40).chain(0..40).chain([39, 7, 0]) {
                assert_eq!(turns.row(&(row * 3)), row);
            }
            assert_eq!(turns.rows().len(), 40);
        }
    }
}
