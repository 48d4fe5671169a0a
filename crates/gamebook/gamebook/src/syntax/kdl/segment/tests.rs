use super::*;

fn cut(text: &str) -> Vec<&str> {
    pieces(text).parts.into_iter().map(|piece| text[piece].trim_end()).collect()
}

#[test]
fn lines_outside_of_braces() {
    assert_eq!(
        cut("start 1\n\ngoal 2\r\nsection 1 {\n  goto 2\n}\n"),
        ["start 1", "goal 2", "section 1 {\n  goto 2\n}"]
    );
    assert_eq!(cut("start \\\n 1\n/-\ngoal 3\ngoal 2"), ["start \\\n 1", "/-\ngoal 3", "goal 2"]);
    assert_eq!(cut(""), [""; 0]);
}

#[test]
fn braces_in_comments_and_texts_do_not_count() {
    let whole = [
        "a \"{\" #\"\\\"# { // {\n}",
        "a \"\"\"\n{\n\\\"\"\"\n\"\"\" {\n /* } /* } */ } */\n}",
        "a ##\"\"\"\n\"\"\"# {\n\"\"\"## {\n}",
        "a \"\\\"{\" {\n}",
        "a /* \n\nsection 1 {\n */ 1",
    ];
    for text in whole {
        assert_eq!(cut(&format!("{text}\nb")), [text, "b"]);
    }
}

#[test]
fn a_forgotten_brace_ends_at_the_next_section() {
    assert_eq!(cut("section 1 {\n  goto 2\nsection 2 {\n}\n"), ["section 1 {\n  goto 2", "section 2 {\n}"]);
    assert_eq!(cut("section 1 {\n  if x {\n}\nsections\n"), ["section 1 {\n  if x {\n}\nsections"]);
    // Where none was, a word of a head may begin a line anywhere.
    assert_eq!(cut("hero {\nitems a\n}\nsection 1 {\n}\n"), ["hero {\nitems a\n}", "section 1 {\n}"]);
}

#[test]
fn what_follows_a_brace() {
    let joined = |text: &str| pieces(text).joined;
    assert_eq!(joined("a { b } c\n"), [8]);
    assert_eq!(joined("a { b }c\nd { }  \"e\"\n"), [7, 16]);
    let good = "a { b };c\na { b } // c\na { b { } }\n// a { } b\na \"} b\" { } /* c */\na { } \\\n b\n";
    assert_eq!(joined(good), [0; 0]);
}

#[test]
fn what_is_never_closed() {
    assert_eq!(cut("a\nb /* c\nd\n"), ["a"]);
    assert_eq!(pieces("a\nb /* c\nd\n").never_closed, Some(4));
    assert_eq!(pieces("a\nb #\"\"\"\nd\n\"\"\"").never_closed, Some(4));
    assert_eq!(pieces("a \"b\nc").never_closed, None);
}
