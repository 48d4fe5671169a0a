//! What `check` says of books with a system of rules of their own: the same as of others, found out from the program.

use budget::Budget;
use gamebook::{BUILT_IN, Problem, check, read};

/// The warnings and notes of a book: the text that each is about, and its message.
fn messages(text: &str) -> Vec<(String, String)> {
    let (book, warnings) = read(text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
    let found = check(&book, &Budget::unlimited()).unwrap();
    let all: Vec<Problem> = warnings.into_iter().chain(found).collect();
    assert!(all.iter().all(|problem| problem.help.is_some()), "{all:?}");
    all.into_iter().map(|problem| (text[problem.span].to_string(), problem.message)).collect()
}

fn plain(head: &str, sections: &str) -> String {
    format!("book B format=1 system=none\nstart 1\n{head}\n{sections}\n")
}

/// Checks that exactly one message with these words is reported, and none when a part of the text is replaced.
#[track_caller]
fn one(words: &str, about: &str, text: &str, part: &str, instead: &str) {
    let found = messages(text);
    assert!(found.len() == 1 && found[0].1.contains(words) && found[0].0 == about, "{text}: {found:?}");
    assert!(text.contains(part));
    assert_eq!(messages(&text.replace(part, instead)), [], "{instead}");
}

#[test]
fn the_books_that_come_with_the_program_are_clean() {
    for (name, text) in BUILT_IN.iter().filter(|(_, text)| !text.contains("lone-wolf")) {
        let mut messages = messages(text);
        // What leads to death by several sections is meant.
        messages.retain(|(_, message)| !message.starts_with("no hero can win from"));
        assert_eq!(messages, [], "{name}");
    }
}

#[test]
fn parts_that_never_come_up() {
    let head = "counter coins max=9 start=2";
    let text = plain(
        head,
        "section 1 { coins -1; choice a { require \"coins >= 2\"; goto 2; }; choice b { goto 2; }; }\nsection 2 { victory; }",
    );
    one("no hero can ever take this choice", "choice", &text, ">= 2", ">= 1");
    let text = plain(
        head,
        "section 1 { if \"coins > 2\" { death; }; coins 1; if \"coins = 3\" { victory; }; else { death; }; }",
    );
    let found = messages(&text);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().any(|(text, message)| text == "\"coins > 2\"" && message.contains("branch is never taken")));
    assert!(found.iter().any(|(text, message)| text == "death" && message.contains("`else` is never reached")));
    let text = plain(head, "section 1 { roll d6 as=r { when \"r + coins > 8\" { death; }; else { victory; }; }; }");
    one("this case never comes up", "when", &text, "> 8", "> 7");
    // What a fight does comes up, and what follows from it.
    let text = "book B format=1 system=fighting-fantasy\nstart 1\nsection 1 { fight Orc skill=5 stamina=6 { local run max=3; \
                on won { run 1; if \"run > 3\" { death; }; }; }; victory; }";
    one("branch is never taken", "\"run > 3\"", text, "> 3", "> 2");
}

/// Blocks, tests and hooks of the book get warnings as sections do, but only if the same does not occur in a section; the
/// system's own file gets none.
#[test]
fn parts_of_blocks_and_hooks_that_never_come_up() {
    let sections = "section 1 { coins 1; use pay price=2; goto 2; }\nsection 2 { use pay price=4; test luck { yes { victory; }; no { death; }; }; }";
    let with = |declared: &str| {
        let test = "test luck { roll d6 as=r; if \"r > 6\" { death; }; yes \"r > 3\"; }";
        let block = "define pay price { if \"coins > price\" { coins -1; }; }";
        plain(&format!("counter coins max=9 start=2\n{test}\n{block}\n{declared}"), sections)
    };
    one("branch is never taken", "\"r > 6\"", &with(""), "r > 6", "r > 5");
    let hooks = ["on-enter { if \"coins > 4\" { coins -1; }; }", "on-leave { if \"coins > 4\" { coins -1; }; }"];
    for hook in hooks {
        let text = with(hook).replace("r > 6", "r > 5");
        one("branch is never taken", "\"coins > 4\"", &text, "coins > 4", "coins > 1");
    }
    let system = "system s format=1\ncounter coins max=9 start=2\non-leave { if \"coins > 4\" { coins -1; }; }\n";
    let text = "book B format=1 system=\"s.kdl\"\nstart 1\nsection 1 { coins 1; goto 2; }\nsection 2 { victory; }\n";
    let (book, _) = gamebook::read_beside(text, &|_| Ok(system.into()), &Budget::unlimited()).unwrap();
    assert_eq!(check(&book, &Budget::unlimited()).unwrap(), []);
}

