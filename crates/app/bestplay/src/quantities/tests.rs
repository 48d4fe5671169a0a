use super::*;

#[test]
fn sizes() {
    for (text, size) in [("1", 1), ("2GB", 2_000_000_000), ("1.5 GiB", 3 << 29), ("64mb", 64_000_000), (".5k", 500)] {
        assert_eq!(parse_bytes(text), Ok(size), "{text}");
    }
    for text in ["", ".", "GB", "-1GB", "2XB", "1.2.3GB", "1e9"] {
        assert!(parse_bytes(text).is_err(), "{text}");
    }
    assert_eq!(parse_bytes(&"9".repeat(400)), Ok(u64::MAX));
    assert_eq!(parse_bytes(&format!("1.{}GB", "9".repeat(400))), Ok(1_999_999_999));
}

#[test]
fn times() {
    for (text, milliseconds) in [("30s", 30_000), ("1.5 h", 5_400_000), ("250ms", 250), ("2", 2_000), ("0", 0)] {
        assert_eq!(parse_time(text), Ok(Duration::from_millis(milliseconds)), "{text}");
    }
    for text in ["", "s", "-1s", "1 year"] {
        assert!(parse_time(text).is_err(), "{text}");
    }
}
