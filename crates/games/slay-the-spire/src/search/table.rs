//! Numbers for pairs of a node and a health. Most nodes are reached with few healths, near each other.

use crate::numbers::index::index;

/// The number of adjacent healths that are stored together.
const BLOCK: usize = 8;

/// Values that are stored together. Small values fill one line of the processor's cache: each access may go to memory.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Block<T>([T; BLOCK]);

/// The blocks of a row: `count` of them, one after another, for healths from block `low` on.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    first: u32,
    low: u8,
    count: u8,
}

/// A table with a row for each node and a column for each health; unset cells have a value of their own.
#[derive(Debug)]
pub(crate) struct Table<T> {
    rows: Vec<Row>,
    blocks: Vec<Block<T>>,
    /// The free blocks that rows have left when they grew, by their number.
    free: Vec<Vec<u32>>,
    unset: T,
}

/// The block of a column.
fn block(column: i16) -> u8 {
    u8::try_from(usize::try_from(column).unwrap_or(0) / BLOCK).expect("health has few blocks")
}

/// The index of a column in its block.
fn index_in_block(column: i16) -> usize {
    usize::try_from(column).unwrap_or(0) % BLOCK
}

impl<T: Copy> Table<T> {
    /// An empty table.
    pub(crate) fn new(unset: T) -> Self {
        Self { rows: Vec::new(), blocks: Vec::new(), free: Vec::new(), unset }
    }

    /// The index of the cell of a column, if its block exists.
    fn find(&self, row: u32, column: i16) -> Option<usize> {
        let Row { first, low, count } = *self.rows.get(row as usize)?;
        let offset = block(column).wrapping_sub(low);
        (offset < count).then(|| first as usize + usize::from(offset))
    }

    /// The value of a cell.
    pub(crate) fn get(&self, row: u32, column: i16) -> T {
        self.find(row, column).map_or(self.unset, |block| self.blocks[block].0[index_in_block(column)])
    }

    /// The columns of a row that may be set.
    pub(crate) fn columns(&self, row: u32) -> impl DoubleEndedIterator<Item = i16> + use<T> {
        let Row { low, count, .. } = self.rows.get(row as usize).copied().unwrap_or_default();
        let (from, to) = (usize::from(low) * BLOCK, (usize::from(low) + usize::from(count)) * BLOCK);
        (from..to).map(|column| i16::try_from(column).expect("health is a number of 16 bits"))
    }

    /// The columns of a row above one that may be set, upwards.
    pub(crate) fn above(&self, row: u32, column: i16) -> impl Iterator<Item = (i16, T)> {
        self.columns(row).skip_while(move |other| *other <= column).map(move |other| (other, self.get(row, other)))
    }

    /// The columns of a row below one that may be set, downwards.
    pub(crate) fn below(&self, row: u32, column: i16) -> impl Iterator<Item = (i16, T)> {
        self.columns(row)
            .rev()
            .skip_while(move |other| *other >= column)
            .map(move |other| (other, self.get(row, other)))
    }

    /// The cell, for writing.
    pub(crate) fn at(&mut self, row: u32, column: i16) -> &mut T {
        let found = self.find(row, column).unwrap_or_else(|| self.grow(row, column));
        &mut self.blocks[found].0[index_in_block(column)]
    }

    /// Makes room for a column. Returns the index of its block.
    fn grow(&mut self, row: u32, column: i16) -> usize {
        if self.rows.len() <= row as usize {
            self.rows.resize(row as usize + 1, Row::default());
        }
        let Row { first, low, count } = self.rows[row as usize];
        let block = block(column);
        let from = if count == 0 { block } else { low.min(block) };
        let to = low.saturating_add(count).max(block.saturating_add(1));
        let grown = self.room(to - from);
        let kept = first as usize..first as usize + usize::from(count);
        self.blocks.copy_within(kept.clone(), grown + usize::from(low.saturating_sub(from)));
        if count > 0 {
            self.blocks[kept].fill(Block([self.unset; BLOCK]));
            self.keep_free(first, count);
        }
        self.rows[row as usize] = Row { first: index(grown), low: from, count: to - from };
        grown + usize::from(block - from)
    }

    /// Allocates consecutive unset blocks.
    fn room(&mut self, count: u8) -> usize {
        if let Some(first) = self.free.get_mut(usize::from(count)).and_then(Vec::pop) {
            return first as usize;
        }
        let first = self.blocks.len();
        self.blocks.resize(first + usize::from(count), Block([self.unset; BLOCK]));
        first
    }

    fn keep_free(&mut self, first: u32, count: u8) {
        if self.free.len() <= usize::from(count) {
            self.free.resize(usize::from(count) + 1, Vec::new());
        }
        self.free[usize::from(count)].push(first);
    }

    /// Every cell.
    pub(crate) fn cells_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.blocks.iter_mut().flat_map(|block| &mut block.0)
    }

    /// The number of bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.rows.as_slice()) + size_of_val(self.blocks.as_slice())
    }
}

#[cfg(test)]
mod tests;
