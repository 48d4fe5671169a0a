use std::path::Path;

use gamebook::{Question, Solved};
use mdp::{ExploreOptions, Number};

use super::*;

/// The stored numbers may differ from fresh ones by rounding only.
const ROUNDING: f64 = 1e-9;

fn usual() -> OfferedBook {
    OfferedBook::built_in().find(|offered| offered.name == "fire-on-the-water").expect("a built-in book")
}

#[test]
fn the_stored_answer_is_that_of_a_fresh_solve() {
    let offered = usual();
    let options = ExploreOptions::default();
    let solved = Solved::new(&offered.book, &Question::new(&offered.book), &options).expect("no limit");
    let journey = solved.journey(&options).expect("no limit");
    let win = solved.win();
    let states = journey.states.max(solved.space().model().counts().states);
    let fresh = SolvedBook::new(offered, Number::from(&win).decimal, journey);
    if std::env::var_os("BESTPLAY_WRITE_ANSWERS").is_some() {
        let SolvedBook { offered, win, deaths, sections, way } = fresh;
        let sections = sections.iter().map(|own| (own.section, own.visited, own.win_if_here)).collect();
        let stored = StoredAnswer { mark: offered.book.mark, states, win, deaths, sections, way };
        let text = serde_json::to_string(&stored).expect("plain numbers").replace("],[", "],\n[");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/first/fire-on-the-water.json");
        return std::fs::write(path, text + "\n").expect("the source can be written");
    }
    let stored = SolvedBook::stored(&fresh.offered, states).expect("the stored answer is about this book");
    assert!(SolvedBook::stored(&fresh.offered, states - 1).is_none());
    assert!(win.lower - ROUNDING <= stored.win && stored.win <= win.upper + ROUNDING, "{} {win:?}", stored.win);
    assert_eq!(stored.way, fresh.way);
    let near = |one: f64, other: f64| (one - other).abs() <= ROUNDING;
    let same = |one: &(SectionNumber, f64), other: &(SectionNumber, f64)| one.0 == other.0 && near(one.1, other.1);
    assert_eq!(stored.deaths.len(), fresh.deaths.len());
    assert!(stored.deaths.iter().zip(&fresh.deaths).all(|(one, other)| same(one, other)));
    assert_eq!(stored.sections.len(), fresh.sections.len());
    for (one, other) in stored.sections.iter().zip(&fresh.sections) {
        assert_eq!(one.section, other.section);
        assert!(near(one.visited, other.visited) && near(one.win_if_here, other.win_if_here), "{}", one.section);
    }
}

#[test]
fn another_book_has_no_stored_answer() {
    for offered in OfferedBook::built_in() {
        let is_stored = SolvedBook::stored(&offered, u64::MAX).is_some();
        assert_eq!(is_stored, offered.name == "fire-on-the-water", "{}", offered.name);
    }
}
