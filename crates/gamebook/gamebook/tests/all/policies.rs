//! Readings and policies in books of Lone Wolf.

use budget::Budget;
use gamebook::{Analyses, BUILT_IN, Book, Question, Situation, Solved, check_policy, read, read_policy, read_readings};
use mdp::{ExploreOptions, Rational, ratio};

/// A book of Lone Wolf with this at its head.
fn book(head: &str, sections: &str) -> Book {
    let text = format!(
        "book \"Small\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\n\
         hero {{ combat-skill 15; endurance 20; gold 3; items sword herb=2; }}\n\
         items {{ weapon sword; weapon axe; backpack-item herb food=#true heals=2 when=any-time; }}\n\
         {head}\n{sections}\nsection 9 {{ victory; }}\n"
    );
    read(&text).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}")).0
}

/// What a question is worth with all analyses, and with none.
fn worth(book: &Book, situation: Situation) -> Rational {
    let mut question = Question { exact: true, situation, ..Question::new(book) };
    let win = |question: &Question| {
        Solved::new(book, question, &ExploreOptions::default()).unwrap().win().exact.expect("exact")
    };
    let all = win(&question);
    question.analyses = Analyses::NONE;
    assert_eq!(all, win(&question), "the same without reductions");
    all
}

/// What a policy is worth.
fn followed(book: &Book, rules: &str) -> Rational {
    let policy = read_policy(book, &format!("policy \"p\" {{ {rules} }}")).unwrap_or_else(|wrong| panic!("{wrong:#?}"));
    worth(book, Situation { policy: Some(policy), ..Situation::default() })
}

#[test]
fn a_passage_is_read_as_requested() {
    let book = book(
        "reading odds even bad hopeless",
        "section 1 { if \"reading odds even\" { pick { when 0 4 { goto 9; }; else { death; }; }; }; \
         if \"not reading odds bad\" { death; }; pick { when 0 { goto 9; }; else { death; }; }; }",
    );
    let read_as = |value: &str| {
        let readings = read_readings(&book, &[format!("odds={value}")]).unwrap();
        worth(&book, Situation { readings, ..Situation::default() })
    };
    assert_eq!(worth(&book, Situation::default()), ratio(1, 2));
    assert_eq!([read_as("even"), read_as("bad"), read_as("hopeless")], [ratio(1, 2), ratio(1, 10), ratio(0, 1)]);
    let wrong = read_readings(&book, &["odds=good".into()]).unwrap_err();
    assert_eq!(wrong.help, "write odds=even or odds=bad or odds=hopeless");
}

/// Something may be called `reading`.
#[test]
fn a_flag_may_have_any_name() {
    let book = book("flags reading", "section 1 { set reading; if \"reading and gold = 3\" { goto 9; }; death; }");
    assert_eq!(worth(&book, Situation::default()), ratio(1, 1));
}

#[test]
fn a_policy_is_followed_and_what_it_leaves_open_is_played_best() {
    let book = book(
        "",
        "section 1 { choice \"left\" { goto 2; }; choice \"right\" { goto 3; }; choice \"on\" { goto 4; }; }\n\
         section 2 { pick { when 0 4 { goto 9; }; else { death; }; }; }\n\
         section 3 { choice \"stake {s}\" each=s from=1 to=gold { pick as=r { }; if \"r < s\" { goto 9; }; death; }; }\n\
         section 4 { endurance -17; eat; if \"endurance = 5 and herb = 1\" { goto 9; }; death; }",
    );
    assert_eq!(followed(&book, ""), ratio(1, 1));
    assert_eq!(followed(&book, "always left"), ratio(1, 2));
    assert_eq!(followed(&book, "from 1 goto 3"), ratio(3, 10));
    assert_eq!(followed(&book, "from 1 goto 3; random in=3"), ratio(2, 10));
    assert_eq!(followed(&book, "never on; always \"stake {s}\""), ratio(1, 2));
    assert_eq!(followed(&book, "never on; random"), (ratio(1, 2) + ratio(2, 10)) / ratio(2, 1));
    // Nothing may be used on entering section 1 or 4.
    assert_eq!(followed(&book, "always on; never \"use herb\"; always \"eat herb\""), ratio(1, 1));
    assert_eq!(followed(&book, "always on; always \"use herb\" if=\"herb > 1\""), ratio(0, 1));
    assert_eq!(followed(&book, "always left if=\"gold >= 3\" in=2; always left if=\"gold >= 4\""), ratio(1, 1));
}

