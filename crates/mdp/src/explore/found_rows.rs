//! The rows that have been found, and which of their states.

use std::hash::Hash;

use super::found::Found;
use crate::model::{MOST_STATES, StateId};
use crate::places::{bits, id};
use crate::row::InRow;

/// Positions that one word of a set tells of.
pub(super) const BITS: usize = u64::BITS as usize;

/// The rows that have been found, and which of their states. While a game is explored, a state's number is its *slot*: all
/// positions of all rows one after another.
#[derive(Debug)]
pub(super) struct FoundRows<S> {
    /// How many states a row has at most.
    length: u32,
    /// The bits of a slot that tell the position.
    bits: u32,
    rows: Found<S>,
    /// For each row the positions that have been found, so many words each.
    reached: Vec<u64>,
    width: usize,
    states: usize,
}

impl<S: Clone + Eq + Hash> FoundRows<S> {
    pub(super) fn new(length: u32) -> Self {
        let width = (length as usize).div_ceil(BITS);
        let bits = length.next_power_of_two().trailing_zeros();
        Self { length, bits, rows: Found::default(), reached: Vec::new(), width, states: 0 }
    }

    /// How many states there are.
    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// All rows, by number.
    pub(super) fn rows(&self) -> &[S] {
        self.rows.all()
    }

    /// The number of a row that has been found.
    #[inline]
    pub(super) fn known_row(&self, row: &S, hash: u64) -> Option<u32> {
        self.rows.known(row, hash)
    }

    /// The number of a row, the next free one if it is new.
    pub(super) fn row(&mut self, row: S, hash: u64) -> u32 {
        let number = self.rows.number(row, hash);
        self.reached.resize(self.rows.len() * self.width, 0);
        number
    }

    /// Whether there are more positions than have slots.
    pub(super) fn is_too_large(&self) -> bool {
        self.positions() > u64::from(MOST_STATES)
    }

    /// Whether half of all slots are taken.
    pub(super) fn is_half_full(&self) -> bool {
        self.positions() > u64::from(MOST_STATES / 2)
    }

    fn positions(&self) -> u64 {
        (self.rows.len() as u64) << self.bits
    }

    /// The slot of a position.
    #[inline]
    pub(super) fn slot(&self, place: InRow) -> u32 {
        // That rows have slots is looked at between batches.
        (place.row << self.bits) | place.position
    }

    /// The position of a slot.
    #[inline]
    pub(super) fn place(&self, slot: u32) -> InRow {
        InRow { row: slot >> self.bits, position: slot & ((1 << self.bits) - 1) }
    }

    #[inline]
    fn bit(&self, InRow { row, position }: InRow) -> (usize, u64) {
        assert!(position < self.length, "a position beyond the end of its row");
        (row as usize * self.width + position as usize / BITS, 1 << (position as usize % BITS))
    }

    /// Whether the state at a position has been found.
    #[inline]
    pub(super) fn reaches(&self, place: InRow) -> bool {
        let (word, bit) = self.bit(place);
        self.reached[word] & bit != 0
    }

    /// The words of a row that tell of the positions that lie so far after one as the bits say, with their bits there.
    #[inline]
    fn words(&self, first: InRow, after: u64) -> [(usize, u64); 2] {
        let last = first.position + (u64::BITS - 1).saturating_sub(after.leading_zeros());
        assert!(last < self.length, "a position beyond the end of its row");
        let (word, shift) = (first.position as usize / BITS, first.position % u64::BITS);
        let word = first.row as usize * self.width + word;
        [(word, after << shift), (word + 1, after.checked_shr(u64::BITS - shift).unwrap_or(0))]
    }

    /// Whether all states have been found that lie so far from each other as these lanes, from the first on.
    #[inline]
    pub(super) fn reaches_all(&self, first: InRow, lanes: &Lanes<impl Iterator<Item = u32> + Clone>) -> bool {
        match lanes.after {
            Some(after) => {
                self.words(first, after).into_iter().all(|(word, bits)| bits == 0 || self.reached[word] & bits == bits)
            }
            None => lanes.from(first).all(|place| self.reaches(place)),
        }
    }

    /// Notes that these states have been found; those that are new go to `new`.
    pub(super) fn reach_all(
        &mut self,
        first: InRow,
        lanes: &Lanes<impl Iterator<Item = u32> + Clone>,
        new: &mut Vec<InRow>,
    ) {
        let Some(after) = lanes.after else {
            return new.extend(lanes.from(first).filter(|place| self.reach(*place)));
        };
        for (word, own) in self.words(first, after).into_iter().filter(|(_, own)| *own != 0) {
            let fresh = own & !self.reached[word];
            self.reached[word] |= own;
            self.states += fresh.count_ones() as usize;
            let from = id(word % self.width * BITS);
            new.extend(bits(fresh).map(|bit| InRow { row: first.row, position: from + bit }));
        }
    }

    /// Notes that the state at a position has been found; says whether it is new.
    #[inline]
    pub(super) fn reach(&mut self, place: InRow) -> bool {
        let (word, bit) = self.bit(place);
        let new = self.reached[word] & bit == 0;
        self.reached[word] |= bit;
        self.states += usize::from(new);
        new
    }

    /// How many states of the row have been found before a position.
    #[inline]
    pub(super) fn before(&self, place: InRow) -> u32 {
        let (word, bit) = self.bit(place);
        let full = self.reached[place.row as usize * self.width..word].iter().map(|word| word.count_ones());
        full.sum::<u32>() + (self.reached[word] & (bit - 1)).count_ones()
    }

