use super::*;

fn all(bytes: &[u8]) -> (Vec<String>, Option<String>) {
    let mut input = io::BufReader::new(bytes);
    let mut received = Vec::new();
    loop {
        match read(&mut input) {
            Ok(Some(Incoming::Message(Message::Notification(own)))) => received.push(own.method),
            Ok(Some(Incoming::Message(_))) => received.push("a message".into()),
            Ok(Some(Incoming::Nonsense(what))) => received.push(what.split(':').next().unwrap_or_default().into()),
            Ok(None) => return (received, None),
            Err(error) => return (received, Some(error.to_string())),
        }
    }
}

#[test]
fn messages_and_what_is_none() {
    let exit = "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
    let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let good = framed(exit);
    assert_eq!(all(good.as_bytes()), (vec!["exit".into()], None));
    let more = format!("content-length:{}\r\nContent-Type: x\r\n\r\n{exit}", exit.len());
    assert_eq!(all(more.as_bytes()), (vec!["exit".into()], None));
    for nonsense in ["{", "[]", "7", "\u{0}", "{\"jsonrpc\":\"2.0\"}", &"[".repeat(100_000)] {
        let (received, error) = all((framed(nonsense) + &good).as_bytes());
        assert_eq!((received, error), (vec!["this is no message".into(), "exit".into()], None), "{nonsense:.20}");
    }
    let (received, error) =
        all(&[framed("\u{ff}").as_bytes(), b"Content-Length: 1\r\n\r\n\xff", good.as_bytes()].concat());
    assert_eq!((received.len(), error), (3, None));
    for (broken, words) in [
        ("Content-Length: -1\r\n\r\n", "no number"),
        ("Content-Length: x\r\n\r\n{}", "no number"),
        ("Content-Length: 99999999999999999999999\r\n\r\n", "no number"),
        ("\r\n{}", "without its Content-Length"),
        ("{}\r\n\r\n", "Content-Length: N"),
        ("Content-Length: 3", "nothing after it"),
        (&"x".repeat(1 << 20), "Content-Length: N"),
        (&"x:y\n".repeat(1 << 18), "does not end"),
    ] {
        let (received, error) = all((good.clone() + broken).as_bytes());
        assert_eq!(received, ["exit"], "{broken:.20}");
        assert!(error.is_some_and(|error| error.contains(words)), "{broken:.20}");
    }
    // More is promised than comes: no memory is taken for it.
    for promised in ["120000000", "18446744073709551615"] {
        let (received, _) = all(format!("{good}Content-Length: {promised}\r\n\r\n{{}}").as_bytes());
        assert_eq!(received[0], "exit");
    }
}
