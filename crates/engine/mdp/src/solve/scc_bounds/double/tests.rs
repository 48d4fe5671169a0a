use super::*;
use crate::numbers::{Rational, exactly, nearest};
use crate::support::about;
use proptest::prelude::*;

fn exact(value: Double) -> Rational {
    exactly(value.high).unwrap() + exactly(value.low).unwrap()
}

fn close(found: Double, expected: &Rational, scale: &Rational) -> bool {
    let error = exact(found) - expected;
    let error = if error < Rational::ZERO { -error } else { error };
    error <= scale * exactly(UNIT).unwrap()
}

fn double() -> impl Strategy<Value = Double> {
    (1u64.., 1u64.., -60i32..60).prop_map(|(a, b, power)| {
        let power = exactly(2f64.powi(power)).unwrap();
        let value = Rational::from(a) / Rational::from(b) * power;
        let high = nearest(&value);
        Double { high, low: nearest(&(value - exactly(high).unwrap())) }
    })
}

proptest! {
    #[test]
    fn operations_within_the_unit(a in double(), b in double()) {
        let (x, y) = (exact(a), exact(b));
        prop_assert!(close(a.add(b), &(&x + &y), &(&x + &y)));
        let difference = &x - &y;
        let size = if difference < Rational::ZERO { -difference.clone() } else { difference.clone() };
        prop_assert!(close(a.sub(b), &difference, &size));
        prop_assert!(close(a.mul(b), &(&x * &y), &(&x * &y)));
        prop_assert!(exactly(a.below()).unwrap() <= x && x <= exactly(a.above()).unwrap());
    }

    #[test]
    fn quotients(weight in 1u64..1 << 53, more in 0u64..1 << 52) {
        let total = (weight + more).min(1 << 53);
        let expected = Rational::from(weight) / Rational::from(total);
        let found = Double::quotient(about(weight), about(total), nearest(&expected));
        prop_assert!(close(found, &expected, &expected));
    }
}
