//! When values have come to rest.

/// Values come to rest when they move by no more than this share.
pub(super) const RESTS: f64 = 4.0 * f64::EPSILON;
/// What is better by less than this share is not: it may be rounding.
pub(super) const NOISE: f64 = 1e-14;

/// Puts a number in the place of another; `moved` is the largest move so far, as a share of the new number.
#[inline]
pub(super) fn put(place: &mut f64, number: f64, moved: &mut f64) {
    let change = (number - *place).abs();
    if change > *moved * number {
        *moved = change / number;
    }
    *place = number;
}