    /// How many states of a row have been found.
    pub(super) fn count(&self, row: u32) -> u32 {
        self.reached(row).iter().map(|word| word.count_ones()).sum()
    }

    /// The states that have been found, by rows.
    pub(super) fn places(&self) -> impl Iterator<Item = InRow> {
        let position = |word: usize, bit: u32| id(word % self.width * BITS) + bit;
        let in_word = move |(place, word): (usize, &u64)| {
            let row = id(place / self.width);
            let word = *word;
            bits(word).map(move |bit| InRow { row, position: position(place, bit) })
        };
        self.reached.iter().enumerate().flat_map(in_word)
    }

    /// How many positions a row has at most.
    pub(super) fn length(&self) -> u32 {
        self.length
    }

    /// The positions of a row that have been found, as words of bits.
    pub(super) fn reached(&self, row: u32) -> &[u64] {
        &self.reached[row as usize * self.width..][..self.width]
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.rows.bytes() + self.reached.capacity() * 8
    }

    /// Bytes that the largest of its arrays takes: as many more when it grows.
    pub(super) fn largest(&self) -> usize {
        self.rows.largest().max(self.reached.capacity() * 8)
    }

    /// Forgets what only finds rows.
    pub(super) fn forget_numbers(&mut self) {
        self.rows.forget_numbers();
    }
}

/// The positions of states that say the same, in order, and how far they lie after the first of them: a bit for each, unless
/// they are too far from each other.
pub(super) struct Lanes<I> {
    positions: I,
    first: u32,
    after: Option<u64>,
}

impl<I: Iterator<Item = u32> + Clone> Lanes<I> {
    pub(super) fn of(positions: I) -> Self {
        let first = positions.clone().next().unwrap_or(0);
        let after = positions.clone().try_fold(0, |bits, position| Some(bits | 1u64.checked_shl(position - first)?));
        Self { positions, first, after }
    }

    /// States of a row that lie as far from each other, from this one on.
    fn from(&self, first: InRow) -> impl Iterator<Item = InRow> {
        let place = move |position: u32| InRow { position: first.position + (position - self.first), ..first };
        self.positions.clone().map(place)
    }
}

/// Which number each slot gets in a stream: rows follow each other as they were told first.
#[derive(Debug)]
pub(super) struct Numbers {
    /// For each row the number of its first state.
    first: Vec<StateId>,
}

/// Rows in the order of their numbers.
pub(super) struct InOrder {
    /// The first states of the rows; at last, how many states there are.
    pub(super) first: Vec<StateId>,
    /// For each row its place among them.
    pub(super) place: Vec<u32>,
}

impl Numbers {
    /// `told` are the slots in the order in which they were told; some of them: at least one of those that were told of a row at
    /// a time.
    pub(super) fn new<S: Clone + Eq + Hash>(found: &FoundRows<S>, told: impl Iterator<Item = u32>) -> (Self, InOrder) {
        const NONE: StateId = StateId::MAX;
        let mut numbers = vec![NONE; found.rows().len()];
        let mut first = Vec::with_capacity(numbers.len() + 1);
        let mut place = vec![0; numbers.len()];
        let mut next = 0;
        for row in told.map(|slot| found.place(slot).row) {
            if numbers[row as usize] == NONE {
                numbers[row as usize] = next;
                place[row as usize] = id(first.len());
                first.push(next);
                next += found.count(row);
            }
        }
        first.push(next);
        (Self { first: numbers }, InOrder { first, place })
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.first.capacity() * size_of::<StateId>()
    }

    /// The number of the first state of a row.
    pub(super) fn first(&self, row: u32) -> StateId {
        self.first[row as usize]
    }

    #[inline]
    pub(super) fn of<S: Clone + Eq + Hash>(&self, found: &FoundRows<S>, place: InRow) -> StateId {
        self.first[place.row as usize] + found.before(place)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::space::hash_of;

    proptest! {
        /// Positions that are reached together are those that would be reached one by one, near each other or far.
        #[test]
        fn together_as_one_by_one(
            length in 1..200u32,
            steps in prop::collection::vec((0..3u32, 0..200u32, prop::collection::btree_set(0..90u32, 1..9)), 1..30),
        ) {
            let mut found = FoundRows::new(length);
            let rows = [7u32, 8, 9].map(|row| found.row(row, hash_of(&row)));
            let mut known = BTreeSet::new();
            for (row, first, after) in steps {
                let row = rows[row as usize];
                let positions: Vec<u32> = after.iter().map(|after| first + after).filter(|own| *own < length).collect();
                let places: Vec<InRow> = positions.iter().map(|position| InRow { row, position: *position }).collect();
                let Some(first) = places.first().copied() else { continue };
                // Only how far they lie from each other counts.
                let lanes = Lanes::of(positions.iter().map(|position| position + 5));
                prop_assert_eq!(found.reaches_all(first, &lanes), places.iter().all(|own| known.contains(own)));
                let mut new = Vec::new();
                found.reach_all(first, &lanes, &mut new);
                let expected: Vec<InRow> = places.into_iter().filter(|own| known.insert(*own)).collect();
                prop_assert_eq!(new, expected);
                prop_assert_eq!(found.states(), known.len());
            }
            prop_assert!(known.iter().all(|own| found.reaches(*own)));
        }
    }
}
