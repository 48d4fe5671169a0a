//! Every rule of the mechanics, on a small book of our own.

use budget::Budget;
use import::{Extras, Imported, project_aon};

const BOOK: &[u8] = include_bytes!("../data/mill.xml");
const RULES: &[u8] = include_bytes!("../data/mill-rules.xml");
const OBJECTS: &[u8] = include_bytes!("../data/mill-objects.xml");

fn imported(patch: Option<&str>) -> Imported {
    let extras = Extras { mechanics: Some(RULES), objects: Some(OBJECTS), patch };
    project_aon(BOOK, &extras, &Budget::unlimited()).unwrap()
}

/// A section of the imported book, with its lines joined.
fn section(book: &Imported, number: u16) -> String {
    let start = book.text.find(&format!("section {number} {{")).unwrap();
    let lines: Vec<&str> = book.text[start..].split("\n\n").next().unwrap().split_whitespace().collect();
    lines.join(" ")
}

#[test]
fn effects_tests_and_choices() {
    let book = imported(None);
    assert_eq!(
        section(&book, 1),
        "section 1 { eat hunting=#false endurance -2 \
         if \"discipline tracking or discipline hunting\" { set tag-mill \
         choice \"know the tracks\" { goto 2; } \
         choice \"climb in\" { lose gold 3; goto 4; } } else { set tag-mill choice \"knock\" { goto 3; } \
         choice \"climb in\" { lose gold 3; goto 4; } } }"
    );
    assert_eq!(
        section(&book, 4),
        "section 4 { set visited-4 take { backpack; meal 2; } shop { sell axe 2; buy lamp 4 at-most=1; buy keg 9 at-most=1; buy sword 3; } \
         if \"not (gold >= 10 and meal = 0)\" { goto 6; } else { choice \"buy\" { goto 5; } choice \"leave\" { goto 6; } } }"
    );
    assert_eq!(
        section(&book, 6),
        "section 6 { lose-all weapons lose rusty-key gain combat-skill-less-2 endurance full gain rusty-key gain meal 2 \
         if \"tag-mill\" { endurance 1; goto 8; } else { death \"the end in 6\"; } }"
    );
    assert_eq!(section(&book, 10), "section 10 { victory; }");
    for line in [
        "    special rusty-key\n",
        "    backpack-item lamp heals=4 when=after-combat\n",
        "    backpack-item keg strengthens=2 places=3\n",
        "    permanent combat-skill-less-2 combat-skill=-2\n",
        "flags tag-mill visited-4\n",
    ] {
        assert!(book.text.contains(line), "{line}{}", book.text);
    }
}

#[test]
fn numbers() {
    let book = imported(None);
    let text = section(&book, 2);
    assert!(
        text.starts_with("section 2 { if \"has lamp\" { pick as=r zero-is=10 { plus 2; } if \"r <= 4\" {"),
        "{text}"
    );
    assert!(text.contains("if \"r <= 4\" { gain gold \"r + 1\"; goto 5; }"), "{text}");
    assert!(text.contains("else { endurance \"0 - r\"; gain gold \"r + 1\"; goto 6; }"), "{text}");
}

#[test]
fn fights() {
    let book = imported(None);
    assert_eq!(
        section(&book, 3),
        "section 3 { fight \"Dog\" skill=12 endurance=9 immune-to-mindblast=#true { bonus -2 rounds=1 mindforce 1 \
         stop after=4 { goto 7; } evade from-round=3 { goto 6; } } goto 5 }"
    );
    let ghost = section(&book, 5);
    assert!(
        ghost.starts_with("section 5 { if \"visited-4\" { if \"has lamp\" { lose lamp; } else-if \"has rusty-key\""),
        "{ghost}"
    );
    assert!(
        ghost
            .contains("fight \"Ghost\" skill=15 endurance=20 undead=#true if \"wounded\" { goto 6; } else { goto 8; }"),
        "{ghost}"
    );
    assert_eq!(
        section(&book, 7),
        "section 7 { one-round \"Knight\" skill=18 endurance=25 { worse { goto 6; } better { goto 8; } equal { goto 4; } } }"
    );
    let friend = section(&book, 8);
    assert!(friend.contains("fight \"Friend\" skill=14 endurance=22 immune-to-mindblast=#true {"), "{friend}");
    assert!(
        friend.contains(
            "{ bare-hands rounds=2 mindforce 1 always=#true bonus 1 if=\"discipline mindblast\" helper 2 \
             untouchable rounds=2 mock { goto 9; } } goto 10 }"
        ),
        "{friend}"
    );
    assert!(friend.contains("todo \"the combat rule `noObjectBonuses`\""), "{friend}");
}

