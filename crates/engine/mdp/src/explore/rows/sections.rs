//! Pieces of work that several threads take.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Pieces of work, a section of consecutive ones for each thread: it takes those first, and then those left in other
/// sections. Neighbouring pieces have much in common, which a thread caches.
pub(super) struct Sections {
    pieces: usize,
    /// The next piece of each section.
    next: Vec<AtomicUsize>,
}

impl Sections {
    /// Pieces for each thread: the others wait for the last one.
    const PIECES: usize = 16;

    /// How many pieces to make for so many threads.
    pub(super) fn pieces(threads: usize) -> usize {
        if threads == 1 { 1 } else { Self::PIECES * threads }
    }

    /// So many pieces, for so many threads.
    pub(super) fn new(pieces: usize, threads: usize) -> Self {
        Self { pieces, next: (0..threads).map(|own| AtomicUsize::new(Self::begin(pieces, threads, own))).collect() }
    }

    fn begin(pieces: usize, threads: usize, section: usize) -> usize {
        section * pieces / threads
    }

    /// The next piece for a thread, if there is one.
    pub(super) fn take(&self, thread: usize) -> Option<usize> {
        let threads = self.next.len();
        (thread..threads).chain(0..thread).find_map(|section| {
            let piece = self.next[section].fetch_add(1, Ordering::Relaxed);
            (piece < Self::begin(self.pieces, threads, section + 1)).then_some(piece)
        })
    }
}

#[cfg(test)]
mod tests;
