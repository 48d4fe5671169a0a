//! Pieces of work that several threads take.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Pieces of work, as many after each other for each thread: it takes those first, and then what is left of the others'. What
/// lies side by side has much in common, which a thread remembers.
pub(super) struct Sections {
    pieces: usize,
    /// The next piece of each section.
    next: Vec<AtomicUsize>,
}

impl Sections {
    /// Pieces for each thread: the last one is waited for.
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
mod tests {
    use super::*;

    #[test]
    fn each_piece_is_taken_once() {
        for (pieces, threads) in [(0, 1), (1, 1), (5, 1), (1, 3), (7, 3), (32, 2)] {
            let sections = Sections::new(pieces, threads);
            let mut taken: Vec<usize> = Vec::new();
            // Each takes one; then the last one all that is left.
            taken.extend((0..threads).filter_map(|thread| sections.take(thread)));
            if pieces >= threads {
                assert!(taken.iter().copied().eq((0..threads).map(|own| own * pieces / threads)));
            }
            taken.extend(std::iter::from_fn(|| sections.take(threads - 1)));
            assert!((0..threads).all(|thread| sections.take(thread).is_none()));
            taken.sort_unstable();
            assert!(taken.into_iter().eq(0..pieces));
        }
    }
}
