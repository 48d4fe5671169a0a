//! Best play section by section, held against what follows from it: deaths and wins share all heroes, those who come to
//! a section came from somewhere, and an answer is worth what the book is worth to a player who insists on it.

use gamebook::{Book, NodeKind, Question, Solved, read};
use mdp::ExploreOptions;

fn crossing() -> Book {
    read(include_str!("../books/crossing.kdl")).expect("the book is right").0
}

fn solved(book: &Book) -> Solved {
    Solved::new(book, &Question::new(book), &ExploreOptions::default()).expect("it is small")
}

fn near(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}

#[test]
fn the_guide_and_the_journey_tell_the_same() {
    let book = crossing();
    let (solved, options) = (solved(&book), ExploreOptions::default());
    let journey = solved.journey(&options).unwrap();
    let guide = solved.guide(&options).unwrap();
    let mut dead = 0.0;
    for (section, own) in &guide.sections {
        let deaths: f64 = own.deaths.values().sum();
        let known =
            journey.deaths.iter().find(|(other, _)| other == section).map_or(0.0, |(_, probability)| *probability);
        assert!(near(deaths, known), "section {section}: {deaths} die, and {known}");
        dead += deaths;
    }
    assert!(near(dead + journey.win.decimal(), 1.0), "{dead} die, {} win", journey.win.decimal());
    let mut once = 0;
    for visit in &journey.sections {
        // Who comes again from elsewhere counts twice; all others came from one place.
        let from = &guide.sections[&visit.section].from;
        let sum: f64 = from.values().sum();
        assert!(sum >= visit.visited - 1e-9, "section {}: {sum} come, and {}", visit.section, visit.visited);
        assert!(from.values().all(|one| *one <= visit.visited + 1e-9), "section {}: {from:?}", visit.section);
        once += usize::from(near(sum, visit.visited));
    }
    assert!(once * 2 > journey.sections.len(), "in {once} of {} sections nobody comes twice", journey.sections.len());
    let questions = guide.sections.values().flat_map(|own| &own.questions);
    let mut asked = 0;
    for question in questions {
        asked += 1;
        let taken: f64 = question.answers.iter().map(|answer| answer.taken).sum();
        assert!(near(taken, question.asked), "{question:?}");
        assert!(question.answers.iter().all(|answer| answer.taken <= answer.offered + 1e-12), "{question:?}");
        let situations: f64 = question.situations.iter().map(|situation| situation.probability).sum();
        assert!(situations <= question.asked + 1e-9, "{question:?}");
        for situation in &question.situations {
            assert!(situation.taken < question.answers.len(), "{question:?}");
        }
    }
    assert!(asked > 3, "{asked} questions");
}

#[test]
fn an_answer_is_worth_what_it_is_to_who_insists_on_it() {
    let book = crossing();
    let whole = solved(&book);
    let guide = whole.guide(&ExploreOptions::default()).unwrap();
    let answers = &guide.sections[&book.start].questions[0].answers;
    assert!(answers.len() > 1 && answers.iter().any(|answer| answer.taken == 0.0), "{answers:?}");
    let mut best = 0.0f64;
    for answer in answers {
        let to = answer.section.expect("every choice of the first section leads on at once");
        let insisting = book.insisting(book.start, to).expect("a choice leads there");
        let win = solved(&insisting).win().decimal();
        assert!(answer.win.is_some_and(|own| near(win, own)), "to {to}: {win} and {:?}", answer.win);
        best = best.max(win);
    }
    assert!(near(best, whole.win().decimal()));
}

#[test]
fn who_insists_still_has_the_other_questions() {
    let book = crossing();
    let target = *book.outline(book.start).targets.first().unwrap();
    let insisting = book.insisting(book.start, target).unwrap();
    for (section, own) in &book.sections {
        if *section != book.start {
            assert_eq!(format!("{own:?}"), format!("{:?}", insisting.sections[section]));
        }
    }
    let [node] = &insisting.sections[&book.start].body[..] else { panic!("one question") };
    assert!(matches!(&node.kind, NodeKind::Choices(choices) if choices.len() == 1));
    assert!(book.insisting(book.start, 999).is_none() && book.insisting(999, target).is_none());
}

