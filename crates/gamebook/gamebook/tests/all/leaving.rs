//! What must be carried out of a book, against the book whose end asks for it, and closed forms.

use gamebook::{Book, Question, Solved, read, read_leaving};
use mdp::{ExploreOptions, Rational, ratio};

use crate::random_book::{random_book, read_random};
use crate::random_system::random_system_book;

fn win(book: &Book, leaving: &[&str]) -> Rational {
    let mut question = Question { exact: true, ..Question::new(book) };
    question.situation.leaving = read_leaving(book, leaving.iter().copied()).unwrap();
    Solved::new(book, &question, &ExploreOptions::default()).unwrap().win().exact.unwrap()
}

#[test]
fn leaving_with_a_thing_costs_what_it_costs() {
    let text = r#"
        book "Toll" format=1 rules="lone-wolf"
        start 1
        goal 9
        hero { combat-skill 15; endurance 25; gold 6; }
        items { backpack-item rope; special ring; weapon sword; }
        section 1 { take { rope; sword; }; pick { when 0 6 { goto 2; }; else { death "a pit"; }; }; }
        section 2 {
            choice "buy" { lose gold 4; gain ring; goto 3; }
            choice "go" { goto 3; }
        }
        section 3 {
            choice "pay" { require "gold >= 3"; lose gold 3; goto 9; }
            choice "climb" { require "has rope"; lose rope; pick { when 0 7 { goto 9; }; else { death "falls"; }; }; }
            choice "jump" { pick { when 0 4 { goto 9; }; else { death "falls"; }; }; }
        }
        section 9 { victory; }
    "#;
    let (book, _) = read(text).unwrap_or_else(|problems| panic!("{problems}"));
    for (leaving, expected) in [
        (&[][..], ratio(7, 10)),
        (&["sword"], ratio(7, 10)),
        (&["gold=3", "rope"], ratio(7, 10)),
        // He buys it, and has not enough left to pay.
        (&["ring"], ratio(7 * 8, 100)),
        (&["ring", "rope"], ratio(7 * 5, 100)),
        (&["gold=4"], ratio(7 * 8, 100)),
        (&["gold=4", "ring"], Rational::ZERO),
    ] {
        assert_eq!(win(&book, leaving), expected, "{leaving:?}");
    }
    let wrong = |name: &str| read_leaving(&book, [name]).unwrap_err().message;
    assert_eq!(wrong("lamp"), "there is no item `lamp` in this book");
    assert_eq!(wrong("gold=0"), "`gold=0`: this cannot be");
    assert_eq!(wrong("ring=two"), "`ring=two`: this cannot be");
}

/// Random books, against the same with the question in their last section.
#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_random_books_end_as_if_they_asked() {
    let (mut compared, mut differ) = (0, 0);
    for seed in 0..400 {
        let (text, names, end, asks) = if seed % 2 == 0 {
            (random_book(seed), ["gold=2", "gold=5"], "section 10 { victory; }", "gold")
        } else {
            (random_system_book(seed), ["coins=2", "rope"], "section 6 { victory; }", "coins")
        };
        let others = text.matches("victory").count() > 1;
        if others || !text.contains(end) || text.contains("on-enter") {
            continue;
        }
        let name = names[usize::from(seed % 4 > 1)];
        let condition = match name.split_once('=') {
            Some((_, number)) => format!("{asks} >= {number}"),
            None => format!("has {name}"),
        };
        // The end is entered from a section that asks.
        let number = if seed % 2 == 0 { 10 } else { 6 };
        let asking = format!(
            "section {number} {{ if \"{condition}\" {{ goto 99; }}; else {{ death \"without\"; }}; }}\nsection 99 {{ victory; }}"
        );
        let asked = text.replace(end, &asking).replace(&format!("goal {number}"), "goal 99");
        let (Ok((book, _)), Ok((asked, _))) = (read_random(&text), read_random(&asked)) else { continue };
        let solvable = |book: &Book| {
            let machine = Question::new(book).machine(book, &budget::Budget::unlimited()).ok()?;
            let limits = budget::Limits { max_states: 20_000, ..budget::Limits::default() };
            let budget = budget::Budget::new(limits);
            mdp::rows::explore(&machine, &ExploreOptions::default().with_budget(&budget)).ok().map(|_| ())
        };
        if solvable(&book).is_none() || solvable(&asked).is_none() || book.default_policy().is_some() {
            continue;
        }
        let found = win(&book, &[name]);
        assert_eq!(found, win(&asked, &[]), "{seed}: {name}\n{text}");
        compared += 1;
        differ += u32::from(found != win(&book, &[]));
    }
    assert!(compared > 10 && differ > 2, "{compared} {differ}");
}
