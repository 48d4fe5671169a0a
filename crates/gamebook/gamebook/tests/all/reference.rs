//! Random books: the value is that of an interpreter that knows nothing of programs, reductions and the engine.

use std::time::Instant;

use budget::{Budget, Limits};
use gamebook::{Analyses, Book, Question, Situation, read};
use mdp::rows::explore;
use mdp::{ExploreOptions, Rational, SolveOptions, solve};

use crate::random_book::{random_book_of_large_picks, read_random};
use crate::random_pack::random_pack_book;
use crate::random_system::random_system_book;

/// Larger books are passed over.
const MOST_STATES: u64 = 2_000;
const MOST_SITUATIONS: usize = 5_000;
const MOST_OF_SYSTEMS: usize = 600;

/// The situation in which a book is played by default.
fn situation(book: &Book) -> Situation {
    Situation { policy: book.default_policy().cloned(), ..Situation::default() }
}

fn compiled(text: &str) -> Option<Rational> {
    let (book, _) = read_random(text).ok()?;
    let limits = Limits { max_states: MOST_STATES, ..Limits::default() };
    let budget = Budget::new(limits);
    let analyses = Analyses::default();
    let machine = Question { analyses, ..Question::new(&book) }.machine(&book, &budget).ok()?;
    let space = explore(&machine, &ExploreOptions::default().with_budget(&budget)).ok()?;
    let solution = solve(space.model(), &SolveOptions::exact()).ok()?;
    solution.value_of(&space.starts()[0]).exact
}

fn interpreted(text: &str) -> Option<Rational> {
    let (book, _) = read_random(text).ok()?;
    if book.system.is_some() {
        return gamebook_reference::win_by_rules(&book, &situation(&book), MOST_OF_SYSTEMS).ok();
    }
    gamebook_reference::win(&book, &book.hero, MOST_SITUATIONS).ok()
}

/// Takes lines away from a book as long as its values still differ.
fn smallest(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut length = lines.len() / 2;
    while length > 0 {
        let (mut place, mut shorter) = (0, false);
        while place + length <= lines.len() {
            let without = [&lines[..place], &lines[place + length..]].concat();
            let text = without.join("\n");
            match (compiled(&text), interpreted(&text)) {
                (Some(compiled), Some(interpreted)) if compiled != interpreted => {
                    lines = without;
                    shorter = true;
                }
                _ => place += 1,
            }
        }
        length = if shorter { lines.len() / 2 } else { length - 1 };
    }
    lines.join("\n")
}

/// Compares so many books, from this one on; larger ones are passed over.
fn compare(first: u64, books: u64, random: fn(u64) -> String) {
    let began = Instant::now();
    let (mut compared, mut wrong, mut seed) = (0, Vec::new(), first);
    while compared < books {
        let text = random(seed);
        seed += 1;
        // What is sooner found to be too large comes first.
        let both = if text.contains("system=none") {
            interpreted(&text).and_then(|expected| Some((compiled(&text)?, expected)))
        } else {
            compiled(&text).and_then(|found| Some((found, interpreted(&text)?)))
        };
        let Some((found, expected)) = both else { continue };
        compared += 1;
        if found != expected {
            let text = smallest(&text);
            println!(
                "book {}: {:?} compiled, {:?} interpreted\n{text}\n",
                seed - 1,
                compiled(&text).map(|value| value.to_string()),
                interpreted(&text).map(|value| value.to_string())
            );
            wrong.push(seed - 1);
        }
        assert!(seed < first + 20 * books, "most books are too large: {compared} compared");
    }
    println!("{compared} of {} books compared in {:?}", seed - first, began.elapsed());
    assert!(wrong.is_empty(), "books {wrong:?} differ");
}

#[test]
fn books_are_worth_what_the_interpreter_says() {
    compare(0, 6, random_book_of_large_picks);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_books_are_worth_what_the_interpreter_says() {
    compare(6, 94, random_book_of_large_picks);
}

#[test]
#[ignore = "takes minutes: see CONTRIBUTING.md"]
fn many_books_are_worth_what_the_interpreter_says() {
    let number = |name: &str, or: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or);
    compare(number("FIRST_BOOK", 1_000), number("RANDOM_BOOKS", 1_000), random_book_of_large_picks);
}

/// A book is worth so much to both.
fn is_worth(text: &str, expected: &str) {
    let written = |value: Option<Rational>| value.map(|value| value.to_string());
    let both = [compiled(text), interpreted(text)].map(written);
    assert_eq!(both, [Some(expected.to_string()), Some(expected.to_string())], "compiled, interpreted:\n{text}");
}

