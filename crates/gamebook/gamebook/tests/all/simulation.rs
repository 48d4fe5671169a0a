//! Plays with dice against what the solver claims.

use std::collections::{BTreeMap, BTreeSet};

use gamebook::{Advice, BestPlay, Book, Chance, End, Phase, Play, Question, Rolled, SectionNumber, Solved, read};
use mdp::rows::explore;
use mdp::{ExploreOptions, Policy, SimulateOptions, simulate, visit_probabilities};

const CROSSING: &str = include_str!("../books/crossing.kdl");
const FIRE_ON_THE_WATER: &str = gamebook::BUILT_IN[0].1;

/// So many standard errors a mean of plays may be off.
const ERRORS: f64 = 4.0;

fn book(text: &str) -> Book {
    match read(text) {
        Ok((book, _)) => book,
        Err(problems) => panic!("{problems:?}"),
    }
}

fn solved(book: &Book) -> Solved {
    Solved::new(book, &Question::new(book), &ExploreOptions::default()).unwrap()
}

/// Whether a share of `plays` agrees with a probability.
fn agrees(share: f64, probability: f64, plays: u32) -> bool {
    let error = (probability * (1.0 - probability) / f64::from(plays)).sqrt();
    (share - probability).abs() <= ERRORS * error + 1e-9
}

/// Simulates best play on the unreduced game, and holds wins and the visits of every state against the solution.
fn simulate_best_play(text: &str, plays: u32) {
    let book = book(text);
    let solved = solved(&book);
    let space = explore(&BestPlay::new(&solved), &ExploreOptions::default()).unwrap();
    let policy = Policy::new(space.model(), |_| 0).unwrap();
    let start = &space.starts()[0];
    let options = SimulateOptions { plays, seed: 2, ..SimulateOptions::default() };
    let simulation = simulate(&policy, start, &options, None).unwrap();
    assert_eq!(simulation.unfinished, 0);
    let win = solved.win().decimal();
    assert!(win > 0.05 && win < 0.9, "{win}: a test that can fail");
    assert!(agrees(simulation.mean(), win, plays), "{} of {plays} plays won, {win} expected", simulation.mean());
    let visits = visit_probabilities(&policy, start, None).unwrap();
    let ever = visits.by_key(|state| state).unwrap();
    let (mut looked, mut off) = (0u32, Vec::new());
    for (state, probability) in ever {
        // Where fewer plays than this visit a section, their number is not nearly normal.
        if probability.decimal() * f64::from(plays) < 100.0 {
            continue;
        }
        looked += 1;
        let share = simulation.share(state);
        if !agrees(share, probability.decimal().min(1.0), plays) {
            off.push((state, share, probability.decimal()));
        }
    }
    println!("{looked} states, {} off", off.len());
    assert!(looked > 100);
    // One in 16,000 is off by chance.
    assert!(
        f64::from(u32::try_from(off.len()).unwrap()) <= f64::from(looked) / 2_000.0,
        "{} of {looked}: {off:?}",
        off.len()
    );
}

#[test]
fn a_million_plays_of_a_small_book() {
    simulate_best_play(CROSSING, 1_000_000);
}

#[test]
#[ignore = "takes minutes"]
fn a_million_plays_of_fire_on_the_water() {
    simulate_best_play(FIRE_ON_THE_WATER, 1_000_000);
}

/// Flight from the Dark for the weakest hero: another wins it nearly always.
fn flight_of_the_weakest() -> String {
    let text = gamebook::built_in("flight-from-the-dark").unwrap();
    let (before, after) = text.split_once("combat-skill 15").unwrap();
    let (_, after) = after.split_once("    gold 5\n").unwrap();
    format!("{before}combat-skill 10\n    endurance 20\n    gold 5\n{after}")
}

#[test]
#[ignore = "takes minutes"]
fn a_million_plays_of_flight_from_the_dark() {
    simulate_best_play(&flight_of_the_weakest(), 1_000_000);
}

#[test]
#[ignore = "takes minutes"]
fn a_million_plays_of_the_caverns_of_kalte() {
    simulate_best_play(gamebook::built_in("the-caverns-of-kalte").unwrap(), 1_000_000);
}

#[test]
#[ignore = "takes minutes"]
fn a_million_plays_of_the_chasm_of_doom() {
    simulate_best_play(gamebook::built_in("the-chasm-of-doom").unwrap(), 1_000_000);
}

