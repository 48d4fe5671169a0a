//! The words of blocks as they are told: they stay where they are written, however many follow.

use std::ops::Range;

use crate::support::id;

/// Words of a chunk, at least and at most, unless more are written at a time.
const LEAST: usize = 1 << 10;
const MOST: usize = 1 << 18;

/// Runs of words in chunks of memory. Several writers write side by side, each to the end of a chunk that it is lent.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    chunks: Vec<Vec<u32>>,
    /// To which chunk each writer writes.
    open: Vec<usize>,
    places: Vec<Run>,
    words: usize,
}

/// In which chunk a run stands, and where there.
#[derive(Clone, Copy, Debug)]
struct Run {
    chunk: u32,
    begin: u32,
    end: u32,
}

impl Runs {
    /// None yet, and room for so many.
    pub(crate) fn with_room(runs: usize) -> Self {
        Self { places: Vec::with_capacity(runs), ..Self::default() }
    }

    /// Lends a writer the chunk to which it appends words until it gives it [back](Self::take_back).
    pub(crate) fn lend(&mut self, writer: usize) -> Vec<u32> {
        let room = self.words.clamp(LEAST, MOST);
        let is_full = |chunk: &Vec<u32>| chunk.len() >= chunk.capacity().min(MOST) / 8 * 7;
        if self.open.get(writer).is_none_or(|open| is_full(&self.chunks[*open])) {
            self.open.resize(self.open.len().max(writer + 1), 0);
            self.open[writer] = self.chunks.len();
            self.chunks.push(Vec::with_capacity(room));
        }
        std::mem::take(&mut self.chunks[self.open[writer]])
    }

    /// These words of what a writer was lent are the next run.
    pub(crate) fn push(&mut self, writer: usize, run: Range<usize>) {
        self.words += run.len();
        self.places.push(Run { chunk: id(self.open[writer]), begin: id(run.start), end: id(run.end) });
    }

    /// Takes back what a writer was lent.
    pub(crate) fn take_back(&mut self, writer: usize, chunk: Vec<u32>) {
        self.chunks[self.open[writer]] = chunk;
    }

    /// The words of a run.
    #[inline]
    pub(crate) fn run(&self, number: usize) -> &[u32] {
        let Run { chunk, begin, end } = self.places[number];
        &self.chunks[chunk as usize][begin as usize..end as usize]
    }

    /// How many words all runs have.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Forgets all runs.
    pub(crate) fn clear(&mut self) {
        self.chunks = self.open.iter().map(|open| std::mem::take(&mut self.chunks[*open])).collect();
        self.chunks.iter_mut().for_each(Vec::clear);
        self.open = (0..self.chunks.len()).collect();
        self.places.clear();
        self.words = 0;
    }

    /// Bytes in use: what nobody has written to takes none.
    pub(crate) fn bytes(&self) -> u64 {
        let lists = size_of_val(&self.places[..]) + size_of_val(&self.chunks[..]);
        (self.words * 4 + lists) as u64
    }

    /// Bytes that the largest of its arrays that grow takes: as many more when it does.
    pub(crate) fn largest(&self) -> usize {
        size_of_val(&self.places[..]).max(MOST * 4)
    }
}

#[cfg(test)]
mod tests;