/// The hero has two ropes at most: things of which only the number is recorded do not stand for more ropes in his backpack.
#[test]
fn things_that_are_counted_together_are_no_more_than_each_may_be() {
    let text = r#"
book "Ropes" format=1 system="lone-wolf"
start 1
goal 10
items {
    backpack-item meal food=#true
    backpack-item rope most=2
    backpack-item chest places=2
}
hero { combat-skill 15; endurance 20; disciplines mindblast; gold 7; items meal=2; }
section 1 {
    shop { buy rope 1; buy chest 2 at-most=1; }
    if "backpack-room <= 1" { pick { when 0 7 { goto 10; }; else { }; }; }
    pick { when 0 2 { goto 10; }; else { death; }; }
}
section 10 { victory; }
"#;
    is_worth(text, "3/10");
    is_worth(&text.replace("most=2", "most=3"), "43/50");
    is_worth(&text.replace("rope most=2", "rope"), "43/50");
}

/// Every answer of the inner question is as good as the others, for the book is surely won; always giving the first one would
/// never end.
#[test]
fn best_play_ends_where_the_book_is_surely_won() {
    let text = r#"
book "Coins" format=1 system=none
start 1
stat health start=3 initial=#true vital=#true max=5
counter coins max=3 start=0
section 1 {
    choice "take {n}" each=n from=0 to="min(coins, 2)" {
        coins "-n"; health 1; coins 1;
        repeat again { choice on { require "coins > 0"; coins -1; set coins 2; again again; }; choice off { }; }
    }
    roll d6 { when 1 2 { goto 6; }; else { goto 6; }; }
}
section 6 { victory; }
"#;
    is_worth(text, "1");
}

/// A loop within the loop has come to its end when its body begins again.
#[test]
fn again_after_a_loop_that_has_ended_is_that_around_it() {
    let loops = "repeat inner { ROLL { when 1 { again inner; }; else { }; }; }
        ROLL { when 1 2 { again outer; }; else { }; }";
    let none = r#"
book "Loops" format=1 system=none
start 1
stat health start=3 initial=#true vital=#true max=5
section 1 { repeat outer { health -1; LOOPS; }; goto 6; }
section 6 { victory; }
"#;
    is_worth(&none.replace("LOOPS", loops).replace("ROLL", "roll d6"), "8/9");
    let kai = r#"
book "Loops" format=1 rules="lone-wolf"
start 1
goal 6
hero { combat-skill 15; endurance 20; }
section 1 { repeat outer { endurance -7; LOOPS; }; goto 6; }
section 6 { victory; }
"#;
    is_worth(&kai.replace("LOOPS", loops).replace("ROLL", "pick"), "24/25");
}

/// Who loses what raised something vital, and has none left, is dead, unless something brings him back.
#[test]
fn who_has_nothing_vital_left_without_a_thing_is_dead() {
    let text = r#"
book "Helm" format=1 system=none
start 1
goal 6
stat health start=1 initial=#true vital=#true max=5
counter doses max=1
container bag holds=3 carried=#true
item-stat tough max=1 raises=health
kind worn tough=1
items { worn helm start=1 in=bag; item rope in=bag; }
DEATH
section 1 { health.initial -1; LOSE; health 1; goto 6; }
section 6 { victory; }
"#;
    let saved = "on-death { if \"doses = 0\" { doses 1; raise health.initial 1; health 1; resume; }; }";
    for lose in
        ["lose helm", "set helm 0", "lose-all worn", "lose-all bag", "give-up bag", "give-up bag by=chance", "lose bag"]
    {
        let text = text.replace("LOSE", lose);
        is_worth(&text.replace("DEATH", ""), "0");
        is_worth(&text.replace("DEATH", saved), "1");
    }
    // He is not made to drop it.
    is_worth(&text.replace("LOSE", "gain rope 3").replace("DEATH", ""), "1");
}

#[test]
fn random_systems_can_be_read() {
    for seed in 0..100 {
        let text = random_system_book(seed);
        if let Err(problems) = read(&text) {
            panic!("book {seed}: {problems:?}\n{text}");
        }
    }
}

#[test]
fn systems_are_worth_what_the_interpreter_says() {
    compare(0, 6, random_system_book);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_systems_are_worth_what_the_interpreter_says() {
    compare(6, 94, random_system_book);
}

#[test]
#[ignore = "takes minutes: see CONTRIBUTING.md"]
fn many_systems_are_worth_what_the_interpreter_says() {
    let number = |name: &str, or: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or);
    compare(number("FIRST_BOOK", 1_000), number("RANDOM_BOOKS", 1_000), random_system_book);
}

#[test]
fn books_with_much_to_carry_are_worth_what_the_interpreter_says() {
    compare(0, 6, random_pack_book);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_books_with_much_to_carry_are_worth_what_the_interpreter_says() {
    compare(6, 94, random_pack_book);
}

#[test]
#[ignore = "takes minutes: see CONTRIBUTING.md"]
fn many_books_with_much_to_carry_are_worth_what_the_interpreter_says() {
    let number = |name: &str, or: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or);
    compare(number("FIRST_BOOK", 1_000), number("RANDOM_BOOKS", 1_000), random_pack_book);
}
