//! Situations from which the book is surely won by who plays right.

use gamebook::{Analyses, Book, Question, Solved, read};
use mdp::{ExploreOptions, Rational, ratio};

/// A tower that can be climbed for ever, treasure with nothing to do, and two ways out, of which one is sure.
const BOOK: &str = r#"
    book "Tower" format=1 rules="lone-wolf"
    start 1
    goal 9
    hero { combat-skill 15; endurance 25; }
    items { backpack-item gem; }
    section 1 { pick { when 0 6 { goto 2; }; else { gain gem; goto 3; }; }; }
    section 2 { fight "Guard" skill=18 endurance=9; goto 3; }
    section 3 {
        choice "climb" { goto 4; }
        choice "swim" { goto 5; }
        choice "walk" { require "gold >= 60"; goto 9; }
    }
    section 4 {
        choice "higher" { pick { when 0 4 { take { gem 2; }; goto 3; }; else { goto 4; }; }; }
        choice "down" { goto 6; }
    }
    section 5 { pick { when 0 { death "drowned"; }; else { goto 9; }; }; }
    section 6 { pick { when 0 4 { goto 7; }; else { goto 9; }; }; }
    section 7 { lose gem 1; goto 8; }
    section 8 { take { gem; }; goto 9; }
    section 9 { victory; }
"#;

fn solved(book: &Book, analyses: Analyses) -> Solved {
    let question = Question { exact: true, analyses, ..Question::new(book) };
    Solved::new(book, &question, &ExploreOptions::default()).expect("it is small")
}

fn win(solved: &Solved) -> Rational {
    solved.win().exact.expect("is asked for")
}

/// What follows where the book is surely won makes no states, and the value is the same.
#[test]
fn one_situation_stands_for_all() {
    let (book, _) = read(BOOK).unwrap();
    let with = solved(&book, Analyses::default());
    let without = solved(&book, Analyses::default().without("sure").unwrap());
    assert_eq!(win(&with), win(&without));
    let states = |solved: &Solved| solved.space().model().states();
    assert!(states(&with) <= 4 && states(&without) > states(&with), "{} of {}", states(&with), states(&without));
}

/// Best play is followed to its end there, round no loop.
#[test]
fn the_way_to_the_end_is_reported() {
    let (book, _) = read(BOOK).unwrap();
    let solved = solved(&book, Analyses::default());
    let journey = solved.journey(&ExploreOptions::default()).unwrap();
    assert!(journey.deaths.iter().all(|(section, _)| *section == 2), "{:?}", journey.deaths);
    assert!(journey.way.ends_with(&[3, 4, 6, 9]) || journey.way.ends_with(&[6, 7, 8, 9]), "{:?}", journey.way);
}

/// What may be left empty-handed, or stuck, is not sure.
#[test]
fn what_depends_on_what_he_has_is_not_sure() {
    let text =
        BOOK.replace("goto 8; }\n    section 8", "choice \"pay\" { require \"gold >= 1\"; goto 8; }; }\n    section 8");
    assert_ne!(text, BOOK);
    let (book, _) = read(&text).unwrap();
    let with = solved(&book, Analyses::default());
    assert_eq!(win(&with), win(&solved(&book, Analyses::NONE)));
    assert!(win(&with) < ratio(19, 20));
}
