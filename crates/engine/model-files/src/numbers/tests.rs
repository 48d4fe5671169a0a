use super::*;

fn value(text: &str) -> Result<String, String> {
    parse_number(text.as_bytes()).map(|value| value.to_string())
}

#[test]
fn decimals_are_exact() {
    assert_eq!(value("0.3").unwrap(), "3/10");
    assert_eq!(value("1e-05").unwrap(), "1/100000");
    assert_eq!(value("-2.50E+1").unwrap(), "-25");
    assert_eq!(value("6/4").unwrap(), "3/2");
    assert_eq!(value(".5").unwrap(), "1/2");
    assert_eq!(value("7").unwrap(), "7");
}

#[test]
fn nonsense_is_refused() {
    for text in ["", ".", "-", "1.2.3", "1e", "e5", "1/0", "/", "1/", "1/-2", "1/2/3", "inf", "nan", "0x10", "1_000"] {
        assert!(value(text).is_err(), "{text}");
    }
    assert!(value("1e-999999999").is_err());
    assert!(value("1e99999999999999999999999").is_err());
    assert!(value(&"9".repeat(6000)).is_err());
}

#[test]
fn doubles_are_their_shortest_decimals() {
    assert_eq!(from_double(0.3).unwrap().value.to_string(), "3/10");
    assert_eq!(from_double(5e-324).unwrap().value, parse_number(b"5e-324").unwrap());
    assert!(from_double(f64::NAN).is_none());
    assert!(from_double(f64::INFINITY).is_none());
}

#[test]
fn short_decimals() {
    let of = |text: &str| short_decimal(&parse_number(text.as_bytes()).unwrap());
    assert_eq!(of("3/16").as_deref(), Some("0.1875"));
    assert_eq!(of("2").as_deref(), Some("2"));
    assert_eq!(of("1/3"), None);
    assert_eq!(of("12345678901234567890123/100000000000000000000000"), None);
}
