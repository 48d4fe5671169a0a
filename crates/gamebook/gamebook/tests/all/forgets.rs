//! Kinder games: the player need not remember everything, and wins at least as often.

use budget::{Budget, Limits};
use gamebook::{Analyses, Book, CompileError, Question, Severity, SolveBookError, read, read_forgets};
use mdp::rows::explore;
use mdp::{ExploreOptions, Rational, SolveOptions, ratio, solve};

use crate::random_book::{random_book, read_random};
use crate::random_system::random_system_book;

/// What a book is worth to who need not remember these; `None` where there are more states than `most`.
fn worth(book: &Book, forgets: &[&str], analyses: Analyses, most: u64) -> Result<Option<Rational>, SolveBookError> {
    let mut question = Question { analyses, ..Question::new(book) };
    question.situation.forgets = read_forgets(book, forgets.iter().copied()).unwrap();
    let machine = question.machine(book, &Budget::unlimited())?;
    let budget = Budget::new(Limits { max_states: most, ..Limits::default() });
    let Ok(space) = explore(&machine, &ExploreOptions::default().with_budget(&budget)) else { return Ok(None) };
    let solution = solve(space.model(), &SolveOptions::exact()).unwrap();
    Ok(solution.value_of(&space.starts()[0]).exact)
}

/// The same of a small book, with all reductions and without any.
fn small(text: &str, forgets: &[&str]) -> Rational {
    let (book, _) = read(text).unwrap_or_else(|wrong| panic!("{wrong:#?}\n{text}"));
    let worth = |analyses| worth(&book, forgets, analyses, 100_000).unwrap().expect("few states");
    let all = worth(Analyses::default());
    assert_eq!(all, worth(Analyses::NONE), "the same without reductions");
    all
}

fn book(sections: &str) -> String {
    format!(
        "book \"Small\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\n\
         hero {{ combat-skill 15; endurance 20; gold 3; items sword rope meal=1; }}\n\
         items {{ weapon sword; backpack-item rope; backpack-item herb heals=2 when=any-time; \
         backpack-item meal food=#true; special key; }}\nflags known\ncounter days max=6\n\
         section 9 {{ victory; }}\n{sections}\n"
    )
}

/// So many picks of ten win.
fn one_in_ten(section: u32, wins: u32) -> String {
    format!("section {section} {{ pick {{ when 0 {} {{ goto 9; }}; else {{ death; }}; }}; }}\n", wins - 1)
}

#[test]
fn what_is_forgotten_is_answered_by_the_player() {
    // A test that is none of the player's goes as he says, to and fro.
    let text = book(&format!(
        "section 1 {{ if \"has key\" {{ goto 2; }}; goto 3; }}\n{}{}",
        one_in_ten(2, 7),
        one_in_ten(3, 4)
    ));
    assert_eq!(small(&text, &[]), ratio(4, 10));
    assert_eq!(small(&text, &["key"]), ratio(7, 10));
    assert_eq!(small(&text, &["key@2"]), ratio(4, 10));
    assert_eq!(small(&text, &["gold", "days", "rope", "meal", "known"]), ratio(4, 10));
    // Each time anew.
    let text = book("section 1 { if \"known\" { goto 2; }; death; }\nsection 2 { if \"known\" { death; }; goto 9; }");
    assert_eq!(small(&text, &["known"]), ratio(1, 1));
    assert_eq!(small(&text, &["known@2"]), ratio(0, 1));
}

#[test]
fn nobody_says_more_than_can_be() {
    // There are 50 Crowns at most, and no test of two numbers holds beyond what both can be.
    let ask = |condition: &str| book(&format!("section 1 {{ if \"{condition}\" {{ goto 9; }}; death; }}"));
    for (condition, forgets, wins) in [
        ("gold >= 50", "gold", true),
        ("gold > 50", "gold", false),
        ("gold + days > 56", "gold", false),
        ("gold + days >= 53", "gold", false),
        ("gold + days >= 50", "gold", true),
        ("gold - days > 50", "gold", false),
        ("not gold = 3", "gold", true),
        ("gold = 17 and days = 0", "gold", true),
        ("gold = 17 and days = 1", "gold", false),
        ("gold != 3", "gold", true),
        ("days >= 6 or gold < 3", "days", true),
        ("backpack-items = 2", "gold", true),
        ("backpack-items >= 3", "rope", true),
        ("backpack-items = 0", "rope", false),
        ("not backpack-items = 1", "rope", true),
    ] {
        let expected = if wins { ratio(1, 1) } else { ratio(0, 1) };
        assert_eq!(small(&ask(condition), &[forgets]), expected, "{condition}");
    }
}

