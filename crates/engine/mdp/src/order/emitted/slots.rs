//! Slots: numbers of states of rows while a game is explored, and which of them have been found.

use crate::game::InRow;
use crate::model::MOST_STATES;
use crate::support::{BITS, bits, id};

/// How the slots of positions are numbered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbering {
    /// The bits of a slot that tell the position.
    bits: u32,
}

impl Numbering {
    /// The slot of a position.
    #[inline]
    pub(crate) fn slot(self, place: InRow) -> u32 {
        // That rows have slots is looked at between batches.
        (place.row << self.bits) | place.position
    }

    /// The position of a slot.
    #[inline]
    fn place(self, slot: u32) -> InRow {
        InRow { row: slot >> self.bits, position: slot & ((1 << self.bits) - 1) }
    }
}

/// States of a row that were found at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fresh {
    /// The word that tells of them: those of a row stand together, the rows in order.
    pub(crate) word: u32,
    /// Their bits there.
    pub(crate) bits: u64,
}

/// Which states of rows have been found. While a game is explored, a state's number is its *slot*: all positions of all rows
/// one after another.
#[derive(Debug)]
pub(crate) struct Slots {
    /// How many states a row has at most.
    length: u32,
    numbering: Numbering,
    /// For each row the positions that have been found, so many words each.
    reached: Vec<u64>,
    width: usize,
    states: usize,
}

impl Slots {
    /// Of no rows yet, which have so many states at most.
    pub(crate) fn new(length: u32) -> Self {
        let width = (length as usize).div_ceil(BITS);
        let bits = length.next_power_of_two().trailing_zeros();
        Self { length, numbering: Numbering { bits }, reached: Vec::new(), width, states: 0 }
    }

    /// How many rows have slots.
    pub(crate) fn rows(&self) -> usize {
        self.reached.len() / self.width
    }

    /// So many rows have slots now.
    pub(crate) fn grow(&mut self, rows: usize) {
        self.reached.resize(rows * self.width, 0);
    }

    /// How many states there are.
    pub(crate) fn states(&self) -> usize {
        self.states
    }

    /// Whether there are more positions than have slots.
    pub(crate) fn is_too_large(&self) -> bool {
        self.positions() > u64::from(MOST_STATES)
    }

    /// Whether half of all slots are taken.
    pub(crate) fn is_half_full(&self) -> bool {
        self.positions() > u64::from(MOST_STATES / 2)
    }

    fn positions(&self) -> u64 {
        (self.rows() as u64) << self.numbering.bits
    }

    /// How slots are numbered.
    pub(crate) fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// The slot of a position.
    #[inline]
    pub(crate) fn slot(&self, place: InRow) -> u32 {
        self.numbering.slot(place)
    }

    /// The position of a slot.
    #[inline]
    pub(crate) fn place(&self, slot: u32) -> InRow {
        self.numbering.place(slot)
    }

    #[inline]
    fn bit(&self, InRow { row, position }: InRow) -> (usize, u64) {
        assert!(position < self.length, "a position beyond the end of its row");
        (row as usize * self.width + position as usize / BITS, 1 << (position as usize % BITS))
    }

    /// The state at a position as one that was found alone.
    pub(crate) fn alone(&self, place: InRow) -> Fresh {
        let (word, bits) = self.bit(place);
        Fresh { word: id(word), bits }
    }

    /// Whether the state at a position has been found.
    #[inline]
    pub(crate) fn reaches(&self, place: InRow) -> bool {
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
    pub(crate) fn reaches_all(&self, first: InRow, lanes: &Lanes<impl Iterator<Item = u32> + Clone>) -> bool {
        match lanes.after {
            Some(after) => {
                self.words(first, after).into_iter().all(|(word, bits)| bits == 0 || self.reached[word] & bits == bits)
            }
            None => lanes.from(first).all(|place| self.reaches(place)),
        }
    }

    /// Notes that these states have been found; those that are new go to `new`.
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
            None => lanes.from(first).for_each(|place| self.reach(place, new)),
        }
    }

    /// Notes that the state at a position has been found; it goes to `new` if it is.
    #[inline]
    pub(crate) fn reach(&mut self, place: InRow, new: &mut Vec<Fresh>) {
        let (word, bit) = self.bit(place);
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

    /// How many states of the row have been found before a position.
    #[inline]
    pub(crate) fn before(&self, place: InRow) -> u32 {
        let (word, bit) = self.bit(place);
        let full = self.reached[place.row as usize * self.width..word].iter().map(|word| word.count_ones());
        full.sum::<u32>() + (self.reached[word] & (bit - 1)).count_ones()
    }

    /// How many states of a row have been found.
    pub(crate) fn count(&self, row: u32) -> u32 {
        self.reached(row).iter().map(|word| word.count_ones()).sum()
    }

    /// The states that have been found, by rows.
    pub(crate) fn places(&self) -> impl Iterator<Item = InRow> {
        let position = |word: usize, bit: u32| id(word % self.width * BITS) + bit;
        let in_word = move |(place, word): (usize, &u64)| {
            let row = id(place / self.width);
            let word = *word;
            bits(word).map(move |bit| InRow { row, position: position(place, bit) })
        };
        self.reached.iter().enumerate().flat_map(in_word)
    }

    /// How many positions a row has at most.
    pub(crate) fn length(&self) -> u32 {
        self.length
    }

    /// The positions of a row that have been found, as words of bits.
    pub(crate) fn reached(&self, row: u32) -> &[u64] {
        &self.reached[row as usize * self.width..][..self.width]
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.reached.capacity() * 8
    }
}

/// The positions of states that say the same, in order, and how far they lie after the first of them: a bit for each, unless
/// they are too far from each other.
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

    /// States of a row that lie as far from each other, from this one on.
    fn from(&self, first: InRow) -> impl Iterator<Item = InRow> {
        let place = move |position: u32| InRow { position: first.position + (position - self.first), ..first };
        self.positions.clone().map(place)
    }
}

#[cfg(test)]
mod tests;
