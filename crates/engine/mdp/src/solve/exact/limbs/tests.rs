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
