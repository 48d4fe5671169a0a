//! Sums of products, rounded up or down with a proven error.

use crate::numbers::index::index;

/// The error of a sum of `terms` products of factors that are rounded themselves, relative to the sum of their
/// sizes: each product has three roundings, each addition one more.
fn margin(terms: usize) -> f64 {
    let terms = f64::from(index(terms));
    (terms + 8.0) * f64::EPSILON
}

/// An upper bound of the exact sum, whose terms all have the same sign.
pub(crate) fn up(sum: f64, terms: usize) -> f64 {
    sum + sum.abs() * margin(terms)
}

/// A lower bound of the exact sum, whose terms all have the same sign.
pub(crate) fn down(sum: f64, terms: usize) -> f64 {
    sum - sum.abs() * margin(terms)
}