/// The rules of section 3, alone, and of the story so far.
fn third(rules: &str, before: &str) -> String {
    let rules = format!(
        "<mechanics><section id='tssf'>{before}</section><section id='sect3'><choiceState section='all' \
         set='disabled' />{rules}</section></mechanics>"
    );
    let extras = Extras { mechanics: Some(rules.as_bytes()), objects: Some(OBJECTS), patch: None };
    let book = project_aon(BOOK, &extras, &Budget::unlimited()).unwrap();
    gamebook::read(&book.text).unwrap_or_else(|problems| panic!("{problems}\n{}", book.text));
    format!("{}\n{}", section(&book, 1), section(&book, 3))
}

#[test]
fn what_begins_after_a_number_of_rounds() {
    let text = third(
        "<disableCombats /><combat turnLoss='0' /><randomTable zeroAsTen='true'><disableCombats disabled='false' />\
         <afterCombatTurn turn='[RANDOM]'><combat turnLoss='-2' /></afterCombatTurn></randomTable>\
         <randomTableIncrement increment='+2' />\
         <afterCombats><choiceState section='sect5' set='enabled' /></afterCombats>",
        "",
    );
    let fight = "fight \"Dog\" skill=12 endurance=9 { mindforce 2 always=#true after=r; } goto 5 }";
    assert!(text.contains(&format!("section 3 {{ pick as=r zero-is=10 {{ plus 2; }} {fight}")), "{text}");
}

#[test]
fn wounds_after_the_last_round() {
    let text = third(
        "<combat eludeTurn='0' /><afterCombatTurn turn='any'><test expression='[COMBATSENDURANCELOST] &gt; 0'>\
         <disableCombats /><choiceState section='sect7' set='enabled' /></test></afterCombatTurn>\
         <afterCombats><test expression='[COMBATSENDURANCELOST] == 0'><choiceState section='sect5' set='enabled' />\
         </test></afterCombats><afterElude><test expression='[COMBATSENDURANCELOST] == 0'>\
         <choiceState section='sect6' set='enabled' /></test></afterElude>",
        "",
    );
    let fight = "first-wound { goto 7; } evade { if \"wounded\" { goto 7; } else { goto 6; } } } \
                 if \"wounded\" { goto 7; } else { goto 5; } }";
    assert!(text.contains(fight), "{text}");
}

#[test]
fn where_hunting_feeds_nobody() {
    let eats = |before: &str, rules: &str| {
        let text = third(&format!("<disableCombats />{rules}<choiceState section='sect5' set='enabled' />"), before);
        text.split_once("\nsection 3 ").unwrap().1.to_string()
    };
    let (forbidden, allowed) = ("<huntStatus enabled='false' />", "<huntStatus enabled='true' />");
    assert_eq!(eats("", "<meal />"), "{ eat; goto 5; }");
    assert_eq!(eats(forbidden, "<meal />"), "{ eat hunting=#false; goto 5; }");
    assert_eq!(eats(forbidden, &format!("{allowed}<meal />")), "{ eat; goto 5; }");
    // Who has the lamp has come to other hunting grounds.
    let some = eats(forbidden, &format!("<test hasObject='lamp'>{allowed}</test><meal />"));
    assert_eq!(some, "{ if \"has lamp\" { eat; goto 5; } else { eat hunting=#false; goto 5; } }");
}

