//! Parsing a text in several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The parser recurses with each error: there can be as many as bytes in a piece.
const STACK: usize = 256 << 20;
/// The most parcels of a text that are parsed in parallel, unless they would be too small.
const MOST_PARCELS: usize = 16;
const LEAST_PARCEL: usize = 2 << 10;

/// Groups pieces into parcels for several threads; the grouping depends on the text only, so that results do, too.
pub(crate) fn parcels(pieces: &[Range<usize>]) -> Vec<&[Range<usize>]> {
    let mut parcels = Vec::new();
    let (mut rest, mut from) = (pieces, pieces.first().map_or(0, |first| first.start));
    let length = (pieces.last().map_or(0, |last| last.end) - from).div_ceil(MOST_PARCELS).max(LEAST_PARCEL);
    while let Some(last) = rest.last() {
        let within = rest.partition_point(|piece| piece.start < from + length);
        let (own, others) = rest.split_at(if last.end - from < 2 * length { rest.len() } else { within.max(1) });
        parcels.push(own);
        (rest, from) = (others, others.first().map_or(0, |first| first.start));
    }
    if parcels.is_empty() {
        parcels.push(pieces);
    }
    parcels
}

/// Processes parcels in parallel, with large stacks; `None` if there is no memory for them.
pub(crate) fn side_by_side<P: Sync, T: Send>(parcels: &[P], work: impl Fn(&P) -> T + Sync) -> Option<Vec<T>> {
    let next = AtomicUsize::new(0);
    let each = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(parcel) = parcels.get(place) else { return done };
            done.push((place, work(parcel)));
        }
    };
    std::thread::scope(|scope| {
        let begin = || std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, each).ok();
        let threads: Vec<_> = (0..rayon::current_num_threads().min(parcels.len())).map_while(|_| begin()).collect();
        let mut all = Vec::with_capacity(parcels.len());
        for thread in threads {
            all.extend(thread.join().ok()?);
        }
        all.sort_by_key(|(place, _)| *place);
        (all.len() == parcels.len()).then(|| all.into_iter().map(|(_, own)| own).collect())
    })
}

#[cfg(test)]
mod tests;
