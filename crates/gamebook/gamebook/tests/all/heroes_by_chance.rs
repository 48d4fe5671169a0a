//! Heroes explored together in books in which chance draws from any number of things, each compared with the hero alone.

use std::ops::Range;

use budget::{Budget, Limits};
use gamebook::{Book, HeroChoice, HeroGroup, HeroQuantity, Question, Solved, read};
use mdp::{ExploreOptions, Value};

use crate::dice::Dice;

/// Things are drawn from up to so many.
const MOST_UNITS: u64 = 15;
/// Larger books are passed over.
const MOST_STATES: u64 = 20_000;

/// A book in which one of `units` things is lost by chance, and what comes of it is up to fights, picks and choices.
fn book(dice: &mut Dice, units: u64) -> String {
    // Of three kinds, in any shares.
    let mut shares = [0; 3];
    for _ in 0..units {
        shares[dice.place(3)] += 1;
    }
    let [rope, meal, flask] = shares;
    let weapons = dice.one_of(&["", "sword", "axe", "sword axe"]);
    let counted = |name: &str, count: u64| if count == 0 { String::new() } else { format!("{name}={count}") };
    let items = [counted("rope", rope), counted("meal", meal), counted("flask", flask)].join(" ");
    let flask = dice.one_of(&["heals=4 when=any-time", "heals=3 when=after-combat", "strengthens=2", "food=#true"]);
    let mut text = format!(
        "book \"Chances\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\n\
         hero {{ combat-skill 15; endurance 25; disciplines {}; items {weapons} pack {items}; }}\n\
         items {{\nweapon sword\nweapon axe bonus=1\nbackpack-item rope\nbackpack-item meal food=#true\n\
         backpack-item flask {flask}\ncontainer pack holds=15\n}}\n",
        dice.one_of(&["hunting", "healing tracking", "mindblast", "weaponskill=sword mindshield"]),
    );
    for section in 1..=4 {
        let mut body = String::new();
        for _ in 0..=dice.below(2) {
            body.extend([part(dice, units), "\n".into()]);
        }
        text.extend([format!("section {section} {{\n{body}{}\n}}\n", leaving(dice, section, [rope, meal]))]);
    }
    text.push_str("section 5 { fight \"last\" skill=15 endurance=12; goto 9; }\nsection 9 { victory; }\n");
    text
}

/// Something that happens.
fn part(dice: &mut Dice, units: u64) -> String {
    match dice.below(8) {
        0..3 => format!("give-up backpack-items {} by=chance", 1 + dice.below(units.min(3))),
        3 => "give-up weapons 1 by=chance".into(),
        4 => format!("endurance -{}", 1 + dice.below(4)),
        5 => {
            let count = 1 + dice.below(3);
            let last = 9 * count;
            let split = dice.below(last);
            let low = dice.one_of(&["endurance -3;", "lose rope 1;", "gain meal 1;", "death \"a fall\";"]);
            let high = dice.one_of(&["", "endurance 2;", "endurance -1;", "give-up backpack-items 1 by=chance;"]);
            format!("pick count={count} {{ when 0 {split} {{ {low} }}; when {} {last} {{ {high} }}; }}", split + 1)
        }
        6 => {
            let pick = dice.one_of(&["mine=1 first=1", "mine=2 first=1", "mine=2 first=2"]);
            format!("pick {pick} {{ when \"mine > first\" {{ }}; else {{ endurance -2; }}; }}")
        }
        _ => "eat".into(),
    }
}

fn fight(dice: &mut Dice) -> String {
    let way = dice.one_of(&[
        "",
        "",
        "evade { goto 5; }",
        "evade from-round=2 { endurance -1; goto 5; }",
        "venom 2",
        "mindforce 2",
        "stop after=2 { goto 5; }",
        "first-wound { goto 5; }",
        "slip 3 { goto 5; }",
        "bonus 2 rounds=1",
    ]);
    let (skill, endurance) = (11 + dice.below(9), 1 + dice.below(28));
    let enemies = match dice.below(4) {
        0 => format!("enemy \"one\" skill={skill} endurance={endurance}\nenemy \"two\" skill=12 endurance=6"),
        _ => format!("enemy \"one\" skill={skill} endurance={endurance}"),
    };
    format!("fight {{\n{enemies}\n{way}\n}}")
}

/// How a section goes on.
fn leaving(dice: &mut Dice, section: u64, [rope, meal]: [u64; 2]) -> String {
    let mut on = || format!("goto {}", if section == 4 { 5 } else { section + 1 + dice.below(5 - section) });
    let (first, second) = (on(), on());
    match dice.below(4) {
        0 => {
            let (rope, meal) = (dice.below(rope + 1), dice.below(meal + 1));
            let asked = dice.one_of(&["rope >= ROPE", "meal > MEAL", "rope = ROPE and meal >= MEAL", "has flask"]);
            let asked = asked.replace("ROPE", &rope.to_string()).replace("MEAL", &meal.to_string());
            format!("if \"{asked}\" {{ {first}; }}\nelse {{ {}\n{second}; }}", fight(dice))
        }
        1 => {
            let (left, right) = (fight(dice), fight(dice));
            format!("choice \"left\" {{ {left}\n{first}; }}\nchoice \"right\" {{ {right}\n{second}; }}")
        }
        2 => format!(
            "one-round \"brief\" skill={} endurance=9 {{\nworse {{ {first}; }}\nequal {{ {second}; }}\nbetter {{ goto 5; }}\n}}",
            12 + dice.below(6)
        ),
        _ => format!("{}\n{first}", fight(dice)),
    }
}

