//! Plays through books in a row: the odds at every step are held against closed forms, against what the series is worth
//! solved part by part, and against each other.

use budget::{Budget, Limits};
use gamebook::{Book, End, InMemory, Phase, Play, Question, Rolled, Series, SeriesQuestion, Solved, Step, read_series};
use mdp::ExploreOptions;

const FIRST: &str = include_str!("../../../../app/bestplay/tests/data/series/gate.kdl");
const SECOND: &str = include_str!("../../../../app/bestplay/tests/data/series/tower.kdl");
const BOTH: &str = include_str!("../../../../app/bestplay/tests/data/series/both.kdl");

/// Two books with closed forms: who picks well brings gold, and who has learned to climb (by hunting) falls less.
const PURSE: &str = r#"book "The Purse" format=1 rules="lone-wolf"
start 1
goal 2
hero { combat-skill 15; endurance 20; learns 5; disciplines healing; fixed backpack; }
items { special coin; container backpack holds=3; }
section 1 { pick { when 0 4 { gain gold 3; goto 2; }; when 5 8 { gain coin; goto 2; }; else { death "a thief"; }; }; }
section 2 { victory; }"#;

const CLIFF: &str = r#"book "The Cliff" format=1 rules="lone-wolf"
start 1
goal 9
hero { combat-skill 15; endurance 20; learns 6; fixed backpack; }
items { special boots; special coin; container backpack holds=3; }
flags met
section 1 {
    set met
    choice "pay the guide" { require "gold >= 3"; lose gold 3; goto 9; }
    choice "climb" { pick { plus 3 if="discipline hunting"; when 0 5 { death "a fall"; }; else { goto 9; }; }; }
    choice "turn back" { death "shame"; }
}
section 9 { victory; }"#;

const TWO: &str = "series \"Over the cliff\" format=1\nbook \"purse\"\nbook \"cliff\" { learn 1; begin { choice \"boots\" \
    { gain boots; }; choice \"bare feet\" { }; }; }\n";

fn series(text: &str, [first, second]: [&str; 2]) -> Series {
    let books = |name: &str| Ok(if ["purse", "gate.kdl"].contains(&name) { first } else { second }.to_string());
    let read = read_series(text, &books, &|_| Err("no other file".into()), &Budget::unlimited());
    read.unwrap_or_else(|error| panic!("{error}")).0
}

#[track_caller]
fn near(found: Option<f64>, right: f64) {
    assert!(found.is_some_and(|found| (found - right).abs() < 1e-12), "{found:?} is not {right}");
}

fn win(play: &Play<'_>) -> Option<f64> {
    play.win().map(|win| win.decimal())
}

fn has(play: &Play<'_>, name: &str) -> bool {
    play.belongings().items.iter().any(|(item, _)| item == name)
}

