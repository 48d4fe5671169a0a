//! What heals, in sections with a fight: where a reading, or a surprise, keeps the hero from it.

use gamebook::{Analyses, Question, Solved, read, read_readings};
use gamebook_reference::win as reference;
use mdp::{ExploreOptions, Rational, ratio};

/// A hero of 20 ENDURANCE with something that gives 4 back.
fn text(when: &str, before: &str, sections: &str) -> String {
    format!(
        "book B format=1 rules=lone-wolf\nstart 1\ngoal 9\n\
         hero {{ combat-skill 15; endurance 20; items potion; }}\n\
         items {{ backpack-item potion heals=4 when={when}{before}; backpack-item draught strengthens=5; }}\n\
         reading potions may may-not\n{sections}\nsection 8 {{ death; }}\nsection 9 {{ victory; }}\n"
    )
}

fn win(text: &str, readings: &[&str], every_question: bool, analyses: Analyses) -> Rational {
    let (book, _) = read(text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
    let mut question = Question { exact: true, analyses, ..Question::new(&book) };
    let readings: Vec<String> = readings.iter().map(ToString::to_string).collect();
    question.situation.readings = read_readings(&book, &readings).unwrap();
    question.situation.every_question = every_question;
    Solved::new(&book, &question, &ExploreOptions::default()).unwrap().win().exact.unwrap()
}

/// The value as it is read without a word, and by the other reading.
fn values(when: &str, sections: &str) -> (Rational, Rational) {
    let own = text(when, " before-fights=\"reading potions may\"", sections);
    let other = text(when, " before-fights=\"reading potions may-not\"", sections);
    let mut found = [Vec::new(), Vec::new()];
    for (text, readings, place) in [
        (&own, &["potions=may"][..], 0),
        (&own, &["potions=may-not"][..], 1),
        // What the first value forbids.
        (&other, &["potions=may-not"][..], 0),
        (&other, &[][..], 1),
    ] {
        for every_question in [false, true] {
            for analyses in [Analyses::default(), Analyses::NONE] {
                found[place].push(win(text, readings, every_question, analyses));
            }
        }
    }
    for (text, place) in [(&own, 0), (&other, 1)] {
        let (book, _) = read(text).unwrap();
        found[place].push(reference(&book, &book.hero, 100_000).expect("a small book"));
    }
    let [may, may_not] = found.map(|values| {
        assert!(values.iter().all(|value| *value == values[0]), "{values:?}\n{own}");
        values[0].clone()
    });
    (may, may_not)
}

/// The hero wins for sure, or never.
const SURE: i64 = 1;
const NEVER: i64 = 0;

fn check(when: &str, sections: &str, may: i64, may_not: i64) {
    let expected = (ratio(may, 1), ratio(may_not, 1));
    assert_eq!(values(when, sections), expected, "{when}: {sections}");
}

/// Who has 14 wins, who has 10 must fight, and falls.
const TEST: &str = "if \"endurance >= 14\" { goto 9; }; fight \"Giant\" skill=40 endurance=90; goto 8";

#[test]
fn before_a_fight() {
    check("any-time", &format!("section 1 {{ endurance -10; {TEST} }}"), SURE, NEVER);
    // A fight in one branch is one that it can come to.
    let branch = "choice { endurance -10; if \"endurance >= 14\" { goto 9; }; goto 8; }; \
                  choice { one-round Giant skill=40 endurance=90 { worse { goto 8; }; equal { goto 8; }; better { goto 8; }; }; }";
    check("any-time", &format!("section 1 {{ {branch} }}"), SURE, NEVER);
    check("any-time", "section 1 { endurance -10; if \"endurance >= 14\" { goto 9; }; goto 8; }", SURE, SURE);
}

#[test]
fn in_the_section_before() {
    for (when, sections) in [
        ("any-time", format!("section 1 {{ endurance -10; goto 2; }}\nsection 2 {{ {TEST} }}")),
        (
            "any-time",
            format!(
                "section 1 {{ endurance -10; pick {{ when 0 4 {{ goto 2; }}; else {{ goto 2; }}; }} }}\nsection 2 {{ {TEST} }}"
            ),
        ),
        // It can be used on entering the second section only.
        (
            "on-entering",
            format!("section 1 {{ endurance -10; goto 2; }}\nsection 2 {{ goto 3; }}\nsection 3 {{ {TEST} }}"),
        ),
    ] {
        check(when, &sections, SURE, SURE);
    }
    let at_once = format!("section 1 {{ endurance -10; goto 2; }}\nsection 2 {{ {TEST} }}");
    check("on-entering", &at_once, SURE, NEVER);
}

/// An enemy who falls in the first round at the latest, and whom the hero cannot hurt himself on.
const EASY: &str = "fight \"Rat\" skill=0 endurance=1 { untouchable; }";

#[test]
fn after_a_fight() {
    for when in ["after-combat", "since-combat", "any-time"] {
        let sections = format!("section 1 {{ endurance -10; {EASY}; {TEST} }}");
        check(when, &sections, SURE, SURE);
    }
    // Since the fight of another section.
    let sections = format!("section 1 {{ {EASY}; goto 2; }}\nsection 2 {{ endurance -10; {TEST} }}");
    check("since-combat", &sections, SURE, NEVER);
    let sections = format!("section 1 {{ {EASY}; endurance -10; goto 2; }}\nsection 2 {{ {TEST} }}");
    check("since-combat", &sections, SURE, SURE);
}

#[test]
fn taken_by_surprise() {
    for when in ["any-time", "since-combat", "on-entering"] {
        let sections = format!("section 1 no-potions=#true {{ endurance -10; {TEST} }}");
        check(when, &sections, NEVER, NEVER);
    }
    // Without a fight, too, and in all sections that say so.
    let sections = format!(
        "section 1 {{ goto 2; }}\nsection 2 no-potions=#true {{ endurance -10; goto 3; }}\n\
         section 3 no-potions=#true {{ {TEST} }}"
    );
    check("any-time", &sections, NEVER, NEVER);
    let sections = format!("section 1 no-potions=#true {{ endurance -10; goto 2; }}\nsection 2 {{ {TEST} }}");
    check("any-time", &sections, SURE, NEVER);
    // After the first fight it is over.
    let sections = format!("section 1 no-potions=#true {{ endurance -10; {EASY}; {TEST} }}");
    check("any-time", &sections, SURE, SURE);
}

#[test]
fn what_strengthens() {
    let worth = |potions: &str, bonus: &str| {
        let sections =
            format!("section 1{potions} {{ gain draught; fight \"A\" skill=18 endurance=12{bonus}; goto 9; }}");
        let (may, may_not) = values("any-time", &sections);
        assert_eq!(may, may_not);
        may
    };
    let (with, without) = (worth("", ""), worth(" no-potions=#true", ""));
    assert!(with > without);
    assert_eq!(without, worth("", " { no-potions; }"));
    // In the second fight of the section it helps.
    let second = |potions: &str| {
        values(
            "any-time",
            &format!("section 1{potions} {{ {EASY}; gain draught; fight \"A\" skill=18 endurance=12; goto 9; }}"),
        )
        .0
    };
    assert_eq!(second(" no-potions=#true"), with);
    assert_eq!(second(""), with);
}

#[test]
fn what_is_written_wrongly() {
    let messages = |text: &str| match read(text) {
        Ok(_) => panic!("it is read: {text}"),
        Err(problems) => problems.0.into_iter().map(|own| own.message).collect::<Vec<_>>(),
    };
    let section = "section 1 { goto 9; }";
    assert_eq!(
        messages(&text("any-time", " before-fights=\"gold > 3\"", section)),
        ["`\"gold > 3\"` is not a reading"]
    );
    assert_eq!(messages(&text("any-time", " before-fights=\"reading potions ever\"", section)), ["it is not read so"]);
    let without =
        text("any-time", "", section).replace("draught strengthens=5", "draught before-fights=\"reading potions may\"");
    assert_eq!(messages(&without), ["`before-fights` without `heals`"]);
}
