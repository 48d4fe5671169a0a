//! The system of rules on a page of the documentation is read, and its book has the value that the interpreter finds.

use std::path::Path;

use gamebook::{Question, Situation, Solved, read_beside};
use mdp::{ExploreOptions, Rational};

/// The blocks of a page that are set in: those that begin with this word.
fn block(page: &str, begins: &str) -> String {
    let lines: Vec<&str> = page.lines().collect();
    let first = lines.iter().position(|line| line.starts_with(&format!("    {begins} "))).expect("an example");
    let set_in = lines[first..].iter().take_while(|line| line.is_empty() || line.starts_with("    "));
    set_in.map(|line| line.strip_prefix("    ").unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_example_is_worth_what_the_interpreter_says() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/systems-items-and-skills.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (system, text) = (block(&page, "system"), block(&page, "book"));
    let beside = |name: &str| (name == "moor.kdl").then(|| system.clone()).ok_or_else(String::new);
    let (book, problems) = read_beside(&text, &beside, &budget::Budget::unlimited()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let question = Question { exact: true, ..Question::new(&book) };
    let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
    let win = solved.win().exact.unwrap();
    assert!(win > Rational::ZERO && win < Rational::ONE, "{win}");
    assert_eq!(gamebook_reference::win_by_rules(&book, &Situation::default(), 1_000_000).unwrap(), win);
}
