//! What was told of states of rows, block by block, as a game was explored: the way from slots to a stream in solving order.

mod numbers;
mod runs;
mod slots;

pub(crate) use numbers::{InOrder, Numbers};
pub(crate) use slots::{Fresh, Lanes, Slots};

use std::ops::Range;

use crate::game::InRow;
use crate::model::{StateId, target};
use crate::support::{id, inverse};

use runs::Runs;

/// What was told.
#[derive(Debug)]
pub(crate) struct Told {
    /// The slots of the states, in the order in which they were told.
    slots: Vec<u32>,
    /// Where in `slots` the states of each block begin; one more entry than blocks.
    blocks: Vec<u32>,
    /// What the blocks say, with slots for targets.
    pub(crate) runs: Runs,
}

impl Told {
    /// Room for so many states and blocks from the beginning: as more come they need not be moved, and room takes no memory before
    /// somebody writes to it.
    const STATES: usize = 1 << 21;
    const BLOCKS: usize = 1 << 19;

    /// Nothing was told.
    pub(crate) fn new() -> Self {
        let mut blocks = Vec::with_capacity(Self::BLOCKS);
        blocks.push(0);
        Self { slots: Vec::with_capacity(Self::STATES), blocks, runs: Runs::with_room(Self::BLOCKS) }
    }

    /// How many states were told.
    pub(crate) fn states(&self) -> usize {
        self.slots.len()
    }

    /// The states with these slots say what the last of the runs says.
    pub(crate) fn push(&mut self, slots: impl Iterator<Item = u32>) {
        self.slots.extend(slots);
        self.blocks.push(id(self.slots.len()));
    }

    /// The first slot of each block, in the order in which they were told.
    pub(crate) fn first_slots(&self) -> impl Iterator<Item = u32> {
        self.blocks[..self.blocks.len() - 1].iter().map(|first| self.slots[*first as usize])
    }

    /// Forgets what was told.
    pub(crate) fn clear(&mut self) {
        self.slots.clear();
        self.blocks.truncate(1);
        self.runs.clear();
    }

    /// Bytes in use: what nobody has written to takes none.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(&self.slots[..]) + size_of_val(&self.blocks[..])) as u64 + self.runs.bytes()
    }

    /// Bytes that the largest of its arrays that grow takes: as many more when it does.
    pub(crate) fn largest(&self) -> usize {
        size_of_val(&self.slots[..]).max(self.runs.largest())
    }
}

/// What was told, by the numbers of the states.
pub(crate) struct Numbered<'a> {
    told: &'a Told,
    slots: &'a Slots,
    numbers: &'a Numbers,
    /// How many states were told before each state.
    places: Vec<u32>,
    /// Of every so many states that were told, the block of the first.
    index: Vec<u32>,
}

/// States for each of which it is noted in what block it was told: those between are found from there.
const INDEXED: usize = 16;

/// States that were told one after another in a block.
pub(crate) struct Together<'a> {
    /// How many states were told before the first of them.
    first: u32,
    /// The slot of the first one of the block.
    begin: u32,
    /// How far the first of them lies after it.
    distance: u32,
    /// Whether they lie side by side.
    pub(crate) side_by_side: bool,
    /// How many they are.
    pub(crate) lanes: u32,
    /// What the first one of the block said.
    pub(crate) words: &'a [u32],
}

impl<'a> Numbered<'a> {
    pub(crate) fn new(told: &'a Told, slots: &'a Slots, numbers: &'a Numbers) -> Self {
        let places = inverse(told.slots.len(), |at| numbers.of(slots, slots.place(told.slots[at])));
        let mut index = Vec::with_capacity(told.slots.len() / INDEXED + 1);
        for (block, next) in (0..).zip(&told.blocks[1..]) {
            while index.len() * INDEXED < *next as usize {
                index.push(block);
            }
        }
        Self { told, slots, numbers, places, index }
    }

    /// How many words all blocks have.
    pub(crate) fn words(&self) -> usize {
        self.told.runs.words()
    }

    /// Those of some states (so many: `state` says which) that were told together, from the first of them on.
    #[inline]
    pub(crate) fn together(&self, states: u32, state: impl Fn(u32) -> StateId) -> Together<'a> {
        let place = |lane: u32| self.places[state(lane) as usize];
        let blocks = &self.told.blocks;
        let first = place(0);
        let mut block = self.index[first as usize / INDEXED] as usize;
        while blocks[block + 1] <= first {
            block += 1;
        }
        let most = states.min(blocks[block + 1] - first);
        let lanes = (1..most).find(|lane| place(*lane) != first + lane).unwrap_or(most);
        let slots = &self.told.slots[first as usize..(first + lanes) as usize];
        let (begin, side_by_side) =
            (self.told.slots[blocks[block] as usize], slots[slots.len() - 1] - slots[0] == lanes - 1);
        Together { first, begin, distance: slots[0] - begin, side_by_side, lanes, words: self.told.runs.run(block) }
    }

    /// Where a word leads from one of states that were told together.
    #[inline]
    pub(crate) fn target(&self, from: &Together<'_>, word: u32, lane: u32) -> InRow {
        // They are in one row.
        let distance = match lane {
            0 => from.distance,
            lane => self.told.slots[(from.first + lane) as usize] - from.begin,
        };
        self.slots.place(target(word, distance))
    }

    /// The row to which a word leads.
    #[inline]
    pub(crate) fn row(&self, word: u32) -> u32 {
        self.slots.place(target(word, 0)).row
    }

    /// How many states of its row come before one.
    #[inline]
    pub(crate) fn before(&self, place: InRow) -> u32 {
        self.slots.before(place)
    }

    /// The states of a row.
    #[inline]
    pub(crate) fn states(&self, row: u32) -> Range<StateId> {
        let first = self.numbers.first(row);
        first..first + self.slots.count(row)
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.slots.rows()
    }

    /// Bytes in use, beside what was found.
    pub(crate) fn bytes(&self) -> u64 {
        self.told.bytes() + (size_of_val(&self.places[..]) + size_of_val(&self.index[..])) as u64
    }
}
