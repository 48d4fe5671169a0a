//! What `check` says of lost heroes, keys behind their own gates, slips of signs, goods that nobody can pay, and what can be
//! had again and again: small books with each fault, and the same books without it.

use budget::Budget;
use gamebook::{Problem, Question, check, check_hero, quiet, read};

/// A book of sections, which begin with the first; `goal 9` and section 9 stand there already.
fn book(sections: &str) -> String {
    format!(
        "book B format=1 rules=lone-wolf\nstart 1\ngoal 9\n\
         hero {{ combat-skill 15; endurance 25; gold 10; learns 2; items sword; }}\n\
         items {{\n    weapon sword\n    backpack-item meal food=#true\n    backpack-item rope\n    \
         backpack-item potion heals=4 when=any-time\n    special key\n    special lantern\n}}\n\
         flags lamp\n{sections}\nsection 9 {{ victory; }}\n"
    )
}

fn problems(text: &str) -> Vec<Problem> {
    let (book, _) = read(text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
    let messages = check(&book, &Budget::unlimited()).unwrap();
    assert!(messages.iter().all(|problem| problem.help.is_some()));
    messages
}

/// The warnings about a book, each with the text that is marked.
fn messages(text: &str) -> Vec<String> {
    problems(text).into_iter().map(|own| format!("{}: {}", &text[own.span], own.message)).collect()
}

/// Checks that these sections get one warning, and none where a part is replaced or where the line suppresses it.
#[track_caller]
fn one(warning: &str, sections: &str, part: &str, instead: &str) {
    let text = book(sections);
    assert_eq!(messages(&text), [warning], "{sections}");
    assert!(sections.contains(part));
    assert_eq!(messages(&book(&sections.replace(part, instead))), [""; 0], "{instead}");
    let line = text[..problems(&text)[0].span.start].rfind('\n').unwrap();
    let silenced = format!("{}\n// quiet: it is meant{}", &text[..line], &text[line..]);
    let (left, silenced) = quiet(&silenced, problems(&silenced));
    assert_eq!((left, silenced), (vec![], 1));
}

const FORK: &str = "section 1 { choice \"a\" { goto 2; }; choice \"b\" { goto 9; }; }\n";

#[test]
fn sections_from_which_nothing_can_be_won() {
    let doomed = |rest: &str| format!("{FORK}{rest}");
    let warning = "2: no hero can win from section 2 on";
    let pit = doomed("section 2 { choice \"fall\" { goto 3; }; }\nsection 3 { death; }");
    one(warning, &pit, "{ goto 3; };", "{ goto 3; }; choice \"jump\" { goto 9; };");
    // A death is no surprise, nor what leads on from where all is lost already.
    assert_eq!(messages(&book(&doomed("section 2 { endurance -3; death; }"))), [""; 0]);
    let long = doomed("section 2 { goto 3; }\nsection 3 { goto 4; }\nsection 4 { death; }");
    assert_eq!(messages(&book(&long)), [warning]);
    // Other heroes may pass the gate, but not those who visit this section.
    let gate = "section 1 { choice \"a\" { goto 2; }; choice \"b\" { goto 3; }; }\n\
                section 2 { lose key; goto 3; }\n\
                section 3 { if \"has key\" { goto 9; }; death; }";
    one(warning, gate, "lose key", "lose rope");
    let purse = "section 1 { choice \"a\" { goto 2; }; choice \"b\" { goto 3; }; }\n\
                 section 2 { lose gold all; goto 4; }\n\
                 section 4 { gain gold 4; goto 3; }\n\
                 section 3 { choice \"pay\" { require \"gold >= 5\"; goto 9; }; choice \"die\" { death; }; }";
    one(warning, purse, "gain gold 4", "gain gold 5");
    // A loop that lets him try again.
    let again = "section 1 { choice \"a\" { goto 2; }; choice \"b\" { goto 3; }; }\n\
                 section 2 { lose gold all; goto 3; }\n\
                 section 3 { if \"gold = 0\" { goto 2; }; goto 9; }";
    assert!(messages(&book(again)).contains(&warning.to_string()), "{:?}", messages(&book(again)));
}

#[test]
fn what_one_hero_cannot() {
    let text = book(
        "section 1 { choice \"a\" { goto 2; }; choice \"b\" { goto 9; }; }\n\
         section 2 { shop { buy rope 12; }; if \"has rope and discipline tracking\" { goto 9; }; goto 3; }\n\
         section 3 { choice { require \"has key\"; gain key; goto 9; }; choice { death; }; }",
    );
    let (book, _) = read(&text).unwrap();
    let messages = |change: &dyn Fn(&mut Question)| -> Vec<String> {
        let mut question = Question::new(&book);
        change(&mut question);
        let messages = check_hero(&book, &question, &Budget::unlimited()).unwrap();
        messages.into_iter().map(|own| format!("{}: {}", &text[own.span], own.message)).collect()
    };
    let lost = "2: this hero cannot win from section 2 on";
    let dear = "rope: this hero can never pay for `rope` here";
    let locked = "gain: `key` lies behind its own gate: this hero can get it only if he has it already";
    assert_eq!(messages(&|_| {}), [lost, dear, locked]);
    assert_eq!(messages(&|own| own.hero.gold = 12), [lost, locked]);
    let tracker = |own: &mut Question| {
        own.hero.gold = 12;
        own.hero.disciplines.push(gamebook::Discipline::Tracking);
    };
    assert_eq!(messages(&tracker), [locked]);
    let with_key = |own: &mut Question| own.hero.items.push((book.item("key").unwrap(), 1));
    assert_eq!(messages(&with_key), [dear]);
}

#[test]
fn keys_behind_their_own_gates() {
    let vault = "section 1 { choice { require \"has key\"; goto 2; }; choice { goto 9; }; }\n\
                 section 2 { gain key; goto 1; }";
    let warning = "gain: `key` lies behind its own gate: only a hero who has it already can get it";
    one(warning, vault, "goto 2; }", "goto 2; }; choice { goto 2; }");
    // Three gates round, of things and flags; what is got elsewhere opens them.
    let round = "section 1 { choice { require \"has key\"; goto 2; }; choice { require \"lamp\"; goto 3; }; \
                 choice { require \"has lantern\"; goto 4; }; choice { goto 9; }; }\n\
                 section 2 { set lamp; goto 1; }\nsection 3 { take { lantern; }; goto 1; }\n\
                 section 4 { shop { buy key 0 at-most=1; }; goto 1; }";
    let found = messages(&book(round));
    let both = "set: `key` and `lantern` and `lamp` lie behind each other's gates: only a hero who has one of them already \
                can get one of them";
    assert!(found.contains(&both.to_string()), "{found:?}");
    let opened = round.replace("choice { goto 9; }", "choice { gain key; goto 9; }; choice { gain key; goto 1; }");
    assert_eq!(messages(&book(&opened)), [""; 0]);
    // What cannot be got by anybody has another reason.
    let never = "section 1 { if \"gold > 50\" { gain key; }; if \"has key\" { goto 9; }; goto 9; }";
    assert!(messages(&book(never)).iter().all(|own| !own.contains("gate")));
    // A flag that only those set who have set it.
    let flag = "section 1 { if \"lamp\" { set lamp; }; goto 9; }";
    assert!(
        messages(&book(flag)).iter().any(|own| own.contains("`lamp` lies behind its own gate")),
        "{:?}",
        messages(&book(flag))
    );
}

#[test]
fn slips_of_signs() {
    let roll = |loss: &str| format!("section 1 {{ pick r=1 {{ plus -3; }}; {loss}; goto 9; }}");
    let warning = "endurance: this loss can be a gain, of 3 at most";
    one(warning, &roll("endurance \"-r\""), "\"-r\"", "\"-max(0, r)\"");
    one(warning, &roll("endurance \"-(r)\""), "plus -3", "plus 3");
    assert_eq!(messages(&book(&roll("endurance \"r\""))), [""; 0]);
    assert_eq!(messages(&book(&roll("if \"r > 0\" { endurance \"-r\"; }"))), [""; 0]);
    one("endurance: this loss can be a gain, of 1 at most", &roll("endurance \"-2 - r\""), "-2 - r", "-3 - r");
    one("lose: this loss can be a gain, of 3 gold at most", &roll("lose gold \"r\""), "\"r\"", "\"max(r, 0)\"");
    one("gain: this gain can be a loss, of 3 gold at most", &roll("gain gold \"r\""), "\"r\"", "\"r + 3\"");
    let case = "section 1 { pick r=1 { plus -3; when -3 0 { endurance \"-r\"; goto 9; }; else { goto 9; }; }; }";
    one(warning, case, "\"-r\"", "\"r\"");
}

#[test]
fn goods_that_nobody_can_pay() {
    let shop = "section 1 { lose gold all; gain gold 4; shop { buy rope 5; buy meal 4; }; goto 9; }";
    one("rope: no hero can pay for `rope` here", shop, "gain gold 4", "gain gold 5");
    // What he sells pays for what he buys.
    assert_eq!(messages(&book(&shop.replace("buy meal 4", "sell sword 1"))), [""; 0]);
}

#[test]
fn what_can_be_had_again_and_again() {
    let larder = "section 1 { choice \"eat\" { gain meal; goto 1; }; choice \"go\" { eat; goto 9; }; }";
    one(
        "1: meal can be got here again and again, at no cost",
        larder,
        "gain meal; goto 1;",
        "if \"not lamp\" { gain meal; set lamp; }; goto 1;",
    );
    // A rope is had once; what is sold is gold.
    let ropes = larder.replace("meal", "rope");
    assert_eq!(messages(&book(&ropes)), [""; 0]);
    let sold = ropes.replace("eat; goto 9", "shop { sell rope 2; }; goto 9");
    assert_eq!(messages(&book(&sold)), ["1: rope can be got here again and again, at no cost"]);
}

/// The same where rules are of another system.
#[test]
fn books_with_a_system_of_rules() {
    let book = |sections: &str| {
        format!(
            "book B format=1 system=fighting-fantasy\nstart 1\ngoal 9\nitem key\nflags lamp\n{sections}\n\
             section 9 {{ victory; }}\n"
        )
    };
    let doomed = format!(
        "{FORK}section 2 {{ choice {{ require \"has key\"; goto 9; }}; choice {{ goto 3; }}; }}\nsection 3 {{ death; }}"
    );
    let with_key = messages(&book(&doomed));
    assert_eq!(with_key, [""; 0], "a hero may bring a key along");
    let keyless = doomed.replace("goto 2;", "if \"lamp\" { gain key; }; lose key all; goto 2;");
    let found = messages(&book(&keyless));
    assert!(found.contains(&"2: no hero can win from section 2 on".to_string()), "{found:?}");
    let vault = "section 1 { choice { require \"has key\"; goto 2; }; choice { goto 9; }; }\n\
                 section 2 { gain key; set lamp; if \"lamp\" { goto 1; }; goto 1; }";
    assert_eq!(
        messages(&book(vault)),
        ["gain: `key` lies behind its own gate: only a hero who has it already can get it"]
    );
    assert_eq!(messages(&book(&vault.replace("goto 2; }", "goto 2; }; choice { goto 2; }"))), [""; 0]);
    let roll = "section 1 { roll r=1d6; stamina \"-(r - 2)\"; if \"lamp or has key\" { goto 9; }; set lamp; gain key; goto 1; }";
    assert_eq!(messages(&book(roll)), ["stamina: this loss can be a gain, of 1 at most"]);
    assert_eq!(messages(&book(&roll.replace("-(r - 2)", "-(r - 1)"))), [""; 0]);
    let text = book(&format!("{FORK}section 2 {{ if \"skill > 9\" {{ goto 9; }}; goto 3; }}\nsection 3 {{ death; }}"));
    let (own, _) = read(&text).unwrap();
    let mut question = Question::new(&own);
    let lost = |question: &Question| check_hero(&own, question, &Budget::unlimited()).unwrap().len();
    let values = |text: &str| gamebook::read_values(own.system.as_ref().unwrap(), text).unwrap();
    question.situation.values = values("skill=9");
    assert_eq!(lost(&question), 1);
    question.situation.values = values("skill=10");
    assert_eq!(lost(&question), 0);
}
