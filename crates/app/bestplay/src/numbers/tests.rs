use super::*;
use mdp::ratio;

#[test]
fn almost_certain_is_not_certain() {
    assert_eq!(percent(&Rational::ONE), "100.000 %");
    assert_eq!(percent(&ratio(9_999_999, 10_000_000)), "> 99.999 %");
    assert_eq!(percent(&ratio(1, 3)), "33.333 %");
    assert_eq!(percent(&ratio(1, 10_000_000)), "< 0.001 %");
    assert_eq!(percent(&Rational::ZERO), "0.000 %");
    let nearly = ratio(1_i64 << 62, (1_u64 << 62) + 1);
    assert_eq!(nearest(&nearly).to_bits(), 1.0_f64.to_bits());
    assert_eq!(percent_of(&Value::exactly(nearly)), "> 99.999 %");
}

fn bounds(lower: f64, upper: f64) -> Value {
    Value { lower, upper, exact: None }
}

#[test]
fn values_that_differ_get_more_decimals() {
    let texts = |values: &[Value]| percents_of(&values.iter().map(Some).collect::<Vec<_>>());
    let exactly = |numerator: i64, denominator: u64| Value::exactly(ratio(numerator, denominator));
    assert_eq!(texts(&[exactly(1, 3), exactly(1, 2), exactly(1, 3)]), ["33.333 %", "50.000 %", "33.333 %"]);
    let near = [exactly(799_900, 1_000_000), exactly(1, 2), exactly(7_999_000_001, 10_000_000_000)];
    assert_eq!(texts(&near), ["79.99000000 %", "50.000 %", "79.99000001 %"]);
    // As far as is proved; and near the ends.
    let (same, other) = (bounds(0.5, 0.500_000_2), bounds(0.500_000_1, 0.500_000_3));
    assert_eq!(texts(&[same.clone(), other]), ["50.000 %", "50.000 %"]);
    assert_eq!(texts(&[same, bounds(0.500_001, 0.500_001)]), ["50.0000 %", "50.0001 %"]);
    assert_eq!(texts(&[exactly(1, 10_000_000), exactly(3, 10_000_000)]), ["0.00001 %", "0.00003 %"]);
    assert_eq!(texts(&[exactly(9_999_999, 10_000_000), exactly(1, 1)]), ["> 99.999 %", "100.000 %"]);
    let ends = [exactly(9_999_999, 10_000_000), exactly(99_999_999, 100_000_000)];
    assert_eq!(texts(&ends), ["99.99999 %", "> 99.99999 %"]);
    assert_eq!(percents_of(&[None, None]), ["not known", "not known"]);
}
