//! How long something takes, and how much memory.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The fastest and the median of several runs.
pub struct Times {
    pub fastest: Duration,
    pub median: Duration,
}

impl Times {
    pub fn of<T>(runs: usize, mut run: impl FnMut() -> T) -> Self {
        let mut times: Vec<Duration> = (0..runs)
            .map(|_| {
                let begin = Instant::now();
                black_box(run());
                begin.elapsed()
            })
            .collect();
        times.sort_unstable();
        Self { fastest: times[0], median: times[runs / 2] }
    }

    /// A line of the report; `limit` is what the times are compared with.
    pub fn report(&self, what: &str, limit: Option<&Self>) {
        let ratio = limit.map_or_else(String::new, |limit| {
            let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
            format!("{:8.2} {:8.2}", ratio(self.fastest, limit.fastest), ratio(self.median, limit.median))
        });
        println!("{what:<44} {:>9.2} {:>9.2}{ratio}", millis(self.fastest), millis(self.median));
    }
}

pub fn millis(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}

/// The most memory that this process has used so far, where the system tells.
pub fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or_else(|| "unknown".to_owned(), |peak| peak.trim().to_owned())
}