#[test]
fn two_books_with_closed_forms() {
    let series = series(TWO, [PURSE, CLIFF]);
    let merged = series.as_one_book();
    let question = Question::new(&merged);
    let solved = series.solved(&question, &ExploreOptions::default()).unwrap();
    let journey = solved.journey(&ExploreOptions::default()).unwrap();
    let fares: Vec<(f64, f64)> = series.by_book(&journey).iter().map(|own| (own.reached, own.win)).collect();
    assert!((fares[0].1 - 0.9).abs() < 1e-12 && (fares[1].0 - 0.9).abs() < 1e-12, "{fares:?}");
    let deaths: Vec<_> = journey.deaths.iter().map(|(section, _)| series.place_of(*section)).collect();
    assert_eq!(deaths, [(1, 1), (0, 1)]);
    // What is asked first on the likeliest way, and how one comes to be asked: chance brings gold, which pays the guide.
    let first = solved.first_choices();
    let asked: Vec<String> = first.iter().map(|own| merged.section_text(own.section)).collect();
    assert_eq!(asked, ["1 of The Cliff"]);
    let (steps, answers) = (&first[0].steps, &first[0].answers);
    assert_eq!(steps.iter().filter(|step| matches!(step, Step::Rolled(_))).count(), 1);
    let mut play = Play::with_hints(&solved, 1);
    for step in steps {
        play.take(&merged, step).unwrap();
    }
    near(win(&play), 1.0);
    let hints = play.hints();
    assert_eq!(answers.len(), 3);
    for (hint, answer) in hints.iter().zip(answers) {
        assert_eq!((&hint.label, hint.section, &hint.win), (&answer.label, answer.section, &answer.win));
    }

    let mut play = Play::with_hints(&solved, 1);
    // Who has gold pays, who learns hunting falls with 0 to 2, and a 9 is a thief.
    near(win(&play), 0.5 + 0.4 * 0.7);
    assert_eq!((play.book(), merged.section_text(play.section())), (0, "1 of The Purse".into()));

    play.bring(&Rolled::Numbers(vec![6])).unwrap();
    near(win(&play), 0.7);
    // He has won the first book, and learns.
    assert_eq!(merged.section_text(play.section()), "2 of The Purse");
    let answers = play.answers();
    let learn = |what: &str| answers.iter().position(|(label, _)| label == what).unwrap();
    for (hint, (label, _)) in play.hints().iter().zip(&answers) {
        let right = if label == "learn hunting" { 0.7 } else { 0.4 };
        near(hint.win.as_ref().map(mdp::Value::decimal), right);
        assert_eq!(hint.best, label == "learn hunting", "{label}");
    }
    // What was learned is not to be seen in the numbers of the sections.
    play.answer(learn("learn tracking")).unwrap();
    near(win(&play), 0.4);
    assert_eq!((play.book(), merged.section_text(play.section())), (1, "before The Cliff".into()));
    assert!(play.undo());
    play.answer(learn("learn hunting")).unwrap();
    near(win(&play), 0.7);
    assert_eq!((play.book(), merged.section_text(play.section())), (1, "before The Cliff".into()));
    let labels: Vec<String> = play.answers().into_iter().map(|(label, _)| label).collect();
    assert_eq!(labels, ["boots", "bare feet"]);
    let leads: Vec<_> =
        play.answers().into_iter().map(|(_, section)| section.map(|own| series.place_of(own))).collect();
    assert_eq!(leads, [Some((1, 1)), Some((1, 1))]);

    play.answer(0).unwrap();
    let passed: Vec<_> = play.passed().map(|passed| series.place_of(passed.section)).collect();
    assert_eq!(passed, [(1, 1)]);
    // The sheet is that of the book at hand: it has boots, and a flag; the coin came along.
    assert!(has(&play, "boots") && has(&play, "coin") && play.belongings().flags == ["met"], "{:?}", play.belongings());
    let book = &series.books[play.book()].book;
    let lines = play.sheet(book, &question);
    let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    assert_eq!(names, ["combat-skill", "endurance", "gold", "boots", "coin", "backpack", "met"]);

    // With the gold of the luckier he is sure to win.
    let corrected = play.corrected(book, &question, &[("gold".into(), 3)]).unwrap();
    let richer = series.solved_corrected(&corrected, &ExploreOptions::default()).unwrap();
    let rich = Play::with_hints(&richer, 1);
    near(win(&rich), 1.0);
    assert_eq!((rich.book(), series.place_of(rich.section())), (1, (1, 1)));
    let machine = series.ready_corrected(&corrected, &Budget::unlimited()).unwrap();
    assert_eq!(Play::of(&machine, 1).answers().len(), 3);
    let wrong = play.corrected(book, &question, &[("rope".into(), 1)]).unwrap_err();
    assert!(wrong.message.contains("there is no `rope` on the sheet"), "{}", wrong.message);

    play.answer(0).unwrap();
    play.bring(&Rolled::Numbers(vec![2])).unwrap();
    assert_eq!(play.phase(), Phase::Over(End::Dead(play.section())));
    assert_eq!(series.place_of(play.section()), (1, 1));
    assert_eq!(merged.outline(play.section()).deaths, ["a fall", "shame"]);
    near(win(&play), 0.0);
    assert!(play.undo());
    play.bring(&Rolled::Numbers(vec![3])).unwrap();
    assert_eq!(merged.section_text(play.section()), "9 of The Cliff");
    assert_eq!(play.phase(), Phase::Over(End::Won(play.section())));
    near(win(&play), 1.0);
    assert_eq!(merged.goals, [play.section()]);
}

/// What stands in the sheet of a book that another one knows is not on it.
fn sheet_is_of(book: &Book, play: &Play<'_>) {
    for (item, _) in play.belongings().items {
        assert!(book.item(&item).is_some(), "{item} in {}", book.title);
    }
}

/// Plays by the dice from the first section to an end; says how it ended.
fn walked(series: &Series, solved: &Solved, seed: u64) -> (usize, End) {
    let mut play = Play::with_hints(solved, seed);
    let mut book = 0;
    for step in 0..200 {
        assert!((book..=book + 1).contains(&play.book()), "books come one after another");
        book = play.book();
        let own = &series.books[book].book;
        sheet_is_of(own, &play);
        assert_eq!(series.place_of(play.section()).0, book);
        let what = format!("seed {seed}, step {step}, section {:?}", series.place_of(play.section()));
        match play.phase() {
            Phase::Over(end) => return (book, end),
            Phase::Question => {
                let hints = play.hints();
                let best =
                    hints.iter().filter_map(|hint| hint.win.as_ref()).map(mdp::Value::decimal).fold(0.0, f64::max);
                let now = win(&play).unwrap_or_else(|| panic!("{what}: no odds"));
                assert!((best - now).abs() < 1e-12, "{what}: {best} and {now}");
                // Good and bad answers.
                let answer = if seed.is_multiple_of(2) { play.best().unwrap() } else { step % hints.len() };
                play.answer(answer).unwrap();
            }
            Phase::Chance => {
                let prospects = play.chance().unwrap().prospects();
                let known = prospects.iter().map(|(_, own)| Some(own.probability * own.win.as_ref()?.decimal()));
                if let (Some(mean), Some(now)) =
                    (known.sum::<Option<f64>>().filter(|_| !prospects.is_empty()), win(&play))
                {
                    assert!((mean - now).abs() < 1e-9, "{what}: {mean} and {now}");
                }
                play.roll().unwrap();
            }
        }
    }
    panic!("seed {seed} does not end")
}

