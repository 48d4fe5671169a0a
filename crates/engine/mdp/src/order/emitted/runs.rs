//! The words of blocks as they are emitted; they are never moved, however many follow.

use std::ops::Range;

use crate::support::id;

/// The least and the largest size of a chunk, unless more words are written at a time.
const LEAST: usize = 1 << 10;
const MOST: usize = 1 << 18;

/// Runs of words in chunks of memory. Several writers work in parallel, each at the end of a chunk that it has
/// borrowed.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    chunks: Vec<Vec<u32>>,
    /// The current chunk of each writer.
    open: Vec<usize>,
    places: Vec<Run>,
    words: usize,
}

/// The position of a run: its chunk, and its range there.
#[derive(Clone, Copy, Debug)]
struct Run {
    chunk: u32,
    begin: u32,
    end: u32,
}

impl Runs {
    /// None yet, with room for `runs` of them.
    pub(crate) fn with_room(runs: usize) -> Self {
        Self { places: Vec::with_capacity(runs), ..Self::default() }
    }

    /// Lends a writer the chunk to which it appends words, until [`take_back`](Self::take_back).
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

    /// Adds a run: a range of words in the chunk that a writer has borrowed.
    pub(crate) fn push(&mut self, writer: usize, run: Range<usize>) {
        self.words += run.len();
        self.places.push(Run { chunk: id(self.open[writer]), begin: id(run.start), end: id(run.end) });
    }

    /// Takes back the chunk of a writer.
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

    /// Drops all runs.
    pub(crate) fn clear(&mut self) {
        self.chunks = self.open.iter().map(|open| std::mem::take(&mut self.chunks[*open])).collect();
        self.chunks.iter_mut().for_each(Vec::clear);
        self.open = (0..self.chunks.len()).collect();
        self.places.clear();
        self.words = 0;
    }

    /// Bytes in use, without memory that has not been written to.
    pub(crate) fn bytes(&self) -> u64 {
        let lists = size_of_val(&self.places[..]) + size_of_val(&self.chunks[..]);
        (self.words * 4 + lists) as u64
    }

    /// Bytes of the largest of its arrays: growing takes as many more.
    pub(crate) fn largest(&self) -> usize {
        size_of_val(&self.places[..]).max(MOST * 4)
    }
}

#[cfg(test)]
mod tests;
