use super::*;

#[test]
fn multiples_of_the_prime() {
    for quotient in [0, 1, -1, 7, -12_345, (1 << 62) - 1, -(1 << 62)] {
        assert_eq!(divided(quotient * i128::from(PRIME)), quotient);
    }
}
