use super::*;

#[test]
fn nodes_with_strings_and_comments() {
    let text =
        "// a { comment\nbook \"x } y\" format=1\nflags a b\nsection 1 { goto 2; } // {\nsection 2 {\n  victory\n}";
    let found = pieces(text);
    let names: Vec<_> = found.iter().map(|piece| (piece.name, piece.number)).collect();
    assert_eq!(names, [("book", None), ("flags", None), ("section", Some(1)), ("section", Some(2))]);
    assert_eq!(found[2].body().trim(), "goto 2;");
    assert_eq!(found[0].text, "book \"x } y\" format=1");
}