#[test]
fn what_is_paid_found_and_put_aside() {
    // What is paid need not be there; what is forgotten later is asked for before.
    let text = book(&format!(
        "section 1 {{ choice \"pay\" {{ require \"gold >= 4\"; lose gold 4; goto 2; }}; choice \"do not\" {{ goto 3; }}; }}\n\
         section 2 {{ choice \"pay\" {{ require \"gold >= 4\"; goto 9; }}; choice \"do not\" {{ goto 3; }}; }}\n{}",
        one_in_ten(3, 1)
    ));
    assert_eq!(small(&text, &[]), ratio(1, 10));
    assert_eq!(small(&text, &["gold"]), ratio(1, 1));
    assert_eq!(small(&text, &["gold@2"]), ratio(1, 10));
    // What another number gets of it the player says, within what it can be.
    let text = book("section 1 { lose rope; set days \"gold + 1\"; if \"days = 5\" { goto 9; }; death; }");
    assert_eq!(small(&text, &[]), ratio(0, 1));
    assert_eq!(small(&text, &["gold"]), ratio(1, 1));
    let text = book("section 1 { set days \"gold + 1\"; if \"days = 0\" { goto 9; }; death; }");
    assert_eq!(small(&text, &["gold"]), ratio(0, 1));
    // A number that is chosen is chosen among all that could be.
    let text = book(
        "section 1 { choice \"stake {s}\" each=s from=1 to=gold { lose gold s; pick as=r { }; if \"r < s\" { goto 9; }; death; }; }",
    );
    assert_eq!(small(&text, &[]), ratio(3, 10));
    assert_eq!(small(&text, &["gold"]), ratio(1, 1));
    // Who eats need not have a Meal, and it takes no room.
    let text = book("section 1 { lose meal all; endurance -17; eat; if \"endurance >= 3\" { goto 9; }; death; }");
    assert_eq!(small(&text, &[]), ratio(0, 1));
    assert_eq!(small(&text, &["meal"]), ratio(1, 1));
}

/// The player may say so where nothing can be answered otherwise.
#[test]
fn who_can_give_no_answer_goes_on_all_the_same() {
    let text = book("section 1 { give-up backpack-items 2; if \"has rope\" { goto 9; }; death; }");
    assert_eq!(small(&text, &[]), ratio(0, 1));
    assert_eq!(small(&text, &["meal"]), ratio(1, 1));
}

