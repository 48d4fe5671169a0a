//! When values have converged.

/// Values have converged when they move by no more than this share.
pub(super) const TOLERANCE: f64 = 4.0 * f64::EPSILON;
/// Differences below this share may be rounding errors.
pub(super) const NOISE: f64 = 1e-14;

/// Replaces a number; `moved` is the largest move so far, as a share of the new number.
#[inline]
pub(super) fn put(position: &mut f64, number: f64, moved: &mut f64) {
    let change = (number - *position).abs();
    if change > *moved * number {
        *moved = change / number;
    }
    *position = number;
}
