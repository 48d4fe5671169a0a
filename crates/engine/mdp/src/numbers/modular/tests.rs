use super::*;

#[test]
fn primes_are_prime() {
    let small: Vec<u64> = (0..60).filter(|number| is_prime(*number)).collect();
    assert_eq!(small, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59]);
    // Strong pseudoprimes to several bases, and a product of large primes.
    assert!([3_215_031_751, 3_474_749_660_383, 4_294_967_291 * 4_294_967_279].iter().all(|n| !is_prime(*n)));
    assert!(is_prime((1 << 61) - 1));
    let first: Vec<u64> = primes().take(2).collect();
    assert_eq!(first, [(1 << 62) - 57, (1 << 62) - 87]);
}

#[test]
fn inverses() {
    let modulo = Modulo::new((1 << 62) - 57);
    for number in [1, 2, 12_345_678_901, (1 << 62) - 58] {
        let inverse = modulo.inverse(number).unwrap();
        assert_eq!(modulo.product(number, inverse), 1);
    }
    assert_eq!((modulo.inverse(0), modulo.difference(3, 5)), (None, (1 << 62) - 59));
}
