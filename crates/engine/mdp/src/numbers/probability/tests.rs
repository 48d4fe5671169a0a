use super::*;
use crate::numbers::ratio;

#[test]
fn never_above_one() {
    assert!(Probability::roughly(1.000_000_000_000_011).decimal() <= 1.0);
    let sum: Probability = std::iter::repeat_n(0.1, 11).map(Probability::roughly).sum();
    assert_eq!((sum.decimal(), sum.exact()), (1.0, None));
    let exact: Probability = [ratio(1, 3), ratio(1, 6)].map(Probability::exactly).into_iter().sum();
    assert_eq!((exact.decimal(), exact.into_exact()), (0.5, Some(ratio(1, 2))));
}