#[test]
fn what_decides_chance_or_life_is_not_forgotten() {
    let refused = |sections: &str, name: &str| {
        let (book, _) = read(&book(sections)).unwrap();
        match worth(&book, &[name], Analyses::default(), 1000) {
            Err(SolveBookError::Compile(error @ CompileError::Forgotten { .. })) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    let message = "`gold` cannot be forgotten: in section 1 it decides a chance, or what is left of the hero's life";
    assert_eq!(refused("section 1 { endurance \"-gold\"; goto 9; }", "gold"), message);
    let (own, _) = read(&book("section 1 { endurance -1; goto 9; }")).unwrap();
    let wrong = |name: &str| read_forgets(&own, [name]).unwrap_err().message;
    assert_eq!(wrong("endurance"), "there is no number or item `endurance` in this book");
    assert_eq!(wrong("gold@7"), "there is no section 7");
    let text =
        "book \"Small\" format=1 system=\"none\"\nstart 1\nstat stamina start=5 vital=#true\nsection 1 { victory; }\n";
    let (own, _) = read(text).unwrap();
    let wrong = read_forgets(&own, ["stamina"]).unwrap_err().message;
    assert_eq!(wrong, "`stamina` cannot be forgotten: the hero dies without it");
}

#[test]
fn what_is_forgotten_together_has_a_name() {
    let sections =
        format!("section 1 {{ if \"has key\" {{ goto 2; }}; goto 3; }}\n{}{}", one_in_ten(2, 7), one_in_ten(3, 4));
    let text = book(&format!("kinder \"lost\" \"key\" \"gold@2\"\nkinder unlucky days\n{sections}"));
    assert_eq!(small(&text, &["lost"]), ratio(7, 10));
    assert_eq!(small(&text, &["unlucky"]), ratio(4, 10));
    assert_eq!(small(&text, &["unlucky", "rope", "lost"]), ratio(7, 10));
    let (own, _) = read(&text).unwrap();
    assert_eq!(own.kinder.iter().map(|own| own.name.as_str()).collect::<Vec<_>>(), ["lost", "unlucky"]);
    assert_eq!(read_forgets(&own, ["los"]).unwrap_err().help, "did you mean `lost`?");
    for (line, message) in [
        ("kinder \"lost\" \"kex\"", "there is no number or item `kex` in this book"),
        ("kinder \"lost\" \"key@7\"", "there is no section 7"),
        ("kinder \"rope\" \"key\"", "`rope` is something that can be forgotten itself"),
        ("kinder \"lost\" \"key\"; kinder \"lost\" \"rope\"", "`lost` occurs twice"),
        ("kinder \"lost\"", "`kinder` wants"),
        ("kinder \"lost\" 7", "a name"),
    ] {
        let problems = read(&book(&format!("{line}\n{sections}"))).unwrap_err();
        let errors = problems.0.iter().filter(|own| own.severity == Severity::Error);
        assert_eq!(errors.count(), 1, "{line}: {problems:?}");
        assert!(problems.0.iter().any(|own| own.message.contains(message)), "{line}: {problems:?}");
    }
    // However many stand there, an answer comes at once.
    for lines in [format!("kinder \"a\"{}", " key".repeat(100_000)), "kinder \"a\" \"key\"\n".repeat(100_000)] {
        assert!(read(&book(&format!("{lines}\n{sections}"))).is_err());
    }
}

/// Forgetting never makes a book worse, whatever else is forgotten; with a system of rules and without.
fn never_worse(first: u64, books: u64) {
    const MOST: u64 = 4_000;
    let (mut compared, mut better) = (0, 0);
    for seed in first..first + books {
        let text = if seed % 2 == 0 { random_book(seed) } else { random_system_book(seed) };
        let Ok((book, _)) = read_random(&text) else { continue };
        let names: Vec<String> = match &book.system {
            Some(system) => {
                system.own_variables().filter(|(_, own)| !own.vital).map(|(_, own)| own.name.clone()).collect()
            }
            None => {
                let items = book.items.iter().map(|own| own.name.clone());
                let counters = book.counters.iter().map(|own| own.name.clone());
                items.chain(counters).chain(book.flags.iter().cloned()).chain(["gold".into()]).collect()
            }
        };
        let Ok(Some(own)) = worth(&book, &[], Analyses::default(), MOST) else { continue };
        let pick = |nth: u64| {
            let place = seed.wrapping_mul(7).wrapping_add(nth * 5) % names.len() as u64;
            let name = &names[usize::try_from(place).unwrap()];
            if seed.wrapping_add(nth) % 3 == 0 { format!("{name}@2") } else { name.clone() }
        };
        let mut least = own;
        for some in 1..=3 {
            let forgets: Vec<String> = (0..some).map(pick).collect();
            let forgets: Vec<&str> = forgets.iter().map(String::as_str).collect();
            let found = match worth(&book, &forgets, Analyses::default(), MOST) {
                Ok(Some(found)) => found,
                Ok(None) | Err(SolveBookError::Compile(CompileError::Forgotten { .. })) => break,
                Err(error) => panic!("{seed}: {error}\n{text}"),
            };
            assert!(found >= least, "book {seed} without {forgets:?}: {found} after {least}\n{text}");
            if let Ok(Some(whole)) = worth(&book, &forgets, Analyses::NONE, MOST) {
                assert_eq!(found, whole, "book {seed} without {forgets:?}, without reductions\n{text}");
            }
            compared += 1;
            better += u32::from(found > least);
            least = found;
        }
    }
    assert!(compared >= books / 2 && u64::from(better) >= books / 20, "{compared} {better}");
}

#[test]
fn forgetting_is_never_worse() {
    never_worse(0, 20);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_forgetting_is_never_worse() {
    let number = |name: &str, or: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or);
    never_worse(number("FIRST_BOOK", 20), number("RANDOM_BOOKS", 640));
}
