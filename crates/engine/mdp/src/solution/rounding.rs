//! Bounds of rounding errors: the steps that the proof in `bounds.rs` counts.

use crate::model::Level;
use crate::support::about;

/// The unit roundoff of `f64`.
const UNIT: f64 = f64::EPSILON / 2.0;

/// The relative error of this many roundings, rounded up; infinite beyond a tenth.
pub(crate) fn relative_error(roundings: u64) -> f64 {
    /// More roundings could be off by a tenth or more.
    const MOST: u64 = 1 << 49;
    if roundings >= MOST {
        return f64::INFINITY;
    }
    let sum = about(roundings) * UNIT;
    sum / (1.0 - sum) * (1.0 + 8.0 * UNIT)
}

/// The roundings that a level adds.
pub(crate) fn roundings_of(level: &Level, rewards: bool) -> u64 {
    let outcomes = u64::from(level.outcomes);
    (if outcomes > 1 { outcomes + 2 } else { 0 }) + if rewards { 2 } else { 0 }
}