#[test]
fn it_is_a_book_and_a_patch_changes_it() {
    let book = imported(None);
    let (_, problems) = gamebook::read(&book.text).unwrap_or_else(|problems| panic!("{problems}\n{}", book.text));
    let todos = problems.iter().filter(|problem| problem.message.starts_with("to do: ")).count();
    assert_eq!((todos, book.summary.todos.len()), (1, 1));
    let patch = "flags solved\nsection 8 {\n    set solved\n    goto 10\n}\n";
    let book = imported(Some(patch));
    assert!(book.summary.todos.is_empty());
    assert!(book.text.contains("// From the patch.\nsection 8 {\n    set solved\n    goto 10\n}\n"));
    assert!(gamebook::read(&book.text).is_ok());
}

/// Where each of several things is known not to be there, so is their alternative; what is known is not asked again.
#[test]
fn alternatives_that_are_known() {
    let rules = b"<mechanics><section id='sect1'>
        <pick objectId='brew'/>
        <test not='true' hasObject='key'><choiceState section='sect2' set='disabled'/></test>
        <test not='true' hasObject='lamp'><choiceState section='sect3' set='disabled'/></test>
        <test hasObject='key|lamp'><choiceState section='sect4' set='disabled'/></test>
    </section></mechanics>";
    let extras = Extras { mechanics: Some(rules), objects: Some(OBJECTS), patch: None };
    let book = project_aon(BOOK, &extras, &Budget::unlimited()).unwrap();
    assert!(book.summary.todos.iter().all(|(section, _)| *section != 1), "{:?}", book.summary.todos);
    assert_eq!(
        section(&book, 1),
        "section 1 { gain brew if \"not has rusty-key\" { if \"not has lamp\" { goto 4; } else { goto 3; } } \
         else { if \"not has lamp\" { goto 2; } else { choice \"know the tracks\" { goto 2; } \
         choice \"knock\" { goto 3; } } } }"
    );
    assert!(book.text.contains("    backpack-item brew strengthens=2\n"), "{}", book.text);
}

/// What follows a number is run for each of its cases: many numbers end with something to do, not after days.
#[test]
fn many_numbers_after_one_another() {
    let cases: Vec<String> = (0..10).map(|n| format!("<case value='{n}'><endurance count='-{n}'/></case>")).collect();
    let tables = format!("<randomTable>{}</randomTable>", cases.concat()).repeat(7);
    let rules = format!("<mechanics><section id='sect1'>{tables}</section></mechanics>");
    let extras = Extras { mechanics: Some(rules.as_bytes()), objects: Some(OBJECTS), patch: None };
    let book = project_aon(BOOK, &extras, &Budget::unlimited()).unwrap();
    assert!(book.summary.todos.iter().any(|(section, what)| *section == 1 && what == "too many numbers"));
}

#[test]
fn mechanics_that_are_none() {
    for rules in [&b"<mechanics/>"[..], b"", b"<mechanics><section id='sect1'>"] {
        let extras = Extras { mechanics: Some(rules), objects: Some(OBJECTS), patch: None };
        assert!(project_aon(BOOK, &extras, &Budget::unlimited()).is_err());
    }
}

#[test]
fn any_cut_or_changed_rules_end_in_a_book_or_an_error() {
    for at in (0..RULES.len()).step_by(31) {
        let mut changed = RULES.to_vec();
        changed[at] = b"<>&\"'/ 9"[at % 8];
        let extras = Extras { mechanics: Some(&changed), objects: Some(OBJECTS), patch: None };
        if let Ok(book) = project_aon(BOOK, &extras, &Budget::unlimited())
            && let Err(problems) = gamebook::read(&book.text)
        {
            panic!("byte {at}: {problems}\n{}", book.text);
        }
    }
}
