//! Any text is read, or refused with positions inside of it.

use proptest::prelude::*;
use red_november::parse_board;

/// Texts made of the words of boards, and of others.
fn texts() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => proptest::sample::select(vec![
            "rooms:", "hatches:", "start:", "1", "2", "-", "1-2", "2-1", "high", "c", ",", "#", "\n", "\r\n", " ", "{", "}",
            "[", "]", ":", "\"", "\"rooms\"", "\"hatches\"", "\"startRoom\"", "\"number\"", "\"state\"", "\"actions\"",
            "{\"number\": 1, \"state\": \"Clear\"}", "\u{feff}", "\u{3000}", "\u{e9}", "4294967296",
        ]).prop_map(str::to_owned),
        1 => ".{0,4}",
    ];
    proptest::collection::vec(word, 0..40).prop_map(|words| words.concat())
}

fn check(text: &str) -> Result<(), TestCaseError> {
    if let Err(problems) = parse_board(text) {
        prop_assert!(!problems.list.is_empty());
        for problem in &problems.list {
            prop_assert!(text.get(problem.span.clone()).is_some(), "{problem:?}");
            let line = text.split('\n').nth(problem.line - 1);
            prop_assert!(line.is_some_and(|line| problem.column <= line.chars().count() + 1), "{problem:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_text_at_all(text in texts()) {
        check(&text)?;
    }

    #[test]
    fn a_description_gone_wrong(text in texts()) {
        check(&format!("rooms: 1, 2 high\nhatches: 1-2\n{text}"))?;
    }

    #[test]
    fn json_gone_wrong(text in texts()) {
        check(&format!("{{\"rooms\": [{text}], \"hatches\": [{text}], \"startRoom\": {text}}}"))?;
    }
}
