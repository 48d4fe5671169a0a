//! The blocks of words that exploration by rows emits, and their conversion from slots to a stream in solving order.

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

/// The emitted blocks.
#[derive(Debug)]
pub(crate) struct Emitted {
    /// The slots of the states, in the order of expansion.
    slots: Vec<u32>,
    /// Index in `slots` of the first state of each block; one more entry than blocks.
    blocks: Vec<u32>,
    /// The words of the blocks, with slots for targets.
    pub(crate) runs: Runs,
}

impl Emitted {
    /// Initial capacity for states and blocks, so that they need not be moved as more are added; memory takes no space
    /// before it is written to.
    const STATES: usize = 1 << 21;
    const BLOCKS: usize = 1 << 19;

    /// No blocks.
    pub(crate) fn new() -> Self {
        let mut blocks = Vec::with_capacity(Self::BLOCKS);
        blocks.push(0);
        Self { slots: Vec::with_capacity(Self::STATES), blocks, runs: Runs::with_room(Self::BLOCKS) }
    }

    /// How many states were expanded.
    pub(crate) fn states(&self) -> usize {
        self.slots.len()
    }

    /// Adds a block: the states with these slots have the words of the last run.
    pub(crate) fn push(&mut self, slots: impl Iterator<Item = u32>) {
        self.slots.extend(slots);
        self.blocks.push(id(self.slots.len()));
    }

    /// The first slot of each block, in the order of expansion.
    pub(crate) fn first_slots(&self) -> impl Iterator<Item = u32> {
        self.blocks[..self.blocks.len() - 1].iter().map(|first| self.slots[*first as usize])
    }

    /// Drops all blocks.
    pub(crate) fn clear(&mut self) {
        self.slots.clear();
        self.blocks.truncate(1);
        self.runs.clear();
    }

    /// Bytes in use, without memory that has not been written to.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(&self.slots[..]) + size_of_val(&self.blocks[..])) as u64 + self.runs.bytes()
    }

    /// Bytes of the largest of its arrays: growing takes as many more.
    pub(crate) fn largest(&self) -> usize {
        size_of_val(&self.slots[..]).max(self.runs.largest())
    }
}

/// The emitted blocks, by the numbers of the states.
pub(crate) struct Numbered<'a> {
    emitted: &'a Emitted,
    slots: &'a Slots,
    numbers: &'a Numbers,
    /// For each state its position in the order of expansion.
    positions: Vec<u32>,
    /// The block of every `INDEXED`th state in the order of expansion.
    index: Vec<u32>,
}

/// The distance of states whose block is indexed; blocks of those in between are found from there.
const INDEXED: usize = 16;

/// Consecutive states of a block, in the order of expansion.
pub(crate) struct BlockStates<'a> {
    /// The position of the first of them in the order of expansion.
    first: u32,
    /// The slot of the first state of the block.
    begin: u32,
    /// The distance of the first of them from that slot.
    distance: u32,
    /// Whether their slots are consecutive.
    pub(crate) side_by_side: bool,
    /// How many there are.
    pub(crate) lanes: u32,
    /// The words of the first state of the block.
    pub(crate) words: &'a [u32],
}

impl<'a> Numbered<'a> {
    pub(crate) fn new(emitted: &'a Emitted, slots: &'a Slots, numbers: &'a Numbers) -> Self {
        let positions = inverse(emitted.slots.len(), |at| numbers.of(slots, slots.in_row(emitted.slots[at])));
        let mut index = Vec::with_capacity(emitted.slots.len() / INDEXED + 1);
        for (block, next) in (0..).zip(&emitted.blocks[1..]) {
            while index.len() * INDEXED < *next as usize {
                index.push(block);
            }
        }
        Self { emitted, slots, numbers, positions, index }
    }

    /// How many words all blocks have.
    pub(crate) fn words(&self) -> usize {
        self.emitted.runs.words()
    }

    /// The longest prefix of some states (`states` of them, given by `state`) that were emitted together.
    #[inline]
    pub(crate) fn block_states(&self, states: u32, state: impl Fn(u32) -> StateId) -> BlockStates<'a> {
        let position = |lane: u32| self.positions[state(lane) as usize];
        let blocks = &self.emitted.blocks;
        let first = position(0);
        let mut block = self.index[first as usize / INDEXED] as usize;
        while blocks[block + 1] <= first {
            block += 1;
        }
        let most = states.min(blocks[block + 1] - first);
        let lanes = (1..most).find(|lane| position(*lane) != first + lane).unwrap_or(most);
        let slots = &self.emitted.slots[first as usize..(first + lanes) as usize];
        let (begin, side_by_side) =
            (self.emitted.slots[blocks[block] as usize], slots[slots.len() - 1] - slots[0] == lanes - 1);
        BlockStates {
            first,
            begin,
            distance: slots[0] - begin,
            side_by_side,
            lanes,
            words: self.emitted.runs.run(block),
        }
    }

    /// The target of a word for one of the states of a block.
    #[inline]
    pub(crate) fn target(&self, from: &BlockStates<'_>, word: u32, lane: u32) -> InRow {
        // They are in one row.
        let distance = match lane {
            0 => from.distance,
            lane => self.emitted.slots[(from.first + lane) as usize] - from.begin,
        };
        self.slots.in_row(target(word, distance))
    }

    /// The row of the target of a word.
    #[inline]
    pub(crate) fn row(&self, word: u32) -> u32 {
        self.slots.in_row(target(word, 0)).row
    }

    /// How many states of its row come before one.
    #[inline]
    pub(crate) fn before(&self, at: InRow) -> u32 {
        self.slots.before(at)
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

    /// Bytes in use, without the discovered states.
    pub(crate) fn bytes(&self) -> u64 {
        self.emitted.bytes() + (size_of_val(&self.positions[..]) + size_of_val(&self.index[..])) as u64
    }
}
