//! Advice marks every best answer, and none that is only nearly as good.

use gamebook::{Advice, Book, Play, Question, SectionNumber, Solved, read};
use mdp::{ExploreOptions, ratio};

fn book(text: &str) -> Book {
    read(text).unwrap_or_else(|problems| panic!("{problems}")).0
}

/// The same book with picked numbers, by the rules of Lone Wolf, and with dice, by a system of rules.
fn equal_ways() -> [Book; 2] {
    [include_str!("../books/equal-ways.kdl"), include_str!("../books/equal-ways-none.kdl")].map(book)
}

fn solved(book: &Book, start: SectionNumber, exact: bool) -> Solved {
    let question = Question { start, exact, ..Question::new(book) };
    Solved::new(book, &question, &ExploreOptions::default()).expect("it is small")
}

fn best(advice: &[Advice]) -> Vec<&str> {
    advice.iter().filter(|answer| answer.best).map(|answer| answer.label.as_str()).collect()
}

/// Section 1: three equal answers, and one that is worth 10^-15 less. Section 10: one that is worth 10^-15 more.
#[test]
fn all_best_answers_are_marked() {
    for book in equal_ways() {
        for exact in [true, false] {
            for (start, near, expected) in
                [(1, "nearly", &["left", "middle", "right"][..]), (10, "slightly more", &["slightly more"])]
            {
                let solved = solved(&book, start, exact);
                let advice = solved.advise();
                assert_eq!(advice.len(), 5);
                assert_eq!(best(&advice), expected, "{}, exact: {exact}", book.title);
                let win = |label: &str| {
                    advice.iter().find(|answer| answer.label == label).and_then(|answer| answer.win.clone()).unwrap()
                };
                assert_eq!(win("left"), win("middle"));
                if exact {
                    let little = ratio(1, 1_000_000_000_000_000);
                    let more = if start == 1 { ratio(1, 2) - little } else { ratio(1, 2) + little };
                    assert_eq!((win("right").exact, win(near).exact), (Some(ratio(1, 2)), Some(more)));
                } else {
                    // The bounds do not say it.
                    assert!(win(near).lower <= win("right").upper && win("right").lower <= win(near).upper);
                    assert_eq!(win(near).exact, None);
                }
                let first = solved.first_choices();
                assert_eq!((first.len(), first[0].section), (1, start));
                assert_eq!(best(&first[0].answers), expected);
                assert_eq!(best(&Play::with_hints(&solved, 1).hints()), expected);
            }
        }
    }
}

#[test]
fn a_guide_says_how_often_an_answer_is_best() {
    for book in equal_ways() {
        for exact in [true, false] {
            let guide = solved(&book, 1, exact).guide(&ExploreOptions::default()).expect("it is small");
            let answers = &guide.sections[&1].questions[0].answers;
            let best: Vec<f64> = answers.iter().map(|answer| answer.best).collect();
            // Floating point does not distinguish values that differ by 10^-15.
            assert_eq!(best, [1.0, 1.0, 1.0, if exact { 0.0 } else { 1.0 }, 0.0]);
            assert_eq!(answers.iter().map(|answer| answer.taken).sum::<f64>(), 1.0);
        }
    }
}

/// Where none can be won any more all answers are equal.
#[test]
fn hopeless_answers_are_equal() {
    let book = book(
        r#"
        book "Lost" format=1 rules="lone-wolf"
        start 1
        goal 9
        hero { combat-skill 15; endurance 25; }
        section 1 { choice "now" { death "a pit"; }; choice "later" { goto 2; }; }
        section 2 { pick { when 0 4 { death "a trap"; }; else { death "a snake"; }; }; }
        section 9 { victory; }
        "#,
    );
    for exact in [true, false] {
        assert_eq!(best(&solved(&book, 1, exact).advise()), ["now", "later"]);
    }
}

/// Too much follows to be solved exactly on the way: without exact values all that may be best is marked.
#[test]
fn what_is_too_large_to_be_decided_may_be_best() {
    let race = |section: SectionNumber, low: &str, high: &str| {
        format!(
            "section {section} {{ if \"a = 110\" {{ goto 9; }}; if \"b = 110\" {{ goto 8; }}; \
             pick {{ when 0 4 {{ set {low} \"{low} + 1\"; }}; else {{ set {high} \"{high} + 1\"; }}; }}; goto {section}; }}\n"
        )
    };
    let chain: Vec<String> = (20..35)
        .map(|own| format!("section {own} {{ pick {{ when 0 {{ goto {}; }}; else {{ goto 2; }}; }}; }}\n", own + 1))
        .collect();
    let book = book(&format!(
        "book \"A race\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\ncounter a max=110\ncounter b max=110\n\
         hero {{ combat-skill 15; endurance 25; }}\n\
         section 1 {{ choice \"one\" {{ goto 2; }}; choice \"other\" {{ goto 3; }}; \
         choice \"nearly\" {{ goto 20; }}; choice \"home\" {{ goto 8; }}; }}\n\
         {}{}section 8 {{ death; }}\nsection 9 {{ victory; }}\n{}section 35 {{ goto 8; }}\n",
        race(2, "a", "b"),
        race(3, "b", "a"),
        chain.concat(),
    ));
    assert_eq!(best(&solved(&book, 1, true).advise()), ["one", "other"]);
    let near = solved(&book, 1, false);
    assert!(near.space().model().states() > 10_000);
    assert_eq!(best(&near.advise()), ["one", "other", "nearly"]);
}

/// A round in which nobody is hurt is fought again: an answer that leads to one is worth what it is where nothing else can be
/// answered.
#[test]
fn an_answer_that_leads_to_a_fight_is_worth_what_it_alone_is() {
    let text = |answers: &str| {
        format!(
            "book \"Gate\" format=1 system=\"fighting-fantasy\"
            start 1
            hero {{ skill 9; stamina 12; luck 7; provisions 0; }}
            section 1 {{ {answers} }}
            section 2 {{ roll d6 {{ when 4 6 {{ victory; }}; else {{ death; }}; }}; }}"
        )
    };
    let (climb, storm) =
        ("choice \"climb\" { goto 2; };", "choice \"storm\" { fight \"Guard\" skill=9 stamina=8; goto 2; };");
    let win = |answers: &str| {
        let book = book(&text(answers));
        let question = Question { exact: true, ..Question::new(&book) };
        Solved::new(&book, &question, &ExploreOptions::default()).unwrap().win().exact.unwrap()
    };
    let book = book(&text(&format!("{climb} {storm}")));
    let question = Question { exact: true, ..Question::new(&book) };
    let (_, answers) = Solved::advised(&book, &question, &ExploreOptions::default()).unwrap();
    let worth = |answer: &Advice| answer.win.clone().unwrap().exact.unwrap();
    assert_eq!((answers[0].label.as_str(), worth(&answers[0])), ("climb", ratio(1, 2)));
    assert_eq!((answers[1].label.as_str(), worth(&answers[1])), ("storm", win(storm)));
    assert!(worth(&answers[1]) > ratio(1, 10) && worth(&answers[1]) < ratio(1, 2));
}