/// A reader whose policy rules out every door goes through the one that is left in the end.
#[test]
fn answers_that_are_never_given_go_one_after_another() {
    let locked = |door: usize| {
        format!(
            "choice \"door {door}\" {{ require \"gold >= {}\"; goto 2; }};",
            if door < 10 { door } else { 40 + door / 8 }
        )
    };
    let open = |door: usize| {
        let dead = if door < 9 { "else { death; };" } else { "" };
        format!(
            "choice \"door {door}\" {{ require \"gold >= {door}\"; pick {{ when 0 {door} {{ goto 9; }}; {dead} }}; }};"
        )
    };
    let doors: String = (0..10).map(open).chain((10..50).map(locked)).collect();
    let book = book(
        "",
        &format!(
            "section 1 {{ lose gold 3; pick as=r {{ }}; gain gold \"r\"; goto 3; }}\nsection 2 {{ death; }}\n\
             section 3 {{ {doors} }}"
        ),
    );
    let never = |doors: &mut dyn Iterator<Item = usize>| -> String {
        doors.map(|door| format!("never \"door {door}\"; ")).collect::<Vec<_>>().concat()
    };
    // With r crowns doors 0 to r are open, and door r leads on r + 1 times of ten.
    assert_eq!(followed(&book, &never(&mut (0..50))), ratio(55, 100));
    assert_eq!(followed(&book, &never(&mut (0..50).rev())), ratio(10, 100));
    assert_eq!(followed(&book, ""), ratio(55, 100));
    assert_eq!(followed(&book, &format!("always \"door 5\"; {}", never(&mut (0..50).rev()))), ratio(35, 100));
}

/// A weapon and the end of a fight, in fights that are best not left.
#[test]
fn a_policy_decides_fights() {
    let sections = |evade: &str| {
        format!(
            "section 1 {{ fight \"Rat\" skill=4 endurance=30 {{ {evade} }}; if \"rounds <= 3\" {{ goto 9; }}; death; }}"
        )
    };
    let own = book("", &sections("evade { death; }"));
    let stays = book("", &sections(""));
    let whole = followed(&stays, "");
    assert!(ratio(0, 1) < whole && whole < ratio(1, 1));
    assert_eq!(followed(&own, "never \"leave the fight\""), whole);
    assert_eq!(followed(&own, "always \"leave the fight\" if=\"rounds >= 4\""), whole);
    assert_eq!(followed(&own, "always \"leave the fight\""), ratio(0, 1));
    let first: Rational = followed(&own, "random if=\"rounds = 0\"");
    assert_eq!(first, whole / ratio(2, 1));
}

#[test]
fn what_is_wrong_with_a_policy_is_reported() {
    let book = book("", "section 1 { goto 9; }");
    let wrong = |rules: &str| {
        let problems = read_policy(&book, &format!("policy \"p\" {{ {rules} }}")).unwrap_err();
        problems.0[0].message.clone()
    };
    assert_eq!(wrong("alwys eat"), "`alwys` means nothing in a policy");
    assert_eq!(wrong("always eat on=hit"), "nothing has a name that happens in a round of Lone Wolf");
    assert_eq!(wrong("from 1 goto 7"), "there is no section 7");
    assert_eq!(wrong("always eat if=\"gould > 1\""), "`gould` is not the name of a number");
}

/// A rule whose label is no answer's, or whose section does not lead where it says.
#[test]
fn rules_that_nobody_can_follow_are_reported() {
    let book = book(
        "",
        "section 1 { shop { buy herb 2; sell axe 1; }; choice \"stay\" { goto 2; }; choice \"run\" { goto 9; }; }\n\
         section 2 { choice \"stake {s}\" each=s from=1 to=3 { goto 9; }; choice { goto 9; }; \
         choice \"hide\" { require \"discipline camouflage\"; goto 9; }; }",
    );
    let warned = |rules: &str| -> Vec<(String, Option<String>)> {
        let policy = read_policy(&book, &format!("policy \"p\" {{ {rules} }}")).unwrap();
        let problems = check_policy(&book, &policy, &Budget::unlimited()).unwrap();
        problems.into_iter().map(|own| (own.message, own.help)).collect()
    };
    let own = "always \"buy herb for 2\"; never \"sell axe for 1\"; always \"leave the shop\" in=1; always \"use herb\"; \
               always \"to 9\"; always \"stake {s}\" in=2; always hide; from 1 goto 2; random; first in=2";
    assert_eq!(warned(own), []);
    let mean = |label: &str| Some(format!("did you mean `{label}`?"));
    assert_eq!(
        warned("always \"buy herb\"; never stai; always stay in=2; from 2 goto 1; always \"fly\""),
        [
            ("no answer is called `buy herb`".into(), mean("buy herb for 2")),
            ("no answer is called `stai`".into(), mean("stay")),
            ("no answer in section 2 is called `stay`".into(), None),
            ("nothing in section 2 leads to 1".into(), None),
            ("no answer is called `fly`".into(), None),
        ]
        .map(|(message, help): (String, Option<String>)| {
            (message, help.or_else(|| Some("`bestplay gamebook play` shows what answers are called".into())))
        })
    );
}

#[test]
fn every_rule_of_the_policies_of_the_built_in_books_can_be_followed() {
    for (name, text) in BUILT_IN {
        let (book, _) = read(text).unwrap();
        for policy in &book.policies {
            assert_eq!(check_policy(&book, policy, &Budget::unlimited()).unwrap(), [], "{name}, {}", policy.name);
        }
    }
}
