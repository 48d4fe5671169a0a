//! Books whose rules are those of Lone Wolf with other numbers.

use budget::Budget;
use gamebook::{Analyses, Book, Hero, Question, ReadError, RolledHero, Situation, read_beside};
use mdp::rows::explore;
use mdp::{ExploreOptions, Rational, SolveOptions, ratio, solve};

/// Reads a book whose rules differ like this.
fn read_with(rules: &str, book: &str) -> Result<Book, String> {
    let beside = |name: &str| match name {
        "my-kai.kdl" => Ok(format!("system \"my-kai\" format=1 like=\"lone-wolf\"\n{rules}\n")),
        _ => Err("there is none".into()),
    };
    match read_beside(book, &beside, &Budget::unlimited()) {
        Ok((book, _)) => Ok(book),
        Err(ReadError::Problems(problems)) => {
            Err(format!("{} | {}", problems.0[0].message, problems.0[0].help.clone().unwrap_or_default()))
        }
        Err(error) => panic!("{error}"),
    }
}

/// A book of these sections; the second is the goal.
fn book(hero: &str, sections: &str) -> String {
    format!(
        "book \"B\" format=1 system=\"my-kai.kdl\"\nstart 1\ngoal 2\nitems {{ weapon axe; weapon sword; backpack-item rope; }}\n\
         hero {{ {hero}; }}\n{sections}\nsection 2 {{ victory; }}\n"
    )
}

/// The probability to win, whatever analyses are made, and by the interpreter of books.
fn win(rules: &str, text: &str) -> Rational {
    let book = read_with(rules, text).unwrap_or_else(|problem| panic!("{problem}\n{rules}\n{text}"));
    let expected = gamebook_reference::win(&book, &book.hero, 10_000).unwrap();
    for analyses in [Analyses::default(), Analyses::NONE] {
        let question = Question { situation: Situation::default(), analyses, ..Question::new(&book) };
        let machine = question.machine(&book, &Budget::unlimited()).unwrap();
        let space = explore(&machine, &ExploreOptions::default()).unwrap();
        let solution = solve(space.model(), &SolveOptions::exact()).unwrap();
        assert_eq!(solution.value_of(&space.starts()[0]).exact, Some(expected.clone()), "{rules}\n{text}");
    }
    expected
}

/// In this table a round decides: the hero wins with 4 of 10 numbers where both are equal, with one more for each
/// column to the right.
fn decided_in_a_round() -> String {
    let cell = |row: i32, column: i32| if row < column + 4 { "\"k/0\"" } else { "\"0/k\"" };
    let row = |row| (-6..=6).map(|column| cell(row, column)).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = (0..10).map(|number| format!("row {number} {}", row(number))).collect();
    format!("combat-table {{\n{}\n}}", rows.join("\n"))
}

#[test]
fn fights_by_other_numbers() {
    let fought = |rules: &str, hero: &str, enemy: &str| {
        let hero = format!("combat-skill 15; endurance 25; {hero}");
        let sections = format!("section 1 {{ fight \"Orc\" skill=15 endurance=9 {enemy}; goto 2; }}");
        win(&format!("{}\n{rules}", decided_in_a_round()), &book(&hero, &sections))
    };
    // Without a weapon: -4 is two columns to the left.
    assert_eq!(fought("", "gold 0", ""), ratio(2, 10));
    assert_eq!(fought("unarmed combat-skill=-2", "gold 0", ""), ratio(3, 10));
    assert_eq!(fought("unarmed combat-skill=0", "gold 0", ""), ratio(4, 10));
    assert_eq!(fought("unarmed combat-skill=3", "gold 0", ""), ratio(6, 10));
    // Who has a weapon fights with it.
    assert_eq!(fought("unarmed combat-skill=3", "items axe", ""), ratio(4, 10));
    assert_eq!(fought("", "items sword; disciplines weaponskill=sword", ""), ratio(5, 10));
    let skilled = "discipline weaponskill combat-skill=6";
    assert_eq!(fought(skilled, "items sword; disciplines weaponskill=sword", ""), ratio(7, 10));
    assert_eq!(fought(skilled, "items axe; disciplines weaponskill=sword", ""), ratio(4, 10));
    let mindblast = "discipline mindblast combat-skill=4";
    assert_eq!(fought(mindblast, "items axe; disciplines mindblast", ""), ratio(6, 10));
    assert_eq!(fought(mindblast, "items axe; disciplines mindblast", "immune-to-mindblast=#true"), ratio(4, 10));
}

#[test]
fn hunger_and_healing_by_other_numbers() {
    // He eats nothing three times in two sections: with 7 ENDURANCE he lives when that costs 2, gets 3 back in between.
    let sections = "section 1 { eat; eat; goto 3; }\nsection 3 { eat; if \"endurance = 4\" { goto 2; }; death; }";
    let rules = "endurance from=\"d6 + 1\"\nhunger endurance=-2\ndiscipline healing endurance=3";
    assert_eq!(win(rules, &book("endurance 7; disciplines healing", sections)), ratio(1, 1));
    assert_eq!(win(rules, &book("endurance 6; disciplines healing", sections)), ratio(0, 1));
    // The dice's mean, rounded down, where the book does not say it: 4.5 is 4.
    let mean = "section 1 { if \"endurance = 4 and combat-skill = 12\" { goto 2; }; death; }";
    assert_eq!(win(&format!("{rules}\ncombat-skill from=\"3d6 + 2\""), &book("gold 0", mean)), ratio(1, 1));
}

