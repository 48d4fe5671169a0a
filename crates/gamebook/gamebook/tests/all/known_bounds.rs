//! What is known of built-in books that are too large to be solved in a moment: of which text it was computed, and that it is
//! what comes out again.

use budget::{Budget, Limits};
use gamebook::{KnownBounds, Question, Solved, built_in, known_bounds, policy_named, read, read_forgets};
use mdp::ExploreOptions;

/// The books of which bounds are known.
fn books() -> impl Iterator<Item = (gamebook::Book, &'static KnownBounds)> {
    let names = gamebook::BUILT_IN.iter().map(|(name, _)| *name);
    let book = |name| read(built_in(name).expect("it is built in")).expect("it can be read").0;
    names.map(book).filter_map(|book| known_bounds(&book).map(|known| (book, known)))
}

#[test]
fn bounds_are_known_of_books_as_they_are() {
    let known: Vec<&str> = books().map(|(_, known)| known.book).collect();
    let marks = || gamebook::BUILT_IN.iter().map(|(name, text)| (*name, read(text).expect("it can be read").0.mark));
    assert_eq!(
        known,
        ["shadow-on-the-sand"],
        "a book was edited: compute its bounds anew, as crates/gamebook/books/src/bounds.rs says, and write them there with its mark: {:#x?}",
        marks().collect::<Vec<_>>()
    );
    for (book, known) in books() {
        let named = read(built_in(known.book).expect("it is built in")).expect("it can be read").0;
        assert_eq!(book.title, named.title);
        assert!(0.0 < known.at_least && known.at_least < known.at_most && known.at_most < 1.0);
    }
}

#[test]
#[ignore = "takes a minute and 7 GB: see CONTRIBUTING.md"]
fn known_bounds_are_what_comes_out_again() {
    let budget = Budget::new(Limits { max_memory: 12 << 30, max_states: u64::from(u32::MAX), ..Limits::default() });
    for (book, known) in books() {
        let options = ExploreOptions::default().with_budget(&budget);
        let solve = |question: &Question| Solved::new(&book, question, &options).expect("it fits").win();
        let mut question = Question::new(&book);
        question.situation.policy = Some(policy_named(&book, known.policy).expect("it is there").clone());
        let policy = solve(&question);
        assert!(known.at_least <= policy.lower && policy.upper - known.at_least < 1e-7, "{policy:?}");
        let mut question = Question::new(&book);
        question.situation.forgets = read_forgets(&book, [known.kinder]).expect("it is there");
        let kinder = solve(&question);
        assert!(kinder.upper <= known.at_most && known.at_most - kinder.lower < 1e-7, "{kinder:?}");
    }
}
