//! Readers who do not play best: against the interpreter, and against plays with dice.

use budget::{Budget, Limits};
use gamebook::{
    Book, Condition, Phase, Play, Policy, PolicyKind, PolicyRule, Question, Reader, SectionNumber, Situation, read,
};
use mdp::{ExploreOptions, Rational};

use crate::random_book::{random_book_of_large_picks, read_random};
use crate::random_system::random_system_book;

const CROSSING: &str = include_str!("../books/crossing.kdl");
const READERS: [Reader; 3] = [Reader::Random, Reader::Bold, Reader::Cautious];

/// So many standard errors a mean of plays may be off.
const ERRORS: f64 = 4.0;

/// Books with more situations are passed over.
const MOST: usize = 2_000;

fn interpreted(book: &Book, reader: Reader) -> Option<Rational> {
    if book.system.is_none() {
        return gamebook_reference::win_of_reader(book, &book.hero, reader, MOST).ok();
    }
    let kind = match reader {
        Reader::Random => PolicyKind::Random,
        Reader::Bold => PolicyKind::First,
        Reader::Cautious => PolicyKind::Last,
    };
    let mut policy = book.default_policy().cloned();
    let own = || Policy { name: String::new(), is_default: false, rules: Vec::new() };
    let rule = PolicyRule { kind, section: None, event: None, when: Condition::Constant(true), span: 0..0 };
    policy.get_or_insert_with(own).rules.push(rule);
    let situation = Situation { policy, ..Situation::default() };
    gamebook_reference::win_by_rules(book, &situation, MOST).ok()
}

fn compare(random: fn(u64) -> String, books: u64) {
    let (mut compared, mut wrong) = (0, Vec::new());
    for seed in 0..books {
        let text = random(seed);
        let Ok((book, _)) = read_random(&text) else { continue };
        for reader in READERS {
            let Some(expected) = interpreted(&book, reader) else { continue };
            let budget = Budget::new(Limits { max_states: 20_000, ..Limits::default() });
            let options = ExploreOptions::default().with_budget(&budget);
            let question = Question { exact: true, ..Question::new(&book) };
            let Ok(fares) = reader.evaluate(&book, &question, &options) else { continue };
            compared += 1;
            if fares.journey.win.exact != Some(expected.clone()) {
                println!("{text}\n{reader}: {:?}, interpreted {expected}", fares.journey.win.exact);
                wrong.push((seed, reader));
            }
        }
    }
    println!("{compared} compared");
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(compared * 2 > books, "{compared} compared");
}

#[test]
fn readers_of_books_fare_as_the_interpreter_says() {
    compare(random_book_of_large_picks, 8);
}

#[test]
fn readers_of_systems_fare_as_the_interpreter_says() {
    compare(random_system_book, 25);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_readers_fare_as_the_interpreter_says() {
    compare(random_book_of_large_picks, 40);
    compare(random_system_book, 40);
}

#[test]
#[ignore = "takes minutes: see CONTRIBUTING.md"]
fn readers_of_many_books_fare_as_the_interpreter_says() {
    compare(random_book_of_large_picks, 600);
    compare(random_system_book, 300);
}

/// A reader at the table: he reads the list of answers that a play shows, and gives one.
fn simulate(text: &str, reader: Reader, plays: u32) {
    let (book, _) = read(text).unwrap();
    let question = Question::new(&book);
    let fares = reader.evaluate(&book, &question, &ExploreOptions::default()).unwrap();
    let mut asked = question.clone();
    asked.situation.every_question = true;
    let mut play = Play::without_hints(&book, &asked, 5, &Budget::unlimited()).unwrap();
    let (mut won, mut sections, mut squares, mut rolls) = (0u32, 0.0, 0.0, 0.0);
    let mut deaths = std::collections::BTreeMap::<SectionNumber, u32>::new();
    let mut dice = 1u64;
    for _ in 0..plays {
        play.restart();
        let mut entered = 0u32;
        let end = loop {
            entered += u32::try_from(play.passed().count()).unwrap();
            match play.phase() {
                Phase::Over(end) => break end,
                Phase::Chance => {
                    rolls += 1.0;
                    _ = play.roll().unwrap();
                }
                Phase::Question => {
                    let answers = play.answers().len();
                    let answer = match reader {
                        Reader::Random => {
                            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                            usize::try_from((dice >> 33) % answers as u64).unwrap()
                        }
                        Reader::Bold => 0,
                        Reader::Cautious => answers - 1,
                    };
                    play.answer(answer).unwrap();
                }
            }
        };
        match end {
            gamebook::End::Won(_) => won += 1,
            gamebook::End::Dead(section) => *deaths.entry(section).or_default() += 1,
            gamebook::End::Endless => {}
        }
        sections += f64::from(entered);
        squares += f64::from(entered) * f64::from(entered);
    }
    let plays_f = f64::from(plays);
    let agrees = |what: &str, share: f64, probability: f64| {
        let error = (probability * (1.0 - probability) / plays_f).sqrt();
        assert!((share - probability).abs() <= ERRORS * error + 1e-9, "{reader}, {what}: {share}, {probability}");
    };
    agrees("won", f64::from(won) / plays_f, fares.journey.win.decimal());
    for (section, probability) in &fares.journey.deaths {
        let died = deaths.remove(section).unwrap_or(0);
        agrees(&format!("died in {section}"), f64::from(died) / plays_f, *probability);
    }
    assert!(deaths.is_empty(), "{deaths:?}");
    let rolled = reader.rolls(&book, &question, &ExploreOptions::default()).unwrap().unwrap();
    let length = fares.length.unwrap();
    let (mean, mean_square) = (sections / plays_f, squares / plays_f);
    let error = length.deviation / plays_f.sqrt();
    assert!((mean - length.mean.decimal()).abs() <= ERRORS * error + 1e-9, "{reader}: {mean}, {length:?}");
    let deviation = (mean_square - mean * mean).max(0.0).sqrt();
    assert!((deviation - length.deviation).abs() <= 0.02 * length.deviation + 1e-6, "{deviation}, {length:?}");
    let error = rolled.deviation / plays_f.sqrt();
    let rolls = rolls / plays_f;
    assert!((rolls - rolled.mean.decimal()).abs() <= ERRORS * error + 1e-9, "{reader}: {rolls} rolls, {rolled:?}");
}

/// A book of Fighting Fantasy with fights, luck and an inn.
const INN: &str = r#"
book "Inn" format=1 system="fighting-fantasy"
start 1
counter coins max=20 start=4
hero { skill 9; stamina 12; luck 7; }
section 1 {
    choice "a room" { require "coins >= 2"; coins -2; stamina 4; goto 2; }
    choice "the stable" { roll 2d6 { when 2 4 { stamina -2; }; else { }; }; goto 2; }
    choice "stake {s}" each=s from=1 to="coins" { coins "-s"; roll d6 { when 1 3 { coins "2 * s"; }; else { }; }; goto 1; }
}
section 2 {
    fight "Thief" skill=7 stamina=6
    test lucky { yes { goto 3; }; no { goto 4; }; }
}
section 3 { victory; }
section 4 { roll d6 { when 1 2 { death "a trap"; }; else { goto 3; }; }; }
"#;

#[test]
fn readers_play_as_described() {
    for reader in READERS {
        simulate(CROSSING, reader, 20_000);
        simulate(INN, reader, 5_000);
    }
}

#[test]
#[ignore = "takes minutes"]
fn a_million_plays_of_each_reader() {
    for reader in READERS {
        simulate(CROSSING, reader, 1_000_000);
        simulate(INN, reader, 1_000_000);
    }
}
