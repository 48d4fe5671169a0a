//! What `check` says of books that can be played: small books in which something is never possible, and the same
//! books with what makes it possible.

use budget::Budget;
use gamebook::{Problem, Severity, check, quiet, read};

/// A book of sections, which begin with the first; `goal 9` and an empty section 9 stand there already.
fn book(sections: &str) -> String {
    format!(
        "book B format=1 rules=lone-wolf\nstart 1\ngoal 9\n\
         hero {{ combat-skill 15; endurance 25; learns 2; fixed pack; items sword; }}\n\
         items {{\n    weapon sword\n    weapon axe\n    backpack-item meal food=#true\n    \
         backpack-item potion heals=4 when=any-time\n    special key\n    special helmet endurance=2\n    \
         container pack holds=4\n}}\nflags lamp\ncounter score max=9\n{sections}\nsection 9 {{ victory; }}\n"
    )
}

/// The warnings about the whole book: of which text, and what.
fn warnings(sections: &str) -> Vec<(String, String)> {
    let text = book(sections);
    let (book, _) = read(&text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
    let mut reported = check(&book, &Budget::unlimited()).unwrap();
    // What leads to death by several sections is only noted.
    reported
        .retain(|problem| problem.severity != Severity::Note || !problem.message.starts_with("no hero can win from"));
    assert!(reported.iter().all(|problem| problem.severity == Severity::Warning && problem.help.is_some()));
    reported.into_iter().map(|problem| (text[problem.span].to_string(), problem.message)).collect()
}

/// Checks that exactly one warning with these words is reported, and none when a part of the text is replaced.
#[track_caller]
fn one(words: &str, sections: &str, part: &str, instead: &str) {
    let reported = warnings(sections);
    assert!(reported.len() == 1 && reported[0].1.contains(words), "{sections}: {reported:?}");
    assert!(sections.contains(part));
    assert_eq!(warnings(&sections.replace(part, instead)), [], "{instead}");
}

#[test]
fn sections_that_are_not_reached() {
    one("no section leads to 3", "section 1 { goto 9; }\nsection 3 { goto 9; }", "{ goto 9; }\n", "{ goto 3; }\n");
    let circle =
        "section 1 { goto 9; }\nsection 3 { goto 4; }\nsection 4 { pick { when 0 4 { goto 3; }; else { goto 9; }; }; }";
    let reported = warnings(circle);
    assert_eq!(reported.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(), ["3", "4"]);
    assert!(reported.iter().all(|(_, message)| message.contains("cannot be reached from the start")), "{reported:?}");
    // Behind a condition that never holds.
    let reported = warnings("section 1 { lose-all gold; if \"gold > 0\" { goto 3; }; goto 9; }\nsection 3 { goto 9; }");
    assert_eq!(reported.len(), 2);
    assert!(
        reported[0].1.contains("never holds") && reported[1].1.contains("section 3 can never be reached"),
        "{reported:?}"
    );
}

#[test]
fn sections_that_are_never_left() {
    let pit = "section 1 { choice { goto 9; }; choice { goto 3; }; }\nsection 3 { goto 4; }\nsection 4 { goto 3; }";
    let reported = warnings(pit);
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(reported[0].1.contains("play never ends from section 3 on"), "{reported:?}");
    for way in [
        "endurance -1; goto 4;",
        "eat; goto 4;",
        "fight A skill=9 endurance=9; goto 4;",
        "pick { when 0 { death; }; else { goto 4; }; };",
    ] {
        assert_eq!(warnings(&pit.replace("section 3 { goto 4; }", &format!("section 3 {{ {way} }}"))), [], "{way}");
    }
    // A table that no hero can leave: the gold is lost before.
    let table =
        "section 1 { lose gold all; repeat r { set score \"score + 1\"; if \"gold > 3\" { goto 9; }; again r; }; }";
    let reported = warnings(table);
    assert!(reported.iter().any(|(_, message)| message.contains("play never ends from section 1 on")), "{reported:?}");
    assert_eq!(warnings(&table.replace("set score \"score + 1\"", "gain gold 1; set score \"score + 1\"")), []);
    assert!(warnings("section 1 { death; }").iter().any(|(_, message)| message.contains("can be won")));
}

#[test]
fn choices_that_nobody_can_take() {
    let choice = |before: &str, require: &str| {
        format!(
            "section 1 {{ {before}; goto 2; }}\nsection 2 {{ choice {{ require \"{require}\"; goto 9; }}; choice {{ goto 9; }}; }}"
        )
    };
    let cases = [
        ("set lamp", "gold > 50", "gold > 49"),
        ("set lamp", "gold >= 3 and gold < 3", "gold >= 3 and gold < 4"),
        ("set lamp", "not lamp", "lamp"),
        ("lose key", "has key", "not has key"),
        ("lose-all weapons", "has axe", "weapons = 0"),
        ("lose-all container", "has meal", "has key"),
        ("lose-all container", "backpack-room > 0", "backpack-room = 0"),
        ("set lamp", "weapons > 2", "weapons > 1"),
        ("set lamp", "meal >= 3 and potion >= 2", "meal >= 2 and potion >= 2"),
        ("set lamp", "rank doan", "rank intuite"),
        ("set lamp", "discipline healing and disciplines = 0", "discipline healing and disciplines = 2"),
        (
            "set lamp",
            "discipline healing and discipline hunting and discipline tracking",
            "discipline healing and discipline hunting",
        ),
        ("set score 4", "score > 4", "score = 4"),
        ("set score \"min(gold, 3)\"", "score > 3", "score = 3"),
        ("if \"has key\" { lose key; }", "has key", "not has key"),
        ("set lamp", "max-endurance > 31", "max-endurance > 30"),
        ("set lamp", "combat-skill < 10", "combat-skill < 11"),
    ];
    for (before, never, possible) in cases {
        one("no hero can ever take this choice", &choice(before, never), never, possible);
    }
    // What comes back between.
    for between in [
        "gain key",
        "take { key; }",
        "shop { buy key 3; }",
        "if \"gold > 3\" { gain key; }",
        "pick { when 0 { gain key; }; else { }; }",
    ] {
        assert_eq!(warnings(&choice(&format!("lose key; {between}"), "has key")), [], "{between}");
    }
    // What is worn changes what follows from it.
    assert_eq!(warnings(&choice("if \"max-endurance > 25\" { death; }; gain helmet", "max-endurance > 26")), []);
    // What heals may be drunk where no question is asked.
    assert_eq!(warnings(&choice("if \"not has potion\" { death; }", "not has potion")), []);
}

#[test]
fn branches_and_cases() {
    let section = |body: &str| format!("section 1 {{ {body} }}");
    one(
        "this never holds",
        &section("lose key; if \"has key\" { set lamp; }; if lamp { eat; }; goto 9;").replace("if lamp { eat; }; ", ""),
        "lose key",
        "lose meal",
    );
    one(
        "never taken",
        &section("if \"gold > 3\" { goto 9; }\n else-if \"gold > 4\" { goto 9; }\n else { goto 9; }"),
        "gold > 4",
        "gold > 2",
    );
    one(
        "`else` is never reached",
        &section("if \"gold > 3\" { goto 9; }\n else-if \"gold < 4\" { goto 9; }\n else { eat; goto 9; }"),
        "gold < 4",
        "gold < 3",
    );
    one(
        "case never comes up",
        &section("pick { when 0 9 { goto 9; }; when 10 { goto 9; }; }"),
        "pick {",
        "pick { plus 1 if=\"has key\";",
    );
    one("`else` is never reached", &section("pick { when 0 9 { goto 9; }; else { goto 9; }; }"), "0 9", "0 8");
    one(
        "case never comes up",
        &section("pick a=1 b=1 { when \"a > 9 + b\" { goto 9; }; else { goto 9; }; }"),
        "9 + b",
        "8 + b",
    );
}

#[test]
fn questions_without_an_answer() {
    let section = "section 1 { choice { require \"gold > 3\"; goto 9; }; choice { require \"has key\"; goto 9; }; }";
    one("may find none of these choices possible", section, "has key", "gold < 5");
    let reported = warnings(section);
    assert!(reported[0].1.contains("gold 0 to 3") && reported[0].1.contains("without key"), "{reported:?}");
}

#[test]
fn names_that_nothing_uses() {
    let reported = |text: &str| -> Vec<(Severity, String)> {
        let (_, reported) = read(text).unwrap();
        reported.into_iter().map(|problem| (problem.severity, problem.message)).collect()
    };
    let text = book("section 1 { goto 9; }");
    let found = reported(&text);
    for words in ["`key` is never mentioned", "`lamp` is never mentioned", "`score` is never mentioned"] {
        assert!(found.contains(&(Severity::Warning, words.into())), "{found:?}");
    }
    let text = book("section 1 { set lamp; set score 3; gain key; goto 9; }");
    assert_eq!(
        reported(&text),
        [
            (Severity::Note, "`key` is given, but nothing asks for it".into()),
            (Severity::Warning, "`lamp` is set, but nothing asks for it".into()),
            (Severity::Warning, "`score` is set, but nothing asks for it".into()),
        ]
    );
    let text = book("section 1 { if \"lamp and score > 3 and has key\" { goto 9; }; goto 9; }");
    assert_eq!(
        reported(&text),
        [
            (Severity::Note, "`key` is asked for, but nothing gives it".into()),
            (Severity::Warning, "`lamp` is asked for, but never set".into()),
            (Severity::Warning, "`score` is asked for, but never set".into()),
        ]
    );
    let text = book(
        "section 1 { set lamp; set score 3; gain key; if \"lamp and score > 3 and has key\" { goto 9; }; goto 9; }",
    );
    assert_eq!(reported(&text), []);
    // What only a policy asks for is asked for.
    let text = book("section 1 { set lamp; set score 3; gain key; goto 9; }");
    let text = format!("{text}policy \"p\" {{ never \"wait\" if=\"lamp and score > 3 and has key\"; }}\n");
    assert_eq!(reported(&text), []);
}

/// The books of the project have no warnings.
fn is_clean(text: &str) {
    let (book, reported) = read(text).unwrap();
    assert!(reported.iter().all(|problem| problem.severity == Severity::Note), "{}: {reported:?}", book.title);
    let (reported, _) = quiet(text, check(&book, &Budget::unlimited()).unwrap());
    // What leads to death by several sections is meant, and only noted.
    let is_note = |own: &&Problem| own.severity == Severity::Note && own.message.starts_with("no hero can win from");
    let reported =
        reported.iter().filter(|own| !is_note(own)).map(|own| format!("{:?} {}", own.position(text), own.message));
    assert_eq!(reported.collect::<Vec<_>>(), [""; 0], "{}", book.title);
}

#[test]
fn books_of_the_project() {
    is_clean(include_str!("../books/crossing.kdl"));
    is_clean(gamebook::built_in("fire-on-the-water").unwrap());
}

#[test]
#[ignore = "takes half a minute"]
fn thorough_books_of_the_project() {
    for (_, text) in gamebook::BUILT_IN {
        is_clean(text);
    }
}

#[test]
fn further_looks() {
    let book = |sections: &str| {
        let head =
            "book \"B\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\nhero { combat-skill 15; endurance 25; }\n";
        format!("{head}flags drunk\n{sections}\nsection 9 {{ victory; }}")
    };
    let found = |text: &str| -> Vec<String> {
        let (book, problems) = read(text).unwrap_or_else(|problems| panic!("{problems:?}"));
        let found = check(&book, &Budget::unlimited()).unwrap();
        problems.into_iter().chain(found).map(|problem| problem.message).collect()
    };
    // A well that heals again and again; with a flag it heals once, and what costs something is no well.
    let well = |drink: &str| {
        book(&format!(
            "section 1 {{ choice \"drink\" {{ {drink} }}; choice \"go\" {{ if \"drunk\" {{ goto 9; }}; goto 9; }}; }}"
        ))
    };
    assert_eq!(
        found(&well("endurance 2; set drunk; goto 1;")),
        ["endurance can be got here again and again, at no cost"]
    );
    let once = "if \"not drunk\" { endurance 2; set drunk; }; goto 1;";
    assert_eq!(found(&well(once)), [""; 0]);
    assert_eq!(found(&well("endurance 2; lose gold 1; set drunk; goto 1;")), [""; 0]);
    let risky = "pick { when 0 { death; }; else { endurance 2; }; }; set drunk; goto 1;";
    assert_eq!(found(&well(risky)), [""; 0]);
    // A draft.
    let draft = "stub 4 5\nsection 1 { choice \"a\" { goto 4; }; choice \"b\" { set drunk; goto 5; }; \
                 choice \"c\" { require \"drunk\"; goto 9; }; choice \"d\" { goto 9; }; }";
    let messages = found(&book(draft));
    assert_eq!(messages[..2], ["section 4 is not written yet", "section 5 is not written yet"], "{messages:?}");
    let twice = read(&book("stub 1\nsection 1 { set drunk; if \"drunk\" { goto 9; }; goto 9; }")).unwrap_err();
    assert_eq!(twice.0[0].message, "section 1 stands in the book");
}
