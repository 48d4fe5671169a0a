use super::*;

#[test]
fn who_takes_gzip() {
    for (value, takes) in
        [("gzip", true), ("br, gzip;q=0.5", true), ("*", true), ("identity", false), ("gzip;q=0", false), ("", false)]
    {
        let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))]);
        assert_eq!(takes_gzip(&headers), takes, "{value}");
    }
    assert!(!takes_gzip(&HeaderMap::new()));
}
