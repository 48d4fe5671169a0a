//! Slots: numbers of the states of rows during exploration, and which of them have been discovered.

use crate::game::InRow;
use crate::model::MOST_STATES;
use crate::support::{BITS, bits, id};

/// How the slots of positions are numbered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbering {
    /// The bits of a slot that hold the position.
    bits: u32,
}

impl Numbering {
    /// The slot of a position.
    #[inline]
    pub(crate) fn slot(self, at: InRow) -> u32 {
        // Whether rows still fit into slots is checked between batches.
        (at.row << self.bits) | at.position
    }

    /// The position of a slot.
    #[inline]
    fn in_row(self, slot: u32) -> InRow {
        InRow { row: slot >> self.bits, position: slot & ((1 << self.bits) - 1) }
    }
}

/// States of a row that were discovered together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fresh {
    /// The index of their word in `reached`: those of a row are adjacent, the rows in order.
    pub(crate) word: u32,
    /// Their bits in that word.
    pub(crate) bits: u64,
}

/// Which states of rows have been discovered. During exploration the number of a state is its *slot*: all positions of
/// all rows one after another.
#[derive(Debug)]
pub(crate) struct Slots {
    /// The most states of a row.
    length: u32,
    numbering: Numbering,
    /// For each row a bit set of the positions that have been discovered, this many words each.
    reached: Vec<u64>,
    width: usize,
    states: usize,
}

impl Slots {
    /// No rows yet, each of at most `length` states.
    pub(crate) fn new(length: u32) -> Self {
        let width = (length as usize).div_ceil(BITS);
        let bits = length.next_power_of_two().trailing_zeros();
        Self { length, numbering: Numbering { bits }, reached: Vec::new(), width, states: 0 }
    }

    /// How many rows have slots.
    pub(crate) fn rows(&self) -> usize {
        self.reached.len() / self.width
    }

    /// Extends the slots to this many rows.
    pub(crate) fn grow(&mut self, rows: usize) {
        self.reached.resize(rows * self.width, 0);
    }

    /// How many states there are.
    pub(crate) fn states(&self) -> usize {
        self.states
    }

    /// Whether there are more positions than slots.
    pub(crate) fn is_too_large(&self) -> bool {
        self.positions() > u64::from(MOST_STATES)
    }

    /// Whether half of all slots are in use.
    pub(crate) fn is_half_full(&self) -> bool {
        self.positions() > u64::from(MOST_STATES / 2)
    }

    fn positions(&self) -> u64 {
        (self.rows() as u64) << self.numbering.bits
    }

    /// The numbering of slots.
    pub(crate) fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// The slot of a position.
    #[inline]
    pub(crate) fn slot(&self, at: InRow) -> u32 {
        self.numbering.slot(at)
    }

    /// The position of a slot.
    #[inline]
    pub(crate) fn in_row(&self, slot: u32) -> InRow {
        self.numbering.in_row(slot)
    }

    #[inline]
    fn bit(&self, InRow { row, position }: InRow) -> (usize, u64) {
        assert!(position < self.length, "a position beyond the end of its row");
        (row as usize * self.width + position as usize / BITS, 1 << (position as usize % BITS))
    }

    /// The state at a position, as if it had been discovered alone.
    pub(crate) fn alone(&self, at: InRow) -> Fresh {
        let (word, bits) = self.bit(at);
        Fresh { word: id(word), bits }
    }

    /// Whether the state at a position has been discovered.
    #[inline]
    pub(crate) fn reaches(&self, at: InRow) -> bool {
        let (word, bit) = self.bit(at);
        self.reached[word] & bit != 0
    }

    /// The words of a row with the positions at these distances from one, with their bits there.
    #[inline]
    fn words(&self, first: InRow, after: u64) -> [(usize, u64); 2] {
        let last = first.position + (u64::BITS - 1).saturating_sub(after.leading_zeros());
        assert!(last < self.length, "a position beyond the end of its row");
        let (word, shift) = (first.position as usize / BITS, first.position % u64::BITS);
        let word = first.row as usize * self.width + word;
        [(word, after << shift), (word + 1, after.checked_shr(u64::BITS - shift).unwrap_or(0))]
    }

