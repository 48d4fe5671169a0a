//! The words of blocks as they are told: kept where they are put, however many follow.

use crate::places::id;

/// Words of a chunk, at least and at most, unless one run is longer.
const LEAST: usize = 1 << 10;
const MOST: usize = 1 << 18;

/// Runs of words, one after another, in chunks of memory that are never moved: nothing is there twice as they grow.
#[derive(Debug, Default)]
pub(super) struct Runs {
    chunks: Vec<Vec<u32>>,
    /// In which chunk each run stands, and where it begins there.
    places: Vec<(u32, u32)>,
    words: usize,
    room: usize,
}

impl Runs {
    /// Appends a run.
    pub(super) fn push(&mut self, run: &[u32]) {
        if self.chunks.last().is_none_or(|last| last.capacity() - last.len() < run.len()) {
            let chunk = Vec::with_capacity(self.words.clamp(LEAST, MOST).max(run.len()));
            self.room += chunk.capacity();
            self.chunks.push(chunk);
        }
        if let Some((before, last)) = self.chunks.len().checked_sub(1).zip(self.chunks.last_mut()) {
            self.places.push((id(before), id(last.len())));
            last.extend_from_slice(run);
            self.words += run.len();
        }
    }

    /// The words of a run.
    #[inline]
    pub(super) fn run(&self, number: usize) -> &[u32] {
        let (chunk, begin) = self.places[number];
        let own = &self.chunks[chunk as usize];
        let next = self.places.get(number + 1).filter(|(next, _)| *next == chunk);
        &own[begin as usize..next.map_or(own.len(), |(_, end)| *end as usize)]
    }

    /// How many words all runs have.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Forgets all runs.
    pub(super) fn clear(&mut self) {
        self.chunks.truncate(1);
        self.chunks.iter_mut().for_each(Vec::clear);
        self.room = self.chunks.iter().map(Vec::capacity).sum();
        self.places.clear();
        self.words = 0;
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        (self.room * 4 + self.places.capacity() * 8 + self.chunks.capacity() * size_of::<Vec<u32>>()) as u64
    }

    /// Bytes that the largest of its arrays that grow takes: as many more when it does.
    pub(super) fn largest(&self) -> usize {
        (self.places.capacity() * 8).max(MOST * 4)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Runs are read as they were written, also where one is longer than a chunk, and after all were forgotten.
        #[test]
        fn as_they_were_written(
            all in prop::collection::vec(prop::collection::vec(0..9u32, 0..600), 0..40),
            long in 0..3usize,
            forgotten in 0..40usize,
        ) {
            let mut runs = Runs::default();
            let mut written: Vec<Vec<u32>> = Vec::new();
            for (number, mut run) in all.into_iter().enumerate() {
                if number == forgotten {
                    runs.clear();
                    written.clear();
                }
                if number < long {
                    run.resize(MOST + 1, 7);
                }
                runs.push(&run);
                written.push(run);
            }
            prop_assert_eq!(runs.words(), written.iter().map(Vec::len).sum::<usize>());
            for (number, run) in written.iter().enumerate() {
                prop_assert_eq!(runs.run(number), &run[..]);
            }
            prop_assert!(runs.bytes() >= 4 * runs.words() as u64);
        }
    }
}
