//! Systems of rules that would grow without end where they are written out: they are refused, and at once.

use std::fmt::Write;

use budget::Budget;
use gamebook::{Question, read};

const HEAD: &str = "book T format=1 system=none\nstart 1\ncounter c max=9\n";

/// The first problem of a book, found when it is read or prepared.
fn refused(text: &str) -> String {
    match read(text) {
        Err(problems) => problems.to_string(),
        Ok((book, _)) => Question::new(&book).machine(&book, &Budget::unlimited()).unwrap_err().to_string(),
    }
}

#[test]
fn values_that_double_are_refused() {
    let mut text = format!("{HEAD}value v0 \"c + 1\"\n");
    for number in 1..60 {
        let before = number - 1;
        let _ = writeln!(text, "value v{number} \"v{before} + v{before}\"");
    }
    let found = refused(&format!("{text}section 1 {{ c v59; victory; }}\n"));
    assert!(found.contains("is made of too many numbers"), "{found}");
}

#[test]
fn conditions_within_conditions_are_refused() {
    let asked = (0..50).fold("c".to_string(), |inner, _| format!("if({inner} > 0, 2, 1)"));
    let found = refused(&format!("{HEAD}section 1 {{ c \"{asked}\"; victory; }}\n"));
    assert!(found.contains("too many numbers"), "{found}");
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_blocks_that_multiply_are_refused() {
    let five = "define five { blocks then; then; then; then; then; then; }\n";
    let inner = (0..40).fold("c 0".to_string(), |inner, _| format!("five {{ {inner}; }}"));
    let mut uses = "define a0 { c 0; }\n".to_string();
    for number in 1..15 {
        let again = format!("use a{}; ", number - 1).repeat(10);
        let _ = writeln!(uses, "define a{number} {{ {again}}}");
    }
    for text in [
        format!("{HEAD}{five}section 1 {{ {inner}; victory; }}\n"),
        format!("{HEAD}{uses}section 1 {{ use a14; victory; }}\n"),
    ] {
        let found = refused(&text);
        assert!(found.contains("is too large"), "{found}");
    }
}