/// The last answer of the first book leads to a chance before anything is asked in the second: who dies of it has begun
/// the second, and won the first.
#[test]
fn who_dies_of_the_first_chance_of_a_book_has_begun_it() {
    let gate = PURSE.replace(
        "goto 2; }; else { death \"a thief\"; }",
        "choice \"on\" { goto 2; }; choice \"rest\" { gain coin; goto 2; }; }; else { death \"a thief\"; }",
    );
    let fall = CLIFF.replace("    set met\n", "    pick { when 0 2 { death \"a stone\"; }; else { }; }\n");
    let text =
        TWO.replace("learn 1; begin { choice \"boots\" { gain boots; }; choice \"bare feet\" { }; }", "learn hunting");
    assert!(gate != PURSE && fall != CLIFF && text != TWO);
    let series = series(&text, [&gate, &fall]);
    let question = Question::new(&series.as_one_book());
    for rows in [true, false] {
        let mut asked = series.asked(&question);
        asked.analyses.straight = rows;
        let solved = series.solve(&asked, &InMemory::default(), &ExploreOptions::default()).unwrap();
        let fares: Vec<f64> = solved.books.iter().flat_map(|own| [own.reached, own.win]).collect();
        let won = 0.7 * (0.5 + 0.4 * 0.7);
        for (found, right) in fares.iter().zip([1.0, 0.9, 0.9, won]) {
            near(Some(*found), right);
        }
        near(Some(solved.win.decimal()), won);
    }
    let journey = series.solved(&question, &ExploreOptions::default()).unwrap();
    let journey = journey.journey(&ExploreOptions::default()).unwrap();
    near(Some(series.by_book(&journey)[1].reached), 0.9);
}

#[test]
fn plays_from_the_first_section_to_the_end_of_the_last() {
    let series = series(BOTH, [FIRST, SECOND]);
    let mut question = Question::new(&series.as_one_book());
    question.hero.combat_skill = 10;
    question.situation.endurance = Some(3);
    let solved = series.solved(&question, &ExploreOptions::default()).unwrap();
    // Solved part by part it is worth the same.
    let parts = SeriesQuestion { enough: Some(500), ..series.asked(&question) };
    let parts = series.solve(&parts, &InMemory::default(), &ExploreOptions::default()).unwrap();
    near(win(&Play::with_hints(&solved, 0)), parts.win.decimal());
    let journey = solved.journey(&ExploreOptions::default()).unwrap();
    near(Some(journey.win.decimal()), parts.win.decimal());
    let fares = series.by_book(&journey);
    for (own, other) in fares.iter().zip(&parts.books) {
        assert!(
            (own.reached - other.reached).abs() + (own.win - other.win).abs() < 1e-9,
            "{fares:?} {:?}",
            parts.books
        );
    }
    let died: f64 = journey.deaths.iter().map(|(_, probability)| probability).sum();
    assert!((died + journey.win.decimal() - 1.0).abs() < 1e-9);
    let ends: Vec<(usize, End)> = (0..60).map(|seed| walked(&series, &solved, seed)).collect();
    assert!(ends.iter().any(|(book, end)| *book == 1 && matches!(end, End::Won(_))), "{ends:?}");
    assert!(ends.iter().any(|(book, end)| *book == 0 && matches!(end, End::Dead(_))), "{ends:?}");
    assert!(ends.iter().any(|(book, end)| *book == 1 && matches!(end, End::Dead(_))), "{ends:?}");
}

#[test]
fn limits_hold() {
    let series = series(BOTH, [FIRST, SECOND]);
    let question = Question::new(&series.as_one_book());
    let budget = Budget::new(Limits { max_states: 20, ..Limits::default() });
    let error = series.solved(&question, &ExploreOptions::default().with_budget(&budget)).unwrap_err().to_string();
    assert!(error.contains("20 states"), "{error}");
    // Without hints nothing is solved.
    assert!(!Play::of(&series.ready(&question, &budget).unwrap(), 1).answers().is_empty());
}
