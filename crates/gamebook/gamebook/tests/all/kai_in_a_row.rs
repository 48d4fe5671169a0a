//! The figures of `docs/kai-books.md`: the Kai books in a row, for who follows their policy `frugal`.

use std::path::Path;

use budget::Budget;
use gamebook::{BUILT_IN_SERIES, InMemory, SeriesQuestion, built_in, read_series};
use mdp::ExploreOptions;

#[test]
#[ignore = "takes minutes and gigabytes"]
fn the_kai_books_followed_frugally_are_worth_what_is_published() {
    let books = |name: &str| built_in(name).map(String::from).ok_or_else(|| format!("there is no {name}"));
    let (_, text) = BUILT_IN_SERIES.iter().find(|(name, _)| *name == "lone-wolf-kai").unwrap();
    let series = read_series(text, &books, &|_| Err("no other file".into()), &Budget::unlimited());
    let (mut series, _) = series.unwrap_or_else(|error| panic!("{error}"));
    for policy in series.books.iter_mut().flat_map(|own| &mut own.book.policies) {
        policy.is_default = policy.name == "frugal";
    }
    let question = SeriesQuestion { plays: 100_000, seed: 5, ..SeriesQuestion::new(&series) };
    let solved = series.solve(&question, &InMemory::default(), &ExploreOptions::default()).unwrap();
    println!("{:?}\n{:?}\n{:?}\n{} plays won", solved.win, solved.books, solved.states, solved.plays_won);
    assert!(solved.win.width() < 1e-11, "{:?}", solved.win);
    let Ok(docs) = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/kai-books.md"))
    else {
        return eprintln!("SKIPPED: docs/kai-books.md is not here");
    };
    assert!(docs.contains(&format!("gives **{:.3} %**", 100.0 * solved.win.decimal())), "{:?}", solved.win);
    for ((own, reached), states) in series.books.iter().zip(&solved.books).zip(&solved.states) {
        let line = format!("{:>7.3} % {:>9.3} % {states:>13}", 100.0 * reached.reached, 100.0 * reached.win);
        let known = docs.lines().any(|known| known.trim().starts_with(&own.book.title) && known.ends_with(&line));
        assert!(known, "{}{line}", own.book.title);
    }
}
