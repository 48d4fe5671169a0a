//! Large books are read as small ones are, and soon.

use std::fmt::Write;
use std::time::{Duration, Instant};

use budget::Budget;
use gamebook::{Problems, Question, check, read};
use mdp::ExploreOptions;

const HEAD: &str = "book B format=1 rules=lone-wolf\nstart 1\ngoal 2\nflags seen\n\
                    hero { combat-skill 15; endurance 25; }\nsection 2 { victory; }\n";

/// A section of at least so many bytes; what happens in it does not depend on how many they are.
fn long_section(bytes: usize, own_lines: bool, last: &str) -> String {
    let end = if own_lines { "\n" } else { "; " };
    let label = "and on and on, ".repeat(16);
    let mut body = String::new();
    while body.len() < bytes {
        let (open, close) = (if own_lines { "{\n" } else { "{ " }, format!("}}{end}"));
        // Braces in texts and comments count for nothing.
        let _ = write!(body, "if \"seen\" {open}/* }} */ endurance -1{end}{close}else {open}set seen{end}{close}");
        let _ = write!(
            body,
            "choice \"{label} }}\" {open}set seen{end}{close}choice \"{label}\" {open}clear seen{end}{close}"
        );
    }
    format!("section 1 {{\n{body}{last}\n}}\n")
}

#[test]
fn long_sections_are_read_whole() {
    for own_lines in [true, false] {
        let text = format!("{HEAD}{}", long_section(270 << 10, own_lines, "goto 2"));
        let (book, _) = read(&text).unwrap();
        let times = text.matches("endurance -1").count();
        assert_eq!(book.sections[&1].body.len(), 2 * times + 1);
        // The last mistake is reported where it is.
        let text = format!("{HEAD}{}", long_section(270 << 10, own_lines, "gotto 2"));
        let Err(Problems(problems)) = read(&text) else { panic!("no error") };
        let at = text.find("gotto").unwrap();
        assert!(problems.iter().any(|own| own.span == (at..at + 5)), "{problems:?}");
    }
    // It is solved, too.
    let text = format!("{HEAD}{}", long_section(270 << 10, true, "goto 2").replace("endurance -1", "set seen"));
    let (book, _) = read(&text).unwrap();
    let question = Question { exact: true, ..Question::new(&book) };
    assert_eq!(gamebook::Solved::new(&book, &question, &ExploreOptions::default()).unwrap().win().decimal(), 1.0);
}

#[test]
fn sections_that_are_too_long_are_refused() {
    let refused = |section: String, message: &str| {
        let Err(Problems(problems)) = read(&format!("{HEAD}{section}")) else { panic!("no error") };
        assert!(problems.iter().any(|own| own.message.contains(message)), "{problems:?}");
    };
    refused(long_section(1 << 20, true, "goto 2"), "one piece of");
    refused(format!("section 1 {{ {} goto 2; }}\n", "eat; ".repeat(4001)), "a section of 4002 nodes");
    refused(format!("section 1 {{ endurance {} }}\n", "1 ".repeat(20_000)), "one node of");
}

/// Five megabytes of texts, in the labels of choices.
#[test]
fn long_texts_are_read_soon() {
    let prose = "The road winds on, and nobody has passed for days. ".repeat(100);
    let mut text = HEAD.replace("goal 2", "goal 1000").replace("section 2 {", "section 1000 {");
    for section in 1..1000 {
        let _ = writeln!(text, "section {section} {{ choice \"{prose}\" {{ goto {}; }}; }}", section + 1);
    }
    assert!(text.len() > 5_000_000, "{}", text.len());
    let begun = Instant::now();
    let (book, _) = read(&text).unwrap();
    check(&book, &Budget::unlimited()).unwrap();
    let taken = begun.elapsed();
    // What is optimised takes less than a second.
    assert!(taken < Duration::from_secs(15), "{taken:?}");
    println!("{taken:?}");
}
