use super::*;
use proptest::prelude::*;

#[test]
fn extremes() {
    let huge = Rational::from(UBig::ONE << 5000);
    assert_eq!(enclose(&huge), (f64::MAX, f64::INFINITY));
    let tiny = Rational::ONE / &huge;
    assert_eq!(enclose(&tiny), (0.0, f64::from_bits(1)));
    assert_eq!(enclose(&Rational::ZERO), (0.0, 0.0));
    let smallest = exactly(f64::from_bits(1)).unwrap();
    assert_eq!(enclose(&smallest), (f64::from_bits(1), f64::from_bits(1)));
    let largest = exactly(f64::MAX).unwrap();
    assert_eq!(enclose(&largest), (f64::MAX, f64::MAX));
}

proptest! {
    #[test]
    fn encloses_tightly(n in any::<i128>(), d in 1..=u128::MAX, s in -1100isize..1100) {
        let power = Rational::from(UBig::ONE << s.unsigned_abs());
        let value = Rational::from_parts(n.into(), d.into());
        let value = if s < 0 { value / power } else { value * power };
        let (below, above) = enclose(&value);
        prop_assert!(below == f64::NEG_INFINITY || exactly(below).unwrap() <= value);
        prop_assert!(above == f64::INFINITY || value <= exactly(above).unwrap());
        prop_assert!(below == above || below.next_up() == above);
    }

    #[test]
    fn floats_are_themselves(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        if let Some(exact) = exactly(value) {
            prop_assert_eq!(enclose(&exact), (value, value));
            prop_assert_eq!(nearest(&exact), value);
        }
    }
}
