use super::*;

#[test]
fn digits_and_back() {
    let number = UBig::from(PRIME).pow(5) + UBig::from(12_345u32) * UBig::from(PRIME) + UBig::ONE;
    let digits = digits_of(&number);
    assert_eq!(digits, [1, 12_345, 0, 0, 0, 1]);
    let mut all = Digits::default();
    for digit in digits {
        all.push(vec![Residue::of_small(i128::from(digit))]);
    }
    assert_eq!(all.integer(0), IBig::from(number));
}
