use mdp::rows::explore;
use mdp::{ExploreOptions, Rational, SolveOptions, ratio, solve};

use super::*;
use crate::author::read;
use crate::lower::compile;
use crate::passes::Analyses;
use crate::solve::Question;

/// A book whose hero has bread for one meal.
fn book(sections: &str) -> String {
    format!(
        "book \"Bread\" format=1 system=none\nstart 1\ngoal 9\nstat health start=2 max=4 vital=#true\n\
         counter bread max=2 start=1\ncounter hours max=5 start=2\n\
         action eat when=outside-fight {{ require \"bread > 0 and health < 4\"; bread -1; health 1; }}\n\
         {sections}\nsection 9 {{ victory; }}\n"
    )
}

/// The value of a book, and its number of states.
fn solved(text: &str, analyses: Analyses) -> (Rational, u32) {
    let (book, _) = read(text).unwrap();
    let question = Question { analyses, ..Question::new(&book) };
    let machine = question.machine(&book, &Budget::unlimited()).unwrap();
    let space = explore(&machine, &ExploreOptions::default()).unwrap();
    let solution = solve(space.model(), &SolveOptions::exact()).unwrap();
    (solution.value_of(&space.starts()[0]).exact.unwrap(), space.model().states())
}

/// The value with and without delayed actions, which must reduce the number of states.
fn fewer_states(text: &str) -> Rational {
    let (value, states) = solved(text, Analyses::default());
    let (same, more) = solved(text, Analyses::default().without("wait").unwrap());
    assert_eq!(value, same);
    assert!(states < more, "{states} < {more}");
    value
}

/// The condition for asking about actions, for each section with a single such question.
fn matters(text: &str) -> Vec<(u32, Test)> {
    let (book, _) = read(text).unwrap();
    let question = Question::new(&book);
    let mut program = compile(question.quest(&book), &Budget::unlimited()).unwrap().program;
    when_actions_matter(&mut program, &Budget::unlimited()).unwrap();
    let own = program.notes.actions.iter();
    let mut all: Vec<_> = own.map(|(place, test)| (program.sections[*place as usize], test.clone())).collect();
    all.sort_by_key(|(section, _)| *section);
    all
}

#[test]
fn a_meal_waits_for_the_test_of_strength() {
    let text = book(
        "section 1 { choice left { goto 2; }; choice right { goto 3; }; }\n\
         section 2 { roll d2 { when 1 { goto 4; }; else { goto 3; }; }; }\n\
         section 3 { choice up { goto 4; }; choice down { death; }; }\n\
         section 4 { roll d6 as=r; if \"r <= health\" { goto 9; }; death; }\n",
    );
    // Strength 2, and a meal: three of six.
    assert_eq!(fewer_states(&text), ratio(1, 2));
    let asked: Vec<bool> = matters(&text).into_iter().map(|(_, test)| test == Test::ALWAYS).collect();
    // The roll of section 4 does not conflict with the action, but the test of it does.
    assert_eq!(asked, [false, false, false, false, true]);
}

#[test]
fn a_branch_on_the_way_says_when_it_matters() {
    let text = book(
        "on-enter { hours -1; if \"hours <= 0\" { health -2; }; }\n\
         section 1 { choice on { goto 2; }; choice round { goto 1; }; }\n\
         section 2 { roll d6 as=r; if \"r <= health\" { goto 9; }; death; }\n",
    );
    // The loop is not needed: he arrives after an hour, and eats.
    assert_eq!(fewer_states(&text), ratio(1, 2));
    let first = matters(&text).into_iter().find(|(section, _)| *section == 1).unwrap().1;
    let hours = |left: i32| first.given(&|_| Some(left));
    assert_eq!([0, 1, 2, 3].map(hours), [true, true, false, false].map(Test::Constant));
}

#[test]
fn what_chance_brings_is_worth_knowing_early() {
    let text = "book \"Omen\" format=1 system=none\nstart 1\ngoal 9\nstat luck start=1 max=2 min=0\ncounter coins max=1 start=1\n\
                action ask when=outside-fight { require \"coins > 0\"; coins -1; roll d2 { when 1 { luck 1; }; else { luck -1; }; }; }\n\
                section 1 { choice climb { goto 2; }; choice walk { goto 3; }; }\n\
                section 2 { if \"luck >= 2\" { goto 9; }; death; }\n\
                section 3 { roll d2 { when 1 { goto 9; }; else { death; }; }; }\n\
                section 9 { victory; }\n";
    // A hero who acts first climbs with luck and walks without.
    assert_eq!(solved(text, Analyses::default()).0, ratio(3, 4));
    assert!(matters(text).iter().all(|(_, test)| *test == Test::ALWAYS));
}

#[test]
fn a_policy_is_asked_wherever_it_may_act() {
    let text = book(
        "policy p default=#true { always left; }\nsection 1 { choice left { goto 9; }; choice right { death; }; }\n",
    );
    assert!(matters(&text).is_empty());
}
