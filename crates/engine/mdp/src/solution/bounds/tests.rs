use super::*;
use crate::numbers::{Rational, exactly, ratio};
use proptest::prelude::*;

proptest! {
    /// The widened ends enclose what they should, in exact arithmetic.
    #[test]
    fn widened_far_enough(value in 1e-200f64..1e200, roundings in 1u64..1 << 40) {
        let (lower, upper) = widen(value, roundings, None);
        let unit = ratio(1, 1 << 53);
        let sum = Rational::from(roundings) * unit;
        let error = &sum / (Rational::ONE - &sum);
        let exact = exactly(value).unwrap();
        prop_assert!(exactly(lower).unwrap() <= &exact * (Rational::ONE - &error));
        prop_assert!(exactly(upper).unwrap() >= exact * (Rational::ONE + error));
    }
}
