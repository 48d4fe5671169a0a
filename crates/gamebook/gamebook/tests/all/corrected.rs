//! Plays whose sheet is corrected against plays that always were so.

use gamebook::{Book, Phase, Play, Question, Solved, Step, read};
use mdp::{ExploreOptions, Value};

const CROSSING: &str = include_str!("../books/crossing.kdl");

/// A fight with luck, and a toll: by Fighting Fantasy's rules.
const TOLL: &str = include_str!("../books/toll.kdl");

fn book(text: &str) -> Book {
    match read(text) {
        Ok((book, _)) => book,
        Err(problems) => panic!("{problems:?}"),
    }
}

fn same(left: Option<Value>, right: Option<Value>, what: &str) {
    let (Some(left), Some(right)) = (left, right) else { panic!("{what}: odds are not known") };
    assert!(left.lower <= right.upper + 1e-12 && right.lower <= left.upper + 1e-12, "{what}: {left:?} and {right:?}");
}

/// Plays by the dice; wherever something is asked a correction that changes nothing changes no odds and no answers, in the
/// middle of fights as well.
fn nothing_corrected(text: &str, plays: u64) -> u32 {
    let book = book(text);
    let question = Question::new(&book);
    let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
    let mut looked = 0;
    for seed in 0..plays {
        let mut play = Play::with_hints(&solved, seed);
        for step in 0..60u64 {
            if let Phase::Over(_) = play.phase() {
                break;
            }
            let line = play.sheet(&book, &question).into_iter().find(|line| line.now >= line.least).unwrap();
            let corrected = play.corrected(&book, &question, &[(line.name, line.now)]).unwrap();
            let again = Solved::corrected(&book, &corrected, &ExploreOptions::default()).unwrap();
            let again = Play::with_hints(&again, seed);
            same(play.win(), again.win(), &format!("section {}, seed {seed}, step {step}", play.section()));
            assert_eq!(play.sheet(&book, &question), again.sheet(&book, corrected.question()));
            assert_eq!((play.phase(), play.answers()), (again.phase(), again.answers()));
            looked += 1;
            if play.phase() == Phase::Question {
                let answers = play.answers().len() as u64;
                play.answer(usize::try_from((seed + step) % answers).unwrap()).unwrap();
            } else {
                play.roll().unwrap();
            }
        }
    }
    looked
}

#[test]
fn a_correction_of_nothing_changes_nothing() {
    let looked = nothing_corrected(CROSSING, 3);
    assert!(looked > 20, "{looked}");
    let looked = nothing_corrected(TOLL, 3);
    assert!(looked > 20, "{looked}");
}

/// A hero who is corrected at the start is the same as a hero given these numbers.
#[test]
fn a_correction_is_another_hero() {
    let book = book(CROSSING);
    let question = Question::new(&book);
    let play = Play::without_hints(&book, &question, 1, &budget::Budget::unlimited()).unwrap();
    let changes = [("gold", 20), ("rope", 1), ("shield", 1), ("combat-skill", 14), ("endurance", 11), ("warned", 1)];
    let changes = changes.map(|(name, number)| (name.to_owned(), number));
    let corrected = play.corrected(&book, &question, &changes).unwrap();
    let corrected = Solved::corrected(&book, &corrected, &ExploreOptions::default()).unwrap();
    let mut other = question.clone();
    other.hero.gold = 20;
    other.hero.combat_skill = 14;
    other.hero.items.extend([(book.item("rope").unwrap(), 1), (book.item("shield").unwrap(), 1)]);
    other.situation.endurance = Some(11);
    other.situation.flags = vec![0];
    let solved = Solved::new(&book, &other, &ExploreOptions::default()).unwrap();
    same(Some(corrected.win()), Some(solved.win()), "another hero");
    let before = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
    assert!((before.win().decimal() - solved.win().decimal()).abs() > 0.01, "a test that can fail");
}

#[test]
fn what_cannot_be_is_refused() {
    let book = book(CROSSING);
    let question = Question::new(&book);
    let play = Play::without_hints(&book, &question, 1, &budget::Budget::unlimited()).unwrap();
    for (name, number, message) in [
        ("gold", 51, "`gold` of 51"),
        ("gold", -1, "`gold` of -1"),
        ("endurance", 0, "`endurance` of 0"),
        ("warned", 2, "`warned` of 2"),
        ("crown", 1, "there is no `crown`"),
    ] {
        let error = play.corrected(&book, &question, &[(name.into(), number)]).unwrap_err();
        assert!(error.message.contains(message), "{error}");
        assert!(!error.help.is_empty());
    }
    let more = play.corrected(&book, &question, &[("endurance".into(), 40)]).unwrap();
    assert!(Solved::corrected(&book, &more, &ExploreOptions::default()).is_err());
}

/// Steps are written down and played again; a fight goes on to its end by itself.
#[test]
fn steps_are_played_again() {
    let book = book(CROSSING);
    let question = Question::new(&book);
    let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
    let (mut fights, mut steps) = (0, Vec::new());
    let mut play = Play::with_hints(&solved, 7);
    while !matches!(play.phase(), Phase::Over(_)) {
        let fighting = play.is_fighting();
        let step = match play.fight_on() {
            Some(step) => step,
            None if play.phase() == Phase::Chance => Step::Rolled(play.roll().unwrap()),
            None => {
                let best = play.best().unwrap();
                play.answer(best).unwrap();
                Step::Answer(best)
            }
        };
        fights += u32::from(fighting);
        steps.push(step.to_string());
    }
    assert!(fights > 0, "{steps:?}");
    let mut again = Play::of(solved.machine(), 1);
    for step in &steps {
        again.take(&book, &step.parse().unwrap()).unwrap();
    }
    assert_eq!((play.phase(), play.belongings()), (again.phase(), again.belongings()));
}
