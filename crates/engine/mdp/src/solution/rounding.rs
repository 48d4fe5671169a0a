//! How far rounding can move a number: the steps that the proof in `bounds.rs` counts.

use crate::model::Level;
use crate::support::about;

/// The unit roundoff of `f64`.
const UNIT: f64 = f64::EPSILON / 2.0;

/// The relative error that so many roundings can make, rounded up; infinite beyond a tenth.
pub(crate) fn relative_error(roundings: u64) -> f64 {
    /// More would be a tenth, and not fit.
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
