use super::*;
use model_files::parse_number;

fn of(text: &str) -> RBig {
    parse_number(text.as_bytes()).unwrap()
}

#[test]
fn powers_and_roots() {
    for (base, exponent, right) in [
        ("1/4", "1/2", "1/2"),
        ("2", "-3", "1/8"),
        ("8/27", "-2/3", "9/4"),
        ("-2", "3", "-8"),
        ("-1", "1000000000000000000000", "1"),
        ("-1", "1000000000000000000001", "-1"),
        ("1", "1/7", "1"),
        ("0", "0", "1"),
        ("0", "1/2", "0"),
        ("5", "0", "1"),
    ] {
        assert_eq!(power(&of(base), &of(exponent)), Ok(of(right)), "{base}^{exponent}");
    }
    assert_eq!(power(&of("2"), &of("1/2")), Err(NoFraction::Irrational));
    assert_eq!(power(&of("4/3"), &of("1/2")), Err(NoFraction::Irrational));
    assert_eq!(power(&of("2"), &of("1/1000000000000000000000")), Err(NoFraction::Irrational));
    assert_eq!(power(&of("2"), &of("1000000")), Err(NoFraction::TooLarge));
    assert_eq!(power(&of("2"), &of("1000000000000000000000")), Err(NoFraction::TooLarge));
    assert!(matches!(power(&of("0"), &of("-1")), Err(NoFraction::Undefined(..))));
    assert!(matches!(power(&of("-8"), &of("1/3")), Err(NoFraction::Undefined(..))));
}

/// Every power of every small fraction, inverted by root and logarithm.
#[test]
fn there_and_back() {
    for numerator in 1..=12 {
        for denominator in 1..=12 {
            let base = of(&format!("{numerator}/{denominator}"));
            for above in -6..=6 {
                for below in 1..=4 {
                    let exponent = of(&format!("{above}/{below}"));
                    let Ok(found) = power(&base, &exponent) else { continue };
                    assert_eq!(found.pow(below), base.pow(above), "{base}^{exponent}");
                    if !base.is_one() {
                        assert_eq!(logarithm(&found, &base), Ok(exponent), "{found} to {base}");
                    }
                }
            }
        }
    }
    assert_eq!(logarithm(&of("8"), &of("4")), Ok(of("3/2")));
    assert_eq!(logarithm(&of("1/8"), &of("4")), Ok(of("-3/2")));
    assert_eq!(logarithm(&of("3"), &of("2")), Err(NoFraction::Irrational));
    assert_eq!(logarithm(&of("6"), &of("4/9")), Err(NoFraction::Irrational));
    assert!(matches!(logarithm(&of("0"), &of("2")), Err(NoFraction::Undefined(..))));
    assert!(matches!(logarithm(&of("2"), &of("1")), Err(NoFraction::Undefined(..))));
}
