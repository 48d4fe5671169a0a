use super::*;

fn at(line: u32, character: u32) -> Position {
    Position { line, character }
}

#[test]
fn columns_are_units_of_utf_16() {
    let text = Text::new("a\u{e9}\u{1f409}b\r\n\u{1f409}\nend".into()).unwrap();
    // a, e with an accent (two bytes), a dragon (four bytes, two units), b.
    for (byte, position) in [(0, at(0, 0)), (1, at(0, 1)), (3, at(0, 2)), (7, at(0, 4)), (8, at(0, 5)), (10, at(1, 0))]
    {
        assert_eq!((text.byte(position), text.position(byte)), (byte, position));
    }
    // Within a character, beyond a line, beyond the text.
    assert_eq!(text.byte(at(0, 3)), 3);
    assert_eq!(text.byte(at(0, 99)), 8);
    assert_eq!(text.byte(at(1, 2)), 14);
    assert_eq!(text.byte(at(2, u32::MAX)), 18);
    assert_eq!(text.byte(at(u32::MAX, u32::MAX)), 18);
    assert_eq!((text.position(2), text.position(999)), (at(0, 1), at(2, 3)));
    assert_eq!(text.range(&(1..14)), Range { start: at(0, 1), end: at(0, 5) });
}

#[test]
fn a_line_ends_at_a_carriage_return_too() {
    let text = Text::new("\u{1f409}a\rb\r\r\n\u{e9}\n\rend\r".into()).unwrap();
    let places = [
        (0, at(0, 0)),
        (4, at(0, 2)),
        (5, at(0, 3)),
        (6, at(1, 0)),
        (7, at(1, 1)),
        (8, at(2, 0)),
        (10, at(3, 0)),
        (12, at(3, 1)),
        (13, at(4, 0)),
        (14, at(5, 0)),
        (17, at(5, 3)),
        (18, at(6, 0)),
    ];
    for (byte, position) in places {
        assert_eq!((text.byte(position), text.position(byte)), (byte, position));
    }
    // Between the two signs of one end, beyond a line, on an empty one.
    assert_eq!((text.position(9), text.byte(at(2, 7)), text.byte(at(0, 9))), (at(2, 0), 8, 5));
    assert_eq!(text.range(&(4..12)), Range { start: at(0, 2), end: at(0, 3) });
    let change = TextDocumentContentChangeEvent {
        range: Some(Range { start: at(1, 0), end: at(3, 0) }),
        range_length: None,
        text: "x\r".into(),
    };
    assert_eq!(text.changed(vec![change]).unwrap().text, "\u{1f409}a\rx\r\u{e9}\n\rend\r");
}

#[test]
fn changes_one_after_another() {
    let text = Text::new("section 1\nsection 2".into()).unwrap();
    let change = |range: Option<Range>, text: &str| TextDocumentContentChangeEvent {
        range,
        range_length: None,
        text: text.into(),
    };
    let here = |line, from, to| Some(Range { start: at(line, from), end: at(line, to) });
    let changes = vec![change(here(0, 8, 9), "\u{1f409}"), change(here(0, 10, 10), "!"), change(here(9, 0, 0), ".")];
    assert_eq!(text.changed(changes).unwrap().text, "section \u{1f409}!\nsection 2.");
    let backwards = Some(Range { start: at(1, 3), end: at(0, 0) });
    assert_eq!(text.changed(vec![change(backwards, "x")]).unwrap().text, "section 1\nsecxtion 2");
    assert_eq!(text.changed(vec![change(None, "new"), change(here(0, 3, 3), "er")]).unwrap().text, "newer");
    assert!(text.changed(vec![change(None, &" ".repeat(LONGEST + 1))]).is_none());
}

#[test]
fn paths_of_files() {
    let path = |uri: &str| path(&uri.parse().unwrap()).map(|path| path.display().to_string());
    assert_eq!(path("file:///books/my%20book%C3%A9.kdl").as_deref(), Some("/books/my booké.kdl"));
    assert_eq!(path("file:///c%3A/books/a.kdl").as_deref(), Some("c:/books/a.kdl"));
    assert_eq!(path("file://localhost/a.kdl").as_deref(), Some("/a.kdl"));
    assert_eq!((path("file://elsewhere/a.kdl"), path("untitled:book")), (None, None));
    assert_eq!(path("file:///%FF"), None);
}
