//! The limits of a run.

use std::time::Duration;

/// The limits of a run. It stops with an error, never by exhausting the machine's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States; the engine numbers at most 4,294,967,294.
    pub max_states: u64,
    /// Bytes for everything that grows with the input.
    pub max_memory: u64,
    /// The time limit; `None` for no limit.
    pub max_time: Option<Duration>,
}

impl Limits {
    /// No limit at all.
    pub const NONE: Self = Self { max_states: u64::MAX, max_memory: u64::MAX, max_time: None };
}

impl Default for Limits {
    /// The most states that can be numbered (2^31 - 2), 4 GiB, and no limit on time.
    fn default() -> Self {
        Self { max_states: (1 << 31) - 2, max_memory: 4 << 30, max_time: None }
    }
}

/// A number of bytes in readable form, in powers of 1000.
///
/// ```
/// assert_eq!(budget::bytes(1_500_000_000), "1.5 GB");
/// assert_eq!(budget::bytes(999), "999 bytes");
/// ```
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "kB", "MB", "GB", "TB"];
    let mut unit = 0;
    // In tenths of the unit, rounded to nearest.
    let mut tenths = u128::from(count) * 10;
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths = (tenths + 500) / 1000;
        unit += 1;
    }
    if unit == 0 || tenths >= 1000 {
        format!("{} {}", tenths / 10, UNITS[unit])
    } else {
        format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
    }
}