#[test]
fn readings_are_all_looked_at() {
    let text = plain(
        "reading light on off\ncounter coins max=9 start=2",
        "section 1 { if \"reading light off\" { coins 3; }; if \"coins = 5\" { victory; }; death; }",
    );
    assert_eq!(messages(&text), []);
}

#[test]
fn sections_that_are_not_reached_or_left() {
    let text = plain(
        "counter coins max=9 start=2\ndefine home { goto \"Home\"; }",
        "section 1 { choice a { use home; }; choice b { goto \"Cave\"; }; }\nsection \"Home\" { victory; }\n\
         section \"Cave\" { goto \"Pit\"; }\nsection \"Pit\" { coins 1; goto \"Cave\"; }\nsection \"Attic\" { if \"coins > 1\" { victory; }; death; }",
    );
    let found = messages(&text);
    let words: Vec<&str> = found.iter().map(|(_, message)| message.as_str()).collect();
    assert!(words.contains(&"no section leads to Attic"), "{words:?}");
    assert!(words.contains(&"play never ends from section Cave on"), "{words:?}");
    assert!(words.contains(&"play never ends from section Pit on"), "{words:?}");
    assert_eq!(words.len(), 3, "{words:?}");
    let text = plain("stat health start=3 vital=#true", "section 1 { health -1; goto 1; }\n");
    let found = messages(&text);
    assert!(found.len() == 1 && found[0].1.contains("no play that begins here can be won"), "{found:?}");
}

#[test]
fn questions_without_an_answer() {
    let text = plain(
        "counter coins max=9 start=2",
        "section 1 { roll d6 as=r; coins \"-r\"; choice a { require \"coins >= 1\"; victory; }; }",
    );
    one(
        "may find none of these choices possible",
        "choice",
        &text,
        " { require \"coins >= 1\"; victory; }",
        "{ if \"coins > 0\" { victory; }; death; }",
    );
}

#[test]
fn names_that_nothing_uses() {
    let text = |declared: &str| plain(declared, "section 1 { victory; }");
    for (declared, about, words) in [
        ("counter coins max=9", "coins", "never mentioned"),
        ("stat nerve start=3", "nerve", "never mentioned"),
        ("test brave { roll d6 as=r; yes \"r > 3\"; }", "brave", "nothing uses the test"),
        ("define rest { }", "rest", "nothing uses the block"),
    ] {
        one(words, about, &text(declared), declared, "");
    }
    let set = plain("flags wet", "section 1 { set wet; victory; }");
    one("is set, but nothing asks for it", "wet", &set, "victory;", "if wet { victory; }; death;");
    let asked = plain("item key", "section 1 { if \"has key\" { victory; }; death; }");
    one("is asked for, but nothing gives it", "key", &asked, "section 1 {", "section 1 { gain key;");
}

/// A local of a fight keeps to its own range, whatever else is counted in the book.
#[test]
fn numbers_of_a_fight_are_kept_within_their_range() {
    let text = "book B format=1 system=fighting-fantasy\nstart 1\nsection 1 { fight Orc skill=0 stamina=40 { \
                local run max=3; on won { run 1; if \"run > 3\" { death; }; }; on lost { hit \"0 - hit\"; }; }; victory; }";
    let (book, _) = read(text).unwrap();
    let mut question = gamebook::Question { exact: true, ..gamebook::Question::new(&book) };
    question.situation.values = gamebook::read_values(book.system.as_ref().unwrap(), "skill=99").unwrap();
    let solved = gamebook::Solved::new(&book, &question, &mdp::ExploreOptions::default()).unwrap();
    assert_eq!(solved.win().exact, Some(mdp::ratio(1, 1)));
}

#[test]
fn what_cannot_be_remembered_is_an_error() {
    let text = plain("", "section 1 { roll d100 as=a; let b \"a * a * a\"; if \"b > 3\" { victory; }; death; }");
    let (book, _) = read(&text).unwrap();
    let found = check(&book, &Budget::unlimited()).unwrap();
    assert!(found.len() == 1 && found[0].message.contains("could be 1000000"), "{found:?}");
}
