//! Sums of products of natural numbers in fixed runs of 64-bit limbs, the lowest first.

use std::cmp::Ordering;

use crate::support::halves;

/// `sum += a * b`.
///
/// # Panics
/// When the sum has no room: numerators are bounded by their class, so this would be a mistake here.
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
mod tests {
    use super::*;
    use dashu_int::UBig;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_of_products(
            a in proptest::collection::vec(any::<u64>(), 0..5),
            b in proptest::collection::vec(any::<u64>(), 0..5),
            c in proptest::collection::vec(any::<u64>(), 0..9),
        ) {
            let mut sum = c.clone();
            sum.resize(10, 0);
            add_long_product(&mut sum, &a, &b);
            prop_assert_eq!(UBig::from_words(&sum), UBig::from_words(&c) + UBig::from_words(&a) * UBig::from_words(&b));
        }
    }

    #[test]
    #[should_panic(expected = "larger than its class")]
    fn a_carry_without_room() {
        add_product(&mut [u64::MAX, u64::MAX], &[1], 1);
    }

    #[test]
    #[should_panic(expected = "larger than its class")]
    fn limbs_without_room() {
        add_long_product(&mut [0, 0], &[0, 1], &[0, 1]);
    }
}
