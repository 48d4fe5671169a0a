//! What is left to do in a book is counted where it is read.

use gamebook::{Draft, read};

fn book(section: &str) -> String {
    format!(
        "book \"Draft\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 2\nhero {{ combat-skill 15; endurance 25; }}\n\
         section 1 {{ {section} goto 2; }}\nsection 2 {{ victory; }}\nsection 3 {{ todo \"nobody comes here\"; goto 2; }}\n"
    )
}

#[test]
fn todos_count_wherever_they_stand() {
    for (section, todos) in [
        ("", 1),
        ("todo \"a\";", 2),
        ("pick { when 0 4 { todo \"a\"; }; else { todo \"b\"; }; };", 3),
        ("if \"gold > 1\" { todo \"a\"; };", 2),
    ] {
        let text = book(section);
        let (book, _) = read(&text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
        assert_eq!(book.draft, Draft { todos, ..Draft::default() }, "{text}");
    }
}

/// A long draft is a book; todos that are not listed one by one are counted.
#[test]
fn many_todos_are_counted() {
    let (book, warnings) = read(&book(&"todo \"x\"; ".repeat(1_200))).unwrap();
    assert_eq!(book.draft.todos, 1_201);
    let listed = warnings.iter().filter(|own| own.message.starts_with("to do: ")).count();
    assert_eq!(listed, 500);
    assert!(warnings.iter().any(|own| own.message == "701 more `todo`s from here on"), "{warnings:?}");
}

#[test]
fn assumed_bounds_make_no_draft() {
    let text = "book Test format=1 system=none\nstart 1\ncounter gold max=9 assumed=#true\ncounter days max=9\n\
                section 1 { gold 1; days 1; victory; }\n";
    let (book, _) = read(text).unwrap();
    assert_eq!(book.draft, Draft { assumed: 1, ..Draft::default() });
    assert!(!book.draft.is_unfinished());
    let fields: Vec<String> = book.draft.fields().into_iter().map(|(name, value)| format!("{name}: {value}")).collect();
    assert_eq!(fields, ["assumed: 1"]);
    let warning = "the bounds of 1 counter are assumed: these odds hold where play stays within them";
    assert_eq!(book.draft.warning().as_deref(), Some(warning));
}