    /// Whether all states at the distances of these lanes have been discovered, from the first on.
    #[inline]
    pub(crate) fn reaches_all(&self, first: InRow, lanes: &Lanes<impl Iterator<Item = u32> + Clone>) -> bool {
        match lanes.after {
            Some(after) => {
                self.words(first, after).into_iter().all(|(word, bits)| bits == 0 || self.reached[word] & bits == bits)
            }
            None => lanes.from(first).all(|at| self.reaches(at)),
        }
    }

    /// Marks these states as discovered; new ones are added to `new`.
    pub(crate) fn reach_all(
        &mut self,
        first: InRow,
        lanes: &Lanes<impl Iterator<Item = u32> + Clone>,
        new: &mut Vec<Fresh>,
    ) {
        match lanes.after {
            Some(after) => {
                let words = self.words(first, after).into_iter().filter(|(_, own)| *own != 0);
                words.for_each(|(word, own)| self.reach_word(word, own, new));
            }
            None => lanes.from(first).for_each(|at| self.reach(at, new)),
        }
    }

    /// Marks the state at a position as discovered; if it is new it is added to `new`.
    #[inline]
    pub(crate) fn reach(&mut self, at: InRow, new: &mut Vec<Fresh>) {
        let (word, bit) = self.bit(at);
        self.reach_word(word, bit, new);
    }

    #[inline]
    fn reach_word(&mut self, word: usize, own: u64, new: &mut Vec<Fresh>) {
        let fresh = own & !self.reached[word];
        if fresh != 0 {
            self.reached[word] |= fresh;
            self.states += fresh.count_ones() as usize;
            new.push(Fresh { word: id(word), bits: fresh });
        }
    }

    /// How many states of the row before a position have been discovered.
    #[inline]
    pub(crate) fn before(&self, at: InRow) -> u32 {
        let (word, bit) = self.bit(at);
        let full = self.reached[at.row as usize * self.width..word].iter().map(|word| word.count_ones());
        full.sum::<u32>() + (self.reached[word] & (bit - 1)).count_ones()
    }

    /// How many states of a row have been discovered.
    pub(crate) fn count(&self, row: u32) -> u32 {
        self.reached(row).iter().map(|word| word.count_ones()).sum()
    }

    /// The states that have been discovered, by rows.
    pub(crate) fn iter(&self) -> impl Iterator<Item = InRow> {
        let position = |word: usize, bit: u32| id(word % self.width * BITS) + bit;
        let in_word = move |(index, word): (usize, &u64)| {
            let row = id(index / self.width);
            let word = *word;
            bits(word).map(move |bit| InRow { row, position: position(index, bit) })
        };
        self.reached.iter().enumerate().flat_map(in_word)
    }

    /// The most positions of a row.
    pub(crate) fn length(&self) -> u32 {
        self.length
    }

    /// The discovered positions of a row, as words of bits.
    pub(crate) fn reached(&self, row: u32) -> &[u64] {
        &self.reached[row as usize * self.width..][..self.width]
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.reached.capacity() * 8
    }
}

/// The positions of states with the same choices, in order, as distances from the first: a bit for each, unless they
/// are too far apart.
pub(crate) struct Lanes<I> {
    positions: I,
    first: u32,
    after: Option<u64>,
}

impl<I: Iterator<Item = u32> + Clone> Lanes<I> {
    pub(crate) fn of(positions: I) -> Self {
        let first = positions.clone().next().unwrap_or(0);
        let after = positions.clone().try_fold(0, |bits, position| Some(bits | 1u64.checked_shl(position - first)?));
        Self { positions, first, after }
    }

    /// The states of a row at these distances from one.
    fn from(&self, first: InRow) -> impl Iterator<Item = InRow> {
        let in_row = move |position: u32| InRow { position: first.position + (position - self.first), ..first };
        self.positions.clone().map(in_row)
    }
}

#[cfg(test)]
mod tests;