#[test]
fn other_loads() {
    let rules = "gold most=200\nweapons most=3\nbackpack most=10\nlearns 1\nranks cub wolf";
    let sections = "section 1 {\n    gain gold 250\n    take { axe 2; sword 2; rope 12; }\n\
                    if \"gold = 200 and weapons = 3 and rope = 10 and rank cub and not rank wolf\" { goto 2; }\n    death\n}";
    assert_eq!(win(rules, &book("disciplines hunting", sections)), ratio(1, 1));
    let container = |holds: &str| {
        book("items pack", "section 1 { if \"backpack-room = 10\" { goto 2; }; death; }")
            .replace("weapon axe;", &format!("container pack{holds};"))
    };
    assert_eq!(win(rules, &container("")), ratio(1, 1));
    assert_eq!(win(rules, &container(" holds=9")), ratio(0, 1));
}

#[test]
fn heroes_of_other_rules() {
    let rules = "combat-skill from=\"d2 + 3\" start=4\nendurance from=\"d4\"\ngold most=70";
    let sections = "section 1 { if \"combat-skill = 5 and endurance >= 2\" { goto 2; }; death; }";
    let book = |hero: &str| read_with(rules, &book(hero, sections));
    assert!(book("combat-skill 5; endurance 1; gold 70").is_ok());
    assert!(book("combat-skill 3").unwrap_err().contains("4 to 5 are possible"));
    assert!(book("gold 71").unwrap_err().contains("0 to 70 are possible"));
    // He is rolled as the rules say.
    let book = book("rolled combat-skill endurance").unwrap();
    let question = Question { exact: true, ..Question::new(&book) };
    let made = RolledHero::new(&book, &question, &book.creation, &ExploreOptions::default()).unwrap();
    assert_eq!((made.rolls.len(), made.win.exact), (8, Some(ratio(1, 2) * ratio(3, 4))));
    let strong = Hero { combat_skill: 6, ..book.hero.clone() };
    assert_eq!(strong.check(&book).unwrap_err().to_string(), "a combat skill of 6: a hero has 4 to 5");
}

/// Problems of the rules are reported at the book's `system`, with their place in the file.
#[test]
fn wrong_rules_are_reported() {
    let sections = "section 1 { goto 2; }";
    let wrong = |rules: &str| read_with(rules, &book("gold 0", sections)).unwrap_err();
    for (rules, message) in [
        ("hunger 2", "line 2, column 1: `hunger` wants no argument, not 1 | write `hunger endurance=-3`"),
        ("hunger endurance=2", "line 2, column 8: `endurance` is a whole number here, not `2` | -99 to 0 are possible"),
        ("gold most=256", "column 6: `most` is a whole number here, not `256` | 1 to 255 are possible"),
        ("weapons most=16", "1 to 15 are possible"),
        ("weapons", "no property of `weapons` | write `weapons most=2`"),
        ("backpack most=0", "1 to 15 are possible"),
        ("learns 11", "0 to 10 are possible"),
        ("combat-skill", "no property of `combat-skill` | write `combat-skill from="),
        ("combat-skill from=ten", "`ten` are no dice | write dice like"),
        ("endurance from=\"d100 + 20\"", "the dice bring 21 to 120, and `endurance` is 1 to 99"),
        ("endurance from=\"d10\" start=11", "1 to 10 are possible"),
        ("discipline hunting endurance=1", "the discipline of hunting has no number | weaponskill, mindblast and"),
        ("discipline helaing endurance=1", "there is no discipline `helaing`"),
        ("discipline healing combat-skill=1", "what does healing do? | write endurance=1"),
        ("discipline mindblast combat-skill=21", "-20 to 20 are possible"),
        ("discipline mindblast combat-skill=1 endurance=1", "mindblast has nothing to do with `endurance`"),
        ("ranks cub cub", "`cub` occurs twice | keep one"),
        ("ranks \"old wolf\"", "`old wolf` is not a name"),
        ("gold most=3\ngold most=4", "line 3, column 1: `gold` occurs a second time | keep one"),
        ("discipline healing endurance=1\ndiscipline healing endurance=2", "`discipline healing` occurs a second time"),
        ("combat-table { row 1; }", "2 errors, the first in line 2, column 1: the table lacks row 0, 1, 2, 3"),
        ("hunger2 endurance=-2", "did you mean `hunger`?"),
        ("stat luck", "`stat` means nothing at the head of a system like lone-wolf"),
    ] {
        let found = wrong(rules);
        assert!(found.starts_with("the system `my-kai.kdl` has ") && found.contains(message), "{rules}: {found}");
    }
    let text = book("gold 0", sections);
    let messages = |system: &str| match read_beside(&text, &|_| Ok(system.into()), &Budget::unlimited()) {
        Err(ReadError::Problems(problems)) => format!("{:?}", problems.0[0]),
        other => panic!("{other:?}"),
    };
    let of_others = messages("system \"x\" format=1 like=\"fighting\"\n");
    assert!(of_others.contains("a system cannot be like `fighting`"), "{of_others}");
    let forgotten = messages("system \"x\" format=1\nhunger endurance=-2\n");
    assert!(
        forgotten.contains("`hunger` means nothing at the head of a system") && forgotten.contains("like="),
        "{forgotten}"
    );
}
