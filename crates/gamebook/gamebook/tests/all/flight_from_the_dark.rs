//! Flight from the Dark as a whole: its exact value under every reduction, for its own hero and for a weak one.

use gamebook::{Analyses, Question, Solved, built_in, read};
use mdp::{ExploreOptions, Rational, ratio};

fn win(weak: bool, analyses: Analyses) -> Rational {
    let (book, _) = read(built_in("flight-from-the-dark").unwrap()).unwrap();
    let mut question = Question { exact: true, analyses, ..Question::new(&book) };
    if weak {
        question.hero.combat_skill = 10;
        question.hero.endurance = 20;
        question.hero.disciplines.clear();
        question.hero.weaponskill = None;
        question.hero.items.clear();
        question.hero.gold = 0;
    }
    Solved::new(&book, &question, &ExploreOptions::default()).unwrap().win().exact.unwrap()
}

#[test]
fn its_own_hero_and_a_weak_one() {
    assert_eq!(win(false, Analyses::default()), ratio(99_998_401, 100_000_000));
    assert_eq!(win(true, Analyses::default()), ratio(12_277, 25_000));
}

#[test]
#[ignore = "takes minutes"]
fn the_whole_book() {
    // Without what can no longer matter being forgotten it does not fit into memory.
    for name in Analyses::NAMES.into_iter().filter(|name| *name != "forget") {
        let analyses = Analyses::default().without(name).unwrap();
        assert_eq!(win(true, analyses), ratio(12_277, 25_000), "without {name}");
    }
}