/// Compares the heroes of a book explored together with each of them alone and gives their number; `None` where the book is
/// too large.
fn compared(book: &Book, dice: &mut Dice, skills: u64) -> Option<usize> {
    let skills = i32::try_from(skills).ok()?;
    let choice = HeroChoice {
        skills: Vec::new(),
        sets: vec![(book.hero.disciplines.clone(), book.hero.weaponskill.clone())],
        equipments: vec![book.hero.items.clone()],
        numbers: vec![
            (HeroQuantity::CombatSkill, (10..10 + skills).collect()),
            (HeroQuantity::Endurance, vec![20, 23]),
        ],
    };
    let group: HeroGroup = choice.groups(book, &Question::new(book)).ok()?.swap_remove(0);
    let limits = Limits { max_states: MOST_STATES, ..Limits::default() };
    let budget = Budget::new(limits);
    let options = ExploreOptions::default().with_budget(&budget).with_threads(1);
    let mut wins: Vec<Option<Value>> = vec![None; group.rolls.len()];
    let mut found = |solved: &[(usize, Value)]| {
        for (roll, win) in solved {
            wins[*roll] = Some(win.clone());
        }
        Ok(())
    };
    group.solve(book, &options, &|_| true, &mut found).ok()?;
    // The least, the most and one between.
    let rolls = [0, group.rolls.len() - 1, dice.place(group.rolls.len())];
    for roll in rolls {
        let question = Question { exact: true, ..group.question_of(book, roll) };
        let exact = Solved::new(book, &question, &options).ok()?.win().exact.unwrap();
        let Value { lower, upper, .. } = wins[roll].clone().unwrap();
        let encloses = mdp::exactly(lower).unwrap() <= exact && exact <= mdp::exactly(upper).unwrap();
        assert!(encloses && upper - lower < 1e-9, "roll {roll}: {exact} not in {lower}..={upper}");
    }
    Some(rolls.len())
}

/// Every number of things with every number of COMBAT SKILLs explored together.
fn all_compared(seeds: Range<u64>) {
    let (mut books, mut heroes) = (0, 0);
    for seed in seeds.clone() {
        let mut dice = Dice::seeded(seed);
        let text = book(&mut dice, 1 + seed % MOST_UNITS);
        let (book, _) = read(&text).unwrap_or_else(|problems| panic!("book {seed}: {problems:#?}\n{text}"));
        let own = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            compared(&book, &mut dice, 2 + seed / MOST_UNITS % 9)
        }));
        match own {
            Ok(own) => {
                books += u64::from(own.is_some());
                heroes += own.unwrap_or(0);
            }
            Err(problem) => {
                println!("book {seed}:\n{text}");
                std::panic::resume_unwind(problem);
            }
        }
    }
    println!("{heroes} heroes of {books} books compared");
    assert!(books * 10 > (seeds.end - seeds.start) * 9, "{books} of {seeds:?} compared");
}

#[test]
fn heroes_fare_as_each_alone_whatever_is_drawn() {
    all_compared(0..270);
}

#[test]
#[ignore = "a full count: see CONTRIBUTING.md"]
fn full_count_of_books_whose_heroes_fare_as_each_alone_whatever_is_drawn() {
    all_compared(270..5270);
}

/// One of thirteen things is lost: a chance of thirteen cases is no round of a fight.
#[test]
fn thirteen_things_are_no_heroes() {
    for items in ["", "sword "] {
        let text = format!(
            "book \"Thirteen\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 2\n\
             hero {{ combat-skill 15; endurance 25; items {items}pack rope=6 meal=7; }}\n\
             items {{ weapon sword; backpack-item rope; backpack-item meal; container pack holds=13; }}\n\
             section 1 {{ give-up backpack-items 1 by=chance; if \"rope >= 6\" {{ goto 3; }}; death \"no rope\"; }}\n\
             section 3 {{ choice {{ goto 4; }}; choice {{ goto 5; }}; }}\n\
             section 4 {{ fight \"guard\" skill=18 endurance=25; goto 2; }}\n\
             section 5 {{ fight \"wolf\" skill=17 endurance=30; goto 2; }}\nsection 2 {{ victory; }}\n"
        );
        let (book, _) = read(&text).unwrap();
        assert_eq!(compared(&book, &mut Dice(1), 2), Some(3));
    }
}