/// Plays at the table that always take the hint, with fights round by round and numbers picked one by one.
fn play_by_hints(text: &str, plays: u32) {
    let book = book(text);
    let solved = solved(&book);
    let journey = solved.journey(&ExploreOptions::default()).unwrap();
    let mut play = Play::with_hints(&solved, 3);
    let (mut won, mut visits) = (0u32, BTreeMap::<SectionNumber, u32>::new());
    for _ in 0..plays {
        play.restart();
        let mut sections = BTreeSet::new();
        let end = loop {
            sections.extend(play.passed().map(|passed| passed.section));
            match play.phase() {
                Phase::Over(end) => break end,
                Phase::Chance => _ = play.roll().unwrap(),
                Phase::Question => play.answer(play.best().unwrap()).unwrap(),
            }
        };
        won += u32::from(matches!(end, End::Won(_)));
        for section in sections {
            *visits.entry(section).or_default() += 1;
        }
    }
    let share = f64::from(won) / f64::from(plays);
    let win = solved.win().decimal();
    assert!(agrees(share, win, plays), "{share} of {plays} plays won, {win} expected");
    for visit in &journey.sections {
        let share = f64::from(visits.remove(&visit.section).unwrap_or(0)) / f64::from(plays);
        assert!(agrees(share, visit.visited, plays), "section {}: {share}, {} expected", visit.section, visit.visited);
    }
    assert!(visits.is_empty(), "never by best play: {visits:?}");
}

#[test]
fn plays_by_hints_of_a_small_book() {
    play_by_hints(CROSSING, 20_000);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_plays_by_hints_of_a_small_book() {
    play_by_hints(CROSSING, 200_000);
}

#[test]
#[ignore = "takes minutes"]
fn plays_by_hints_of_flight_from_the_dark() {
    play_by_hints(&flight_of_the_weakest(), 20_000);
}

#[test]
#[ignore = "takes minutes"]
fn plays_by_hints_of_fire_on_the_water() {
    play_by_hints(FIRE_ON_THE_WATER, 5_000);
}

/// The value of a situation is that of the best answer, or the mean over what chance brings: also within fights, which
/// the solution knows as one chance.
#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_values_hang_together_along_plays() {
    for (text, plays) in [(CROSSING, 300), (FIRE_ON_THE_WATER, if cfg!(debug_assertions) { 1 } else { 10 })] {
        let book = book(text);
        let solved = solved(&book);
        let mut play = Play::with_hints(&solved, 4);
        let mut rounds = 0;
        for number in 0..plays {
            play.restart();
            loop {
                let win = play.win().unwrap().decimal();
                let next = match play.phase() {
                    Phase::Over(End::Won(_)) => 1.0,
                    Phase::Over(_) => 0.0,
                    Phase::Question => {
                        let hints = play.hints();
                        let best = play.best().unwrap();
                        assert_eq!(hints.len(), play.answers().len());
                        let worth = |hint: &Advice| hint.win.as_ref().map(mdp::Value::decimal);
                        let most = hints.iter().filter_map(worth).fold(0.0, f64::max);
                        assert!((worth(&hints[best]).unwrap() - most).abs() < 1e-9, "{hints:?}");
                        // What is marked is worth the most, and something is.
                        let mut marked = hints.iter().filter(|hint| hint.best).peekable();
                        assert!(marked.peek().is_some(), "{hints:?}");
                        assert!(marked.all(|hint| (worth(hint).unwrap() - most).abs() < 1e-9), "{hints:?}");
                        most
                    }
                    Phase::Chance => {
                        let prospects = match play.chance().unwrap() {
                            Chance::Numbers { prospects, .. } if prospects.is_empty() => Vec::new(),
                            Chance::Round { prospects, .. } => {
                                rounds += 1;
                                prospects
                            }
                            Chance::Numbers { prospects, .. } | Chance::Outcomes(prospects) => prospects,
                            Chance::Dice { .. } => unreachable!("Lone Wolf has no dice"),
                        };
                        let mean = prospects.iter().map(|all| all.probability * all.win.as_ref().unwrap().decimal());
                        if prospects.is_empty() { win } else { mean.sum() }
                    }
                };
                assert!((win - next).abs() < 1e-9, "section {}: {win} and {next}", play.section());
                match play.phase() {
                    Phase::Over(_) => break,
                    Phase::Chance => _ = play.roll().unwrap(),
                    // Not always the best answer: mistakes must be valued, too.
                    Phase::Question => {
                        let answers = play.answers().len();
                        play.answer((play.best().unwrap() + number % 2) % answers).unwrap();
                    }
                }
            }
        }
        assert!(rounds > 10);
    }
}

