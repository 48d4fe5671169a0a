use super::*;

fn status(method: &Method, path: &str, headers: &[(&'static str, &'static str)]) -> Option<u16> {
    let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
    refusal(method, path, &headers.collect(), &["box.lan".into()]).map(|problem| problem.status.as_u16())
}

#[test]
fn hosts() {
    for host in ["127.0.0.1:7878", "localhost", "LOCALHOST:1", "[::1]:7878", "[::1]", "10.0.0.7:80", "box.lan:7878"] {
        assert!(is_own(host, &["box.lan".into()]), "{host}");
    }
    for host in ["", "evil.example", "localhost.evil.example:7878", "[::1", "[::1]x", "127.0.0.1:x", "127.0.0.1.evil"] {
        assert!(!is_own(host, &["box.lan".into()]), "{host}");
    }
}

#[test]
fn requests() {
    let host = ("host", "127.0.0.1:7878");
    assert_eq!(status(&Method::GET, "/", &[host]), None);
    assert_eq!(status(&Method::GET, "/", &[]), Some(400));
    assert_eq!(status(&Method::GET, "/", &[("host", "evil.example")]), Some(421));
    // Links from elsewhere lead to pages only.
    assert_eq!(status(&Method::GET, "/", &[host, ("sec-fetch-site", "cross-site")]), None);
    assert_eq!(status(&Method::POST, "/api/1/x", &[host, ("sec-fetch-site", "cross-site")]), Some(403));
    assert_eq!(status(&Method::POST, "/api/1/x", &[host, ("sec-fetch-site", "same-site")]), Some(403));
    assert_eq!(status(&Method::POST, "/api/1/x", &[host, ("sec-fetch-site", "same-origin")]), None);
    for origin in ["http://evil.example", "null", "https://127.0.0.1:7878", "http://127.0.0.1:7879"] {
        assert_eq!(status(&Method::POST, "/api/1/x", &[host, ("origin", origin)]), Some(403), "{origin}");
    }
    assert_eq!(status(&Method::POST, "/api/1/x", &[host, ("origin", "http://127.0.0.1:7878")]), None);
}
