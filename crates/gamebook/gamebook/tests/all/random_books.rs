//! Random books: the exact value is the same whatever analyses are made.

use crate::random_book::{random_book, read_random};
use budget::{Budget, Limits};
use gamebook::{Analyses, Question, Situation};
use mdp::rows::explore;
use mdp::{ExploreOptions, Rational, SolveOptions, solve};

/// Larger books are passed over.
const MOST_STATES: u64 = 8_000;

fn value(text: &str, analyses: Analyses) -> Option<Rational> {
    let (book, _) = read_random(text).ok()?;
    let question = Question { situation: Situation::default(), analyses, ..Question::new(&book) };
    let machine = question.machine(&book, &Budget::unlimited()).unwrap();
    let limits = Limits { max_states: MOST_STATES, ..Limits::default() };
    let space = explore(&machine, &ExploreOptions::default().with_budget(&Budget::new(limits))).ok()?;
    let solution = solve(space.model(), &SolveOptions::exact()).unwrap();
    solution.value_of(&space.starts()[0]).exact
}

/// Takes lines away from a book as long as its values still differ.
fn smallest(text: &str, analyses: Analyses) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut length = lines.len() / 2;
    while length > 0 {
        let mut place = 0;
        let mut shorter = false;
        while place + length <= lines.len() {
            let without = [&lines[..place], &lines[place + length..]].concat();
            let text = without.join("\n");
            match (value(&text, Analyses::default()), value(&text, analyses)) {
                (Some(expected), Some(found)) if expected != found => {
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

/// Best play is asked whether it wants to use something only where that can matter.
#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_one_value_wherever_the_player_is_asked() {
    const BOOKS: u64 = 60;
    let mut compared = 0;
    for seed in 0..BOOKS {
        let text = random_book(seed);
        let (book, _) = read_random(&text).unwrap();
        let asked = |every_question| {
            let mut question = Question { exact: true, ..Question::new(&book) };
            question.situation.every_question = every_question;
            let limits = Limits { max_states: MOST_STATES / 4, ..Limits::default() };
            let budget = Budget::new(limits);
            let machine = question.machine(&book, &budget).unwrap();
            let space = explore(&machine, &ExploreOptions::default().with_budget(&budget)).ok()?;
            let solution = solve(space.model(), &SolveOptions::exact()).unwrap();
            solution.value_of(&space.starts()[0]).exact
        };
        if let (Some(where_it_matters), Some(everywhere)) = (asked(false), asked(true)) {
            assert_eq!(where_it_matters, everywhere, "book {seed}\n{text}");
            compared += 1;
        }
    }
    assert!(compared >= BOOKS / 2, "{compared} compared");
}

#[test]
fn one_value_for_all_analyses() {
    all_agree(0, 8);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_one_value_for_all_analyses() {
    let number = |name: &str, or: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or);
    all_agree(number("FIRST_BOOK", 8), number("RANDOM_BOOKS", 72));
}

fn all_agree(first: u64, seeds: u64) {
    let (mut compared, mut proper) = (0, 0);
    for seed in first..first + seeds {
        let text = random_book(seed);
        if let Err(problems) = read_random(&text) {
            panic!("{problems:#?}\n{text}");
        }
        let Some(expected) = value(&text, Analyses::default()) else { continue };
        compared += 1;
        proper += u32::from(expected != Rational::ZERO && expected != Rational::ONE);
        let one_off = Analyses::NAMES.map(|name| (name, Analyses::default().without(name).unwrap()));
        for (name, analyses) in [("all of them", Analyses::NONE)].into_iter().chain(one_off) {
            if let Some(found) = value(&text, analyses) {
                assert!(
                    found == expected,
                    "book {seed} without {name}: {found}, with all: {expected}\n{}",
                    smallest(&text, analyses)
                );
            }
        }
    }
    println!("{compared} books of {seeds} compared, {proper} with a value between 0 and 1");
    assert!(u64::from(proper) * 4 > seeds, "{proper} books of {seeds} say something");
}
