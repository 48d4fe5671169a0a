//! How far two cores are from each other: what one writes, the other reads only after the line of the cache has come over.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Times that the number goes there and back in a series.
const TIMES: u32 = 2_000;
const SERIES: usize = 20;

/// A line of the cache, and the next, which some processors fetch with it.
#[repr(align(128))]
struct Line(AtomicU32);

impl Line {
    /// Counts on as soon as the number is that.
    fn answer(&self, to: u32) {
        while self.0.load(Ordering::Acquire) != to {
            std::hint::spin_loop();
        }
        self.0.store(to + 1, Ordering::Release);
    }
}

/// How long a number takes from one thread to another and back: the median of several series.
pub fn round_trip() -> Duration {
    let line = Line(AtomicU32::new(0));
    let all = TIMES * u32::try_from(SERIES).expect("a few");
    let mut series = Vec::with_capacity(SERIES);
    thread::scope(|scope| {
        scope.spawn(|| (0..all).for_each(|time| line.answer(2 * time + 1)));
        for first in (0..all).step_by(TIMES as usize) {
            let begin = Instant::now();
            (first..first + TIMES).for_each(|time| line.answer(2 * time));
            series.push(begin.elapsed() / TIMES);
        }
    });
    series.sort_unstable();
    series[SERIES / 2]
}
