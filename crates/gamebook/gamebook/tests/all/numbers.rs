//! Names and numbers: a book that would ask for one that is not there, or is too large, is refused.

use gamebook::{Question, Solved, read};
use mdp::{ExploreOptions, Rational, ratio};

fn book(section: &str) -> String {
    format!(
        "book B format=1 rules=lone-wolf\nstart 1\ngoal 2\nhero {{ combat-skill 15; endurance 25; gold 9; }}\n\
         counter c max=255\nsection 1 {{\n{section}\n}}\nsection 2 {{ victory; }}\n"
    )
}

fn refused(section: &str, because: &str) {
    match read(&book(section)) {
        Ok(_) => panic!("{because} should be reported in\n{section}"),
        Err(problems) => {
            let has_message = |word: &str| problems.0.iter().any(|problem| problem.message.contains(word));
            assert!(has_message(because), "{section}\n{problems:#?}");
        }
    }
}

fn value(section: &str) -> Rational {
    let (book, _) = read(&book(section)).unwrap_or_else(|problems| panic!("{section}\n{problems:#?}"));
    let question = Question { exact: true, ..Question::new(&book) };
    Solved::new(&book, &question, &ExploreOptions::default()).unwrap().win().exact.unwrap()
}

#[test]
fn expressions_that_are_too_large() {
    let large = ["1000000", "1000", "1000"].join(" * ");
    refused(&format!("if \"{large} > gold\" {{ goto 2; }}; death"), "too large");
    refused("set c \"1000000 * 1000 * (gold + 1)\"; goto 2", "can be 51000000000");
    refused("set c \"min(3, c * c * c * c)\"; goto 2", "can be");
    refused(&format!("pick {{ plus \"{}\"; else {{ goto 2; }}; }}", "1000000 * 1000"), "totals between");
    let factors = vec!["gold"; 400].join(" * ");
    refused(&format!("gain gold \"{factors}\"; goto 2"), "can be");
    assert_eq!(value("if \"50000 * 40000 + c - 1000000 * 2000 = 0\" { goto 2; }; death"), Rational::ONE);
}

#[test]
fn names_that_cannot_hold_a_number() {
    refused(
        "choice each=n from=0 to=\"gold * gold\" { set c 1; goto 2; }; choice { death; }",
        "numbers from 0 to 2500",
    );
    refused("choice each=n from=\"-3 * gold\" to=0 { goto 2; }; choice { death; }", "numbers from -150 to 0");
    refused(
        "choice each=n from=0 to=60 { pick as=r { plus \"20 * n\"; }; if \"r > 3\" { goto 2; }; goto 2; }",
        "totals",
    );
    assert_eq!(
        value("pick as=r { }; choice each=n from=0 to=\"2 * r\" { if \"n > 17\" { goto 2; }; death; }"),
        ratio(1, 10)
    );
}

#[test]
fn names_without_a_number() {
    refused("choice { pick as=r { }; }; choice { }; if \"r > 3\" { goto 2; }; death", "may have no number");
    refused("choice each=n from=0 to=3 { }; choice { }; gain gold n; goto 2", "may have no number");
    refused(
        "repeat t { if \"gold > 20\" { gain gold n; goto 2; }; choice each=n from=0 to=3 { gain gold n; again t; }; }",
        "`n`",
    );
    refused(
        "fight \"A\" skill=15 endurance=9 { evade { pick as=r { }; }; }; gain gold r; goto 2",
        "may have no number",
    );
}

#[test]
fn names_of_choices_are_not_bound_again() {
    refused("choice each=n from=0 to=3 { pick as=n { }; if \"n > 3\" { goto 2; }; death; }", "a choice around");
    refused("choice each=n from=0 to=3 { choice each=n from=5 to=9 { goto 2; }; }", "a choice around");
}

/// A number that is chosen in a loop is still known when the loop begins again.
#[test]
fn a_number_survives_a_loop() {
    let section = "pick as=n { }
        set c 0
        repeat t {
            if \"n = 12\" { pick { when 0 3 { goto 2; }; else { death; }; }; }
            if \"c > 0\" { death; }
            set c 1
            choice each=n from=11 to=13 { again t; }
            choice { death; }
        }";
    assert_eq!(value(section), ratio(2, 5));
}