/// A hero of a system of rules has no ENDURANCE and no gold that could be left aside: what is declared first counts.
#[test]
fn what_is_carried_tells_situations_apart() {
    let text = r#"
        book "Item first" format=1 system="none"
        item torch max=1
        start 1
        section 1 { roll d6 as=r { when "r >= 4" { torch 1; goto 2; }; else { goto 2; }; }; }
        section 2 { choice "left" { if "torch = 1" { goto 3; }; else { goto 4; }; }; choice "right" { death; }; }
        section 3 { victory; }
        section 4 { roll d6 as=r { when "r >= 4" { victory; }; else { death; }; }; }
    "#;
    let (book, _) = read(text).unwrap();
    let options = ExploreOptions::default();
    let solved = Solved::new(&book, &Question::new(&book), &options).unwrap();
    let guide = solved.guide(&options).unwrap();
    let situations = &guide.sections[&2].questions[0].situations;
    let mut wins_by_items: Vec<(usize, Option<f64>)> =
        situations.iter().map(|own| (own.items.len(), own.win)).collect();
    wins_by_items.sort_by_key(|own| own.0);
    assert_eq!(wins_by_items, [(0, Some(0.5)), (1, Some(1.0))]);
}

/// What is asked again is counted once of each hero: nine in ten come to 2, three in ten of those who look come back by 4, each
/// time with a crown more.
#[test]
fn how_many_are_asked_is_no_expected_number() {
    let text = r#"
        book "Looking" format=1 rules="lone-wolf"
        start 1
        goal 9
        hero { combat-skill 15; endurance 20; }
        section 1 { pick { when 0 { death "a stone"; }; else { goto 2; }; }; }
        section 2 {
            choice "pay" { require "gold >= 3"; goto 9; }
            choice "swim" { require "gold >= 1"; pick { when 0 { goto 9; }; else { death "drowned"; }; }; }
            choice "give up" { death "hunger"; }
            choice "look" { gain gold 1; pick { when 0 2 { death "a snake"; }; when 3 5 { goto 4; }; else { goto 9; }; }; }
        }
        section 4 { goto 2; }
        section 9 { victory; }
    "#;
    let (book, _) = read(text).expect("the book is right");
    let (solved, options) = (solved(&book), ExploreOptions::default());
    let guide = solved.guide(&options).unwrap();
    let [question] = &guide.sections[&2].questions[..] else { panic!("{:?}", guide.sections[&2]) };
    let come: Vec<f64> = (0..4).map(|gold| 0.9 * 0.3_f64.powi(gold)).collect();
    assert!(near(question.asked, come.iter().sum()), "{question:?}");
    assert!(near(question.ever, come[0]), "{question:?}");
    for (label, offered, ever) in
        [("look", come.iter().sum(), come[0]), ("swim", come[1..].iter().sum(), come[1]), ("pay", come[3], come[3])]
    {
        let answer = question.answers.iter().find(|answer| answer.label == label).expect(label);
        assert!(near(answer.offered, offered) && near(answer.ever, ever), "{answer:?}");
    }
    // A hero who does not visit the section is not asked.
    let journey = solved.journey(&options).unwrap();
    for visit in &journey.sections {
        let questions = &guide.sections[&visit.section].questions;
        assert!(questions.iter().all(|own| own.ever <= visit.visited + 1e-12 && own.ever <= own.asked + 1e-12));
    }
}

#[test]
fn sections_with_questions_are_visited() {
    let book = crossing();
    let (solved, options) = (solved(&book), ExploreOptions::default());
    let (journey, guide) = solved.journey_and_guide(&options).unwrap();
    for visit in &journey.sections {
        for question in &guide.sections[&visit.section].questions {
            assert!(question.ever <= visit.visited + 1e-12, "{} of {}: {question:?}", question.ever, visit.visited);
            assert!(question.ever >= question.asked / 1e3 && question.ever <= question.asked + 1e-12, "{question:?}");
            for answer in &question.answers {
                assert!(answer.ever <= question.ever + 1e-12 && answer.ever <= answer.offered + 1e-12, "{answer:?}");
            }
        }
    }
}