#[test]
fn picked_numbers_bring_what_the_book_says() {
    let book = book(CROSSING);
    let question = Question { start: 8, ..Question::new(&book) };
    let mut play = Play::without_hints(&book, &question, 5, &budget::Budget::unlimited()).unwrap();
    let answer = |play: &mut Play<'_>, label: &str| {
        let place = play.answers().iter().position(|(own, _)| own == label).unwrap();
        play.answer(place).unwrap();
    };
    for (numbers, gold) in [([3, 4, 5, 1], 8), ([3, 4, 5, 3], 4), ([3, 4, 5, 2], 6), ([0, 1, 9, 1], 8)] {
        answer(&mut play, "stake 2");
        assert_eq!(play.chance().unwrap().picks(), 4);
        play.bring(&Rolled::Numbers(numbers.to_vec())).unwrap();
        assert_eq!(play.belongings().gold, gold, "{numbers:?}");
        assert!(play.undo() && play.undo());
    }
    assert!(!play.undo());
    for wrong in [Rolled::Numbers(vec![1]), Rolled::Numbers(vec![1, 2, 3, 10]), Rolled::Outcome(0)] {
        answer(&mut play, "stake 2");
        assert!(play.bring(&wrong).is_err());
        play.undo();
    }
    // The bets on a number share their odds, so one stands for all: which number was bet on is for the player to know.
    answer(&mut play, "on 1");
    let Some(Chance::Outcomes(outcomes)) = play.chance() else { panic!("{:?}", play.chance()) };
    let shown: Vec<_> = outcomes.iter().map(|all| (all.what.as_str(), all.section, all.probability)).collect();
    assert!(shown.contains(&("gold +6", Some(7), 0.1)) && shown.contains(&("gold -2", None, 0.9)), "{shown:?}");
}

#[test]
fn undo_takes_the_dice_back() {
    let book = book(CROSSING);
    let question = Question { start: 9, ..Question::new(&book) };
    let mut play = Play::without_hints(&book, &question, 6, &budget::Budget::unlimited()).unwrap();
    let first = play.roll().unwrap();
    play.undo();
    assert_eq!(play.roll().unwrap(), first);
}

#[test]
fn plays_of_a_book_with_a_cycle_end() {
    let text = r#"
        book "Round" format=1 rules="lone-wolf"
        start 1
        goal 3
        hero { combat-skill 15; endurance 25; }
        section 1 { goto 2; }
        section 2 { goto 1; }
        section 3 { victory; }
    "#;
    let book = book(text);
    let play = Play::without_hints(&book, &Question::new(&book), 1, &budget::Budget::unlimited()).unwrap();
    assert_eq!(play.phase(), Phase::Over(End::Endless));
}

/// Every throw of the dice of a system counts once: together they win as often as the solution says.
#[test]
fn dice_of_a_system_bring_what_the_solution_weighs() {
    let text = r#"
        book "Throws" format=1 system="none"
        start 1
        section 1 {
            roll a=d6 b="2d4 + 1" {
                when "a > b" { goto 2; }
                when "a = b" { roll d10 { when 1 3 { goto 2; }; else { death "a draw"; }; }; }
                else { death "a loss"; }
            }
        }
        section 2 { victory; }
    "#;
    let book = book(text);
    let solved = solved(&book);
    let mut play = Play::with_hints(&solved, 1);
    let mut won = 0;
    for a in 1..=6 {
        for (b, c) in (1..=4).flat_map(|b| (1..=4).map(move |c| (b, c))) {
            play.bring(&Rolled::Dice(vec![a, b, c])).unwrap();
            let phase = play.phase();
            won += match phase {
                Phase::Over(End::Won(_)) => 10,
                Phase::Over(_) => 0,
                _ => {
                    let Some(Chance::Dice { prospects, .. }) = play.chance() else { panic!("{:?}", play.chance()) };
                    let wins = prospects.iter().filter(|(_, all)| all.what == "victory" || all.section == Some(2));
                    assert_eq!(wins.map(|(number, _)| *number).collect::<Vec<_>>(), [1, 2, 3]);
                    3
                }
            };
            assert!(play.undo());
            // The same dice as sums.
            play.bring(&Rolled::Sums(vec![a, b + c])).unwrap();
            assert_eq!(play.phase(), phase);
            assert!(play.undo());
        }
    }
    assert!((f64::from(won) / 960.0 - solved.win().decimal()).abs() < 1e-12, "{won}");
    for wrong in [
        Rolled::Dice(vec![7, 1, 1]),
        Rolled::Dice(vec![0, 1, 1]),
        Rolled::Dice(vec![1, 1]),
        Rolled::Dice(vec![1, 1, 1, 1]),
        Rolled::Sums(vec![1, 9]),
        Rolled::Sums(vec![1, 1]),
        Rolled::Sums(vec![3]),
        Rolled::Sums(vec![u32::MAX, u32::MAX]),
        Rolled::Outcome(0),
    ] {
        assert!(play.bring(&wrong).is_err(), "{wrong:?}");
    }
}
