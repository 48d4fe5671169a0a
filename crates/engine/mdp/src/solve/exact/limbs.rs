//! Sums of products of natural numbers in fixed runs of 64-bit limbs, the lowest first.

use std::cmp::Ordering;

use crate::support::halves;

/// `sum += a * b`.
///
/// # Panics
/// When the result does not fit into `sum`. Numerators are bounded by their class, so that would be an error of this program.
#[inline]
pub(super) fn add_product(sum: &mut [u64], a: &[u64], b: u64) {
    if b == 0 {
        return;
    }
    let shared = a.len().min(sum.len());
    let mut carry = 0u64;
    let (low, high) = sum.split_at_mut(shared);
    for (sum, a) in low.iter_mut().zip(a) {
        (*sum, carry) = halves(u128::from(*a) * u128::from(b) + u128::from(*sum) + u128::from(carry));
    }
    for sum in high {
        if carry == 0 {
            break;
        }
        let (next, over) = sum.overflowing_add(carry);
        *sum = next;
        carry = u64::from(over);
    }
    assert!(carry == 0 && a[shared..].iter().all(|limb| *limb == 0), "a numerator larger than its class");
}

/// `sum += a * b` for a factor of several limbs.
///
/// # Panics
/// As [`add_product`].
pub(super) fn add_long_product(sum: &mut [u64], a: &[u64], b: &[u64]) {
    for (shift, limb) in b.iter().enumerate().filter(|(_, limb)| **limb != 0) {
        add_product(sum.get_mut(shift..).unwrap_or_default(), a, *limb);
    }
}

/// Compares two numbers of equally many limbs.
pub(super) fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

#[cfg(test)]
mod tests;
