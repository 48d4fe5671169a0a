//! Books in a row, against the same books written as one.

use std::collections::BTreeMap;
use std::sync::Mutex;

use budget::{Budget, Limits, Reason};
use gamebook::{
    Analyses, BUILT_IN_SERIES, DISCIPLINES, Discipline, InMemory, Question, ReadSeriesError, Series, SeriesQuestion,
    Shelf, Situation, SolveBookError, Solved, built_in, read, read_series,
};
use mdp::{ExploreOptions, Rational, Value, ratio};

use crate::random_book::{random_book, read_random};

const FIRST: &str = include_str!("../../../../app/bestplay/tests/data/series/gate.kdl");

pub const SECOND: &str = include_str!("../../../../app/bestplay/tests/data/series/tower.kdl");

pub const BETWEEN: &str = "endurance full; take at-most=1 { rope; meal; sword; }; gain gold 2;";

pub fn series_text(between: &str) -> String {
    format!("series \"Both\" format=1\nbook \"gate\"\nbook \"tower\" {{\n{between}\n}}\n")
}

pub fn read_both(text: &str, second: &str) -> Result<Series, ReadSeriesError> {
    let books = |name: &str| match name {
        "gate" => Ok(FIRST.to_string()),
        "tower" => Ok(second.to_string()),
        other => Err(format!("there is no {other}")),
    };
    let none = |_: &str| Err("no other file".to_string());
    read_series(text, &books, &none, &Budget::unlimited()).map(|(series, _)| series)
}

pub fn series(between: &str) -> Series {
    read_both(&series_text(&format!("{between}\nbegin {{ {BETWEEN} }}")), SECOND)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// What the first book declares, and what only the second knows.
fn first_items() -> String {
    let (from, to) = (FIRST.find("items {\n    weapon").unwrap(), FIRST.find("section 1 ").unwrap());
    FIRST[from..to].replacen("{\n", "{\n    backpack-item rope\n    special ring\n", 1)
}

/// Both books in one, whose hero has learned `disciplines` from the beginning.
pub fn together() -> String {
    let head = FIRST.split("items {\n    weapon").next().unwrap();
    let sections = |text: &str| text[text.find("section 1 ").unwrap()..].to_string();
    let first = sections(FIRST).replace("section 9 { victory; }", &format!("section 9 {{ {BETWEEN} goto 101; }}"));
    // A second part: its sections have numbers from 101 on, its flag is another one.
    let mut second = sections(SECOND);
    for number in [1, 2, 3, 4, 8] {
        second = second
            .replace(&format!("section {number} "), &format!("section 10{number} "))
            .replace(&format!("goto {number};"), &format!("goto 10{number};"));
    }
    let declared = first_items().replace("flags rung", "flags rung climbed");
    let arrival = first.replace(BETWEEN, &format!("gain ring; {BETWEEN}"));
    format!("{}{declared}{arrival}{second}", head.replace("goal 9", "goal 108"))
}

fn exact(series: &Series, analyses: Analyses) -> Rational {
    let question = SeriesQuestion { exact: true, analyses, ..SeriesQuestion::new(series) };
    let solved = series.solve(&question, &InMemory::default(), &ExploreOptions::default()).unwrap();
    let exact = solved.win.exact.unwrap();
    assert!(Rational::ZERO < exact && exact < Rational::ONE, "{exact}");
    let decimal = exact.to_f64().value();
    // Book by book, and cut into as many layers as can be.
    let layers = if analyses == Analyses::default() { &[None, Some(1)][..] } else { &[] };
    for enough in layers {
        let question = SeriesQuestion { exact: false, enough: *enough, ..question.clone() };
        let staged = series.solve(&question, &InMemory::default(), &ExploreOptions::default()).unwrap();
        assert!(staged.win.lower <= decimal && decimal <= staged.win.upper, "{decimal}: {:?}", staged.win);
        assert!(staged.win.width() < 1e-12, "{:?}", staged.win);
        assert!((staged.books.last().unwrap().win - decimal).abs() < 1e-12, "{:?}", staged.books);
    }
    exact
}

#[test]
fn a_series_is_worth_what_one_book_is() {
    assert_eq!(value(&series("")), value_of_one_book());
}

fn value_of_one_book() -> Rational {
    let (book, _) = read(&together()).unwrap_or_else(|problems| panic!("{problems}"));
    let question = Question { exact: true, ..Question::new(&book) };
    let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
    solved.win().exact.unwrap()
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_a_series_is_worth_what_one_book_is_without_each_analysis() {
    let (series, whole) = (series(""), value_of_one_book());
    for name in Analyses::NAMES {
        let analyses = Analyses::default().without(name).unwrap();
        assert_eq!(exact(&series, analyses), whole, "without {name}");
    }
}

fn value(series: &Series) -> Rational {
    exact(series, Analyses::default())
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_what_is_learned_is_the_best_of_what_can_be() {
    let win = |learn: &str| {
        let series = series(learn);
        series
            .solve(&SeriesQuestion::new(&series), &InMemory::default(), &ExploreOptions::default())
            .unwrap()
            .win
            .decimal()
    };
    let open =
        DISCIPLINES.into_iter().filter(|(own, _)| !matches!(own, Discipline::Weaponskill | Discipline::Mindblast));
    let given: Vec<f64> = open.map(|(_, name)| win(&format!("learn {name}"))).collect();
    let best = given.iter().copied().fold(0.0, f64::max);
    assert!((win("learn 1") - best).abs() < 1e-12, "{given:?}");
    assert!(given.iter().any(|own| best - own > 1e-6), "{given:?}");
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_what_is_learned_first_is_worth_what_who_knows_it_has() {
    let text = series_text(&format!("begin {{ {BETWEEN} }}"));
    let chosen = text.replace("book \"gate\"", "book \"gate\" { learn 1 weaponskill=axe; }");
    let (plain, chosen) = (read_both(&text, SECOND).unwrap(), read_both(&chosen, SECOND).unwrap());
    let options = ExploreOptions::default();
    let question = SeriesQuestion { exact: true, plays: 2_000, ..SeriesQuestion::new(&chosen) };
    assert!(question.hero.disciplines.is_empty());
    let solved = chosen.solve(&question, &InMemory::default(), &options).unwrap();
    assert_eq!(solved.first.len(), DISCIPLINES.len());
    assert!(solved.first.is_sorted_by(|left, right| left.win.decimal() >= right.win.decimal()));
    for own in &solved.first {
        let mut given = SeriesQuestion::new(&plain);
        given.hero.disciplines.clone_from(&own.disciplines);
        given.hero.weaponskill.clone_from(&own.weaponskill);
        let win = plain.solve(&given, &InMemory::default(), &options).unwrap().win;
        assert!(
            win.lower <= own.win.upper && own.win.lower <= win.upper,
            "{:?}: {win:?}, {:?}",
            own.disciplines,
            own.win
        );
    }
    let (best, worst) = (solved.first[0].win.decimal(), solved.first[9].win.decimal());
    assert!(best > worst + 0.01, "{best} {worst}");
    assert!((solved.win.exact.unwrap().to_f64().value() - best).abs() < 1e-12);
    assert!((solved.books[1].win - best).abs() < 1e-12, "{:?}", solved.books);
    // Who knows as many as the book allows has nothing to choose.
    let others = DISCIPLINES.iter().map(|(own, _)| *own).filter(|own| *own != Discipline::Weaponskill);
    let mut question = SeriesQuestion::new(&chosen);
    question.hero.disciplines = others.take(chosen.books[0].book.learns).collect();
    let solved = chosen.solve(&question, &InMemory::default(), &options).unwrap();
    assert_eq!(solved.first.len(), 0);
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_a_thing_can_have_another_name_in_the_next_book() {
    let second =
        SECOND.replace("backpack-item meal food=#true", "backpack-item bread food=#true").replace("meal", "bread");
    let between = BETWEEN.replace("meal", "bread");
    let text = series_text(&format!("rename meal bread\nbegin {{ {between} }}"));
    let renamed = read_both(&text, &second).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(value(&renamed), value(&series("")));
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_a_hero_sets_out_with_what_he_has_and_what_he_chooses() {
    let choose = "hero { rolled gold=\"d10\"; choose 1 { shield; bundle { meal; gold 1; }; rope; };";
    let second = SECOND.replace("hero {", choose);
    let text = series_text("begin { endurance full; }\nsets-out");
    let chosen = read_both(&text, &second).unwrap_or_else(|error| panic!("{error}"));
    // The same written in the series: what does not fit can be taken after something has been dropped for it.
    let begin_text = "begin {
        endurance full
        pick as=r zero-is=10 { }
        gain gold r
        choice \"a shield\" { require \"not has shield\"; gain shield; }
        choice \"bread\" { gain gold 1; gain meal; }
        choice \"a rope\" { gain rope; }
    }";
    let explicit = read_both(&series_text(begin_text), SECOND).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(value(&chosen), value(&explicit));
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_a_later_book_can_ask_where_the_hero_has_been() {
    let second = SECOND.replace("special ring", "special ring\n    special been-to-the-shop");
    let second = second.replace(
        "section 1 {",
        "section 1 {\nif \"has been-to-the-shop\" { pick { when 0 2 { death; }; else { }; }; }",
    );
    let begin = format!("begin {{ {BETWEEN} }}");
    let text = series_text(&begin).replace("book \"gate\"", "book \"gate\" { remember been-to-the-shop 3; }");
    let remembered = read_both(&text, &second).unwrap_or_else(|error| panic!("{error}"));
    // The same written in the first book itself.
    let first = FIRST.replace("special key", "special key\n    special been-to-the-shop");
    let first = first.replace("section 3 {", "section 3 { gain been-to-the-shop;");
    let books = |name: &str| Ok(if name == "gate" { first.clone() } else { second.clone() });
    let none = |_: &str| Err("no other file".to_string());
    let (explicit, _) = read_series(&series_text(&begin), &books, &none, &Budget::unlimited()).unwrap();
    assert_eq!(value(&remembered), value(&explicit));
    assert_ne!(value(&explicit), value(&series("")));
}

/// Keeps parts in memory, and fails when it has kept so many.
#[derive(Default)]
struct Failing {
    parts: Mutex<BTreeMap<String, Vec<u8>>>,
    most: usize,
}

impl Shelf for Failing {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.parts.lock().unwrap().get(name).cloned())
    }

    fn keep(&self, name: &str, part: &[u8]) -> Result<(), String> {
        let mut parts = self.parts.lock().unwrap();
        if parts.len() == self.most {
            return Err("enough".into());
        }
        parts.insert(name.into(), part.into());
        Ok(())
    }
}

#[test]
fn what_was_stopped_goes_on_and_ends_with_the_same_bits() {
    let series = series("learn hunting");
    let question = SeriesQuestion { plays: 1_000, seed: 7, enough: Some(500), ..SeriesQuestion::new(&series) };
    let options = ExploreOptions::default();
    let messages = |shelf: &dyn Shelf| {
        let solved = series.solve(&question, shelf, &options).ok()?;
        let bits: Vec<u64> = solved.books.iter().flat_map(|own| [own.reached.to_bits(), own.win.to_bits()]).collect();
        Some((solved.win.lower.to_bits(), solved.win.upper.to_bits(), bits, solved.states, solved.plays_won))
    };
    let whole = messages(&InMemory::default()).unwrap();
    // States of a layer are counted once, however many heroes reach it.
    let at_once = SeriesQuestion { plays: 0, enough: None, ..question.clone() };
    assert_eq!(series.solve(&at_once, &InMemory::default(), &options).unwrap().states, whole.3);
    let mut shelf = Failing::default();
    let mut stops = 0;
    loop {
        shelf.most += 1 + shelf.most / 4;
        match messages(&shelf) {
            Some(again) => break assert_eq!(again, whole),
            None => stops += 1,
        }
    }
    assert!(stops >= 5, "{stops}");
    shelf.most = usize::MAX;
    // What is damaged, or belongs to another question, is done again.
    for part in shelf.parts.lock().unwrap().values_mut() {
        let middle = part.len() / 2;
        part[middle] ^= 1;
    }
    assert_eq!(messages(&shelf).unwrap(), whole);
    let other =
        SeriesQuestion { situation: Situation { endurance: Some(5), ..question.situation.clone() }, ..question };
    let fresh = series.solve(&other, &InMemory::default(), &options).unwrap();
    assert_eq!(series.solve(&other, &shelf, &options).unwrap().win, fresh.win);
    assert_ne!(fresh.win.lower.to_bits(), whole.0);
}

/// A book in which more and more heroes go on: each section is won by some, lost by some, and the crowns of the others
/// decide in the end.
fn narrows() -> String {
    let section = |own: u32| {
        format!(
            "section {own} {{
                pick as=r {{ when 0 {{ goto 20; }}; when 1 {{ death \"lost\"; }}; else {{ gain gold r; }}; }}
                choice \"on\" {{ goto {}; }}
                choice \"bet\" {{ require \"gold >= 3\"; pick {{ when 0 5 {{ goto 20; }}; else {{ death; }}; }}; }}
            }}\n",
            own + 1
        )
    };
    let sections: String = (1..7).map(section).collect();
    format!(
        "book \"Narrows\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 20\nhero {{ combat-skill 15; endurance 25; }}\n{sections}
        section 7 {{ if \"gold >= 40\" {{ goto 20; }}; else {{ death \"poor\"; }}; }}
        section 20 {{ victory; }}"
    )
}

#[test]
fn a_limit_leaves_bounds_that_close_as_it_is_raised() {
    let (book, _) = read(&narrows()).unwrap_or_else(|problems| panic!("{problems}"));
    let alone = Question { exact: true, ..Question::new(&book) };
    let alone = Solved::new(&book, &alone, &ExploreOptions::default()).unwrap().win().decimal();
    let series = Series::of(book, "narrows");
    let question = SeriesQuestion { enough: Some(1), ..SeriesQuestion::new(&series) };
    let solve = |shelf: &dyn Shelf, max_states: u64| {
        let budget = Budget::new(Limits { max_states, ..Limits::default() });
        series.solve(&question, shelf, &ExploreOptions::default().with_budget(&budget))
    };
    let bits = |win: &Value| (win.lower.to_bits(), win.upper.to_bits());
    let whole = solve(&InMemory::default(), u64::MAX).unwrap().win;
    assert!(whole.lower <= alone && alone <= whole.upper && whole.width() < 1e-12);
    let shelf = InMemory::default();
    let (mut last, mut closed) = ([0.0, 1.0], 0);
    for max_states in 1.. {
        match solve(&shelf, max_states) {
            Err(SolveBookError::StoppedWithBounds { stopped, win }) => {
                assert!(matches!(stopped.reason, Reason::States { .. }), "{stopped}");
                // What was carried back from fewer layers is not taken for what more of them say.
                let fresh = solve(&InMemory::default(), max_states);
                let Err(SolveBookError::StoppedWithBounds { win: fresh, .. }) = fresh else { panic!("{fresh:?}") };
                assert_eq!(bits(&win), bits(&fresh));
                assert!(win.lower <= whole.lower && whole.upper <= win.upper, "{win:?}, {whole:?}");
                assert!(last[0] <= win.lower + 1e-12 && win.upper <= last[1] + 1e-12, "{last:?}, {win:?}");
                closed += u32::from(win.upper - win.lower < last[1] - last[0] - 0.05);
                last = [win.lower, win.upper];
            }
            Err(SolveBookError::Stopped(_)) => assert_eq!(closed, 0),
            // And then it is what it is without a stop.
            solved => {
                assert_eq!(bits(&solved.unwrap().win), bits(&whole));
                break;
            }
        }
    }
    assert!(closed >= 3 && 0.0 < last[0] && last[1] < 1.0, "{closed} {last:?}");
}

#[test]
fn a_layer_that_cannot_be_solved_leaves_bounds() {
    // The fourth section has a cycle, so that it cannot be cut.
    let round = "section 4 {
        choice \"work\" { require \"endurance >= 3\"; endurance -2; gain gold 1; goto 4; }
        choice \"go\" { goto 30; }
    }
    section 30 {";
    let text = narrows().replace("section 4 {", round);
    let (book, _) = read(&text).unwrap_or_else(|problems| panic!("{problems}"));
    let series = Series::of(book, "narrows");
    let question = SeriesQuestion { enough: Some(1), ..SeriesQuestion::new(&series) };
    let solve = |shelf: &Failing, max_states: u64| {
        let budget = Budget::new(Limits { max_states, ..Limits::default() });
        series.solve(&question, shelf, &ExploreOptions::default().with_budget(&budget))
    };
    let all = Failing { most: usize::MAX, ..Failing::default() };
    let whole = solve(&all, u64::MAX).unwrap().win;
    let layers: BTreeMap<String, Vec<u8>> =
        all.parts.into_inner().unwrap().into_iter().filter(|(name, _)| name.starts_with("ends-")).collect();
    let (mut bounded, mut closer) = (0, 0);
    for max_states in [8, 11, 14, 18, 24, 32, 64, 10_000] {
        // All layers are known, and the largest ones cannot be solved.
        let shelf = Failing { parts: Mutex::new(layers.clone()), most: usize::MAX };
        match solve(&shelf, max_states) {
            Err(SolveBookError::StoppedWithBounds { win, .. }) => {
                assert!(win.lower <= whole.lower && whole.upper <= win.upper, "{win:?}, {whole:?}");
                bounded += 1;
                closer += u32::from(0.0 < win.lower && win.upper < 1.0);
                // What was left out is made good when there is more room.
                assert_eq!(solve(&shelf, u64::MAX).unwrap().win, whole);
            }
            Err(SolveBookError::Stopped(_)) => {}
            solved => assert_eq!(solved.unwrap().win, whole),
        }
    }
    assert!(bounded > 2 && closer > 2, "{bounded} {closer}");
}

#[test]
fn who_wins_a_series_has_won_its_first_book() {
    // The crowns of the first book matter in the second only: who leaves with them has far more states than who does not.
    let toll = |own: u32| {
        format!(
            "section {own} {{ pick as=r {{ when 0 {{ death \"lost\"; }}; else {{ gain gold r; }}; }}; goto {}; }}\n",
            own + 1
        )
    };
    let head = "format=1 rules=\"lone-wolf\"\nstart 1\ngoal 20\nhero { combat-skill 15; endurance 25; }\n";
    let tolls: String = (1..7).map(toll).collect();
    let first = format!("book \"Tolls\" {head}{tolls}section 7 {{ goto 20; }}\nsection 20 {{ victory; }}");
    let second = narrows();
    let books = |name: &str| Ok(if name == "tolls" { first.clone() } else { second.clone() });
    let text = "series \"Both\" format=1\nbook \"tolls\"\nbook \"narrows\"";
    let none = |_: &str| Err("no other file".to_string());
    let (series, _) = read_series(text, &books, &none, &Budget::unlimited()).unwrap_or_else(|error| panic!("{error}"));
    let question = SeriesQuestion::new(&series);
    let solve = |shelf: &Failing, max_states: u64| {
        let budget = Budget::new(Limits { max_states, ..Limits::default() });
        series.solve(&question, shelf, &ExploreOptions::default().with_budget(&budget))
    };
    let all = Failing { most: usize::MAX, ..Failing::default() };
    let whole = solve(&all, u64::MAX).unwrap().win;
    let alone = 0.9_f64.powi(6);
    assert!(whole.upper < alone);
    // How far the books go is known, and there is too little room for the first one with its crowns.
    let layers = all.parts.into_inner().unwrap().into_iter().filter(|(name, _)| name.starts_with("ends-")).collect();
    let shelf = Failing { parts: Mutex::new(layers), most: usize::MAX };
    let Err(SolveBookError::StoppedWithBounds { win, .. }) = solve(&shelf, 30) else { panic!() };
    assert!(win.lower <= whole.lower && (win.upper - alone).abs() < 1e-12, "{win:?}");
    // With more room it is as if nothing had been.
    assert_eq!(solve(&shelf, u64::MAX).unwrap().win, whole);
}

#[test]
fn who_follows_a_policy_of_the_books_does_no_better_than_best() {
    let daring = "policy \"daring\" { always \"on\" in=1; always \"bet\"; }\nsection 1 {";
    let text = narrows().replacen("section 1 {", daring, 1);
    let of = |text: &str| Series::of(read(text).unwrap_or_else(|problems| panic!("{problems}")).0, "narrows");
    let (with, without) = (of(&text), of(&narrows()));
    let solve = |series: &Series, policy: Option<&str>, max_states: u64| {
        let mut question = SeriesQuestion { enough: Some(1), ..SeriesQuestion::new(series) };
        let policies = &series.books[0].book.policies;
        question.situation.policy = policies.iter().find(|own| Some(&own.name[..]) == policy).cloned();
        let budget = Budget::new(Limits { max_states, ..Limits::default() });
        series.solve(&question, &InMemory::default(), &ExploreOptions::default().with_budget(&budget))
    };
    let best = solve(&with, None, u64::MAX).unwrap().win;
    let daring = solve(&with, Some("daring"), u64::MAX).unwrap().win;
    assert!(0.1 < daring.lower && daring.upper < best.lower, "{daring:?} {best:?}");
    let mut closer = 0;
    for max_states in 1..40 {
        let Err(SolveBookError::StoppedWithBounds { win, .. }) = solve(&with, None, max_states) else { continue };
        assert!(win.lower <= best.lower && best.upper <= win.upper, "{win:?}, {best:?}");
        let plainly = match solve(&without, None, max_states) {
            Err(SolveBookError::StoppedWithBounds { win, .. }) => win.lower,
            _ => 0.0,
        };
        closer += u32::from(plainly < daring.lower && win.lower >= daring.lower);
        // A reader with a policy gets bounds of that policy, not of others.
        if let Err(SolveBookError::StoppedWithBounds { win, .. }) = solve(&with, Some("daring"), max_states) {
            assert!(win.lower <= daring.lower && daring.upper <= win.upper, "{win:?}, {daring:?}");
        }
    }
    assert!(closer > 0);
}

/// Books of which each is cut wherever it can be.
#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_a_book_in_layers_is_worth_what_it_is_whole() {
    let (mut compared, mut layered) = (0, 0);
    let texts = (0..120).map(random_book).filter(|text| text.contains("system=\"lone-wolf\""));
    for text in texts.chain([FIRST.to_string()]) {
        let limits = Limits { max_states: 2_000, ..Limits::default() };
        let budget = Budget::new(limits);
        let options = ExploreOptions::default().with_budget(&budget);
        let (book, _) = read_random(&text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        let question = Question { exact: true, ..Question::new(&book) };
        let Ok(solved) = Solved::new(&book, &question, &options) else { continue };
        let exact = solved.win().exact.unwrap();
        let series = Series::of(book, "it");
        let question = SeriesQuestion { enough: Some(1), ..SeriesQuestion::new(&series) };
        let shelf = Failing { most: usize::MAX, ..Failing::default() };
        let found = series.solve(&question, &shelf, &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let decimal = exact.to_f64().value();
        assert!(found.win.lower <= decimal && decimal <= found.win.upper, "{decimal} {:?}\n{text}", found.win);
        assert!(found.win.width() < 1e-12, "{:?}\n{text}", found.win);
        assert!((found.books[0].win - decimal).abs() < 1e-12, "{:?}\n{text}", found.books);
        let at_once = SeriesQuestion::new(&series);
        assert_eq!(series.solve(&at_once, &InMemory::default(), &options).unwrap().states, found.states, "{text}");
        compared += 1;
        layered += u32::from(shelf.parts.lock().unwrap().contains_key("ends-2"));
    }
    assert!(compared > 15 && layered > 10, "{compared} {layered}");
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_plays_agree_with_the_odds() {
    const PLAYS: u32 = 20_000;
    let series = series("learn 1");
    let question = SeriesQuestion { plays: PLAYS.into(), seed: 11, enough: Some(1), ..SeriesQuestion::new(&series) };
    let solved = series.solve(&question, &InMemory::default(), &ExploreOptions::default()).unwrap();
    let won = f64::from(u32::try_from(solved.plays_won).unwrap());
    let (share, odds) = (won / f64::from(PLAYS), solved.win.decimal());
    assert!((share - odds).abs() < 4.0 * (odds * (1.0 - odds) / f64::from(PLAYS)).sqrt(), "{share}, {odds}");
    // Each book is begun at most as often as the one before is won, and the last one's odds are the series'.
    assert_eq!(solved.books[0].reached.to_bits(), 1f64.to_bits());
    assert_eq!(solved.books[0].win.to_bits(), solved.books[1].reached.to_bits());
    assert!(solved.books[1].win <= solved.books[1].reached);
}

#[test]
fn what_is_wrong_with_a_series_is_reported_with_its_place() {
    let wrong = [
        ("series \"One\" format=1\nbook \"gate\"\n", "1 books are no series"),
        ("series \"Two\" format=1\nbook \"gate\"\nbook \"cave\"\n", "there is no cave"),
        ("series \"Two\" format=2\nbook \"gate\"\nbook \"tower\"\n", "format 2 of the book language is not known"),
        (
            "series \"Two\" format=1\nbook \"gate\" { sets-out; }\nbook \"tower\"\n",
            "nothing comes before the first book",
        ),
        (&series_text("learn swimming"), "there is no discipline `swimming`"),
        (&series_text("learn 0"), "0"),
        (&series_text("learn weaponskill"), "weaponskill in which weapon?"),
        (&series_text("learn weaponskill=spoon"), "`spoon` is not a weapon"),
        (&series_text("begin { goto 4; }"), "the book begins in its own first section"),
        (&series_text("begin { gain bread; }"), "`bread` is not the name of an item"),
        (&series_text("rename meal bread"), "no hero has `bread` here"),
        (&series_text("rename meal sword"), "not two names of one thing"),
        (&series_text("remember meal 1"), "`meal` is nothing permanent"),
        (&series_text("remember key 77"), "there is no section 77"),
        (&series_text("teach hunting"), "`teach` means nothing between two books"),
        (&series_text("learn 1\nlearn 1"), "`learn` occurs a second time"),
    ];
    for (text, message) in wrong {
        let error = read_both(text, SECOND).map(|series| series.title).expect_err(message).to_string();
        assert!(error.contains(message), "{message}: {error}");
    }
    let error = read_both(&series_text(""), "book \"Tower\" format=1").expect_err("no book").to_string();
    assert!(error.contains("tower"), "{error}");
    let kinds = SECOND.replace("special key", "backpack-item key");
    let error = read_both(&series_text(""), &kinds).expect_err("another kind").to_string();
    let message = "`key` means different things in two books: `special key` in line 22 of gate, `backpack-item key` in line 11 of tower";
    assert!(error.contains(message), "{error}");
}

/// A text with other numbers for its sections.
pub fn renumbered(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(place) = ["goto ", "section "].iter().filter_map(|word| Some(rest.find(word)? + word.len())).min() {
        let (before, after) = rest.split_at(place);
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let number: u32 = after[..digits].parse().unwrap();
        out.push_str(before);
        out.push_str(&(number + 100).to_string());
        rest = &after[digits..];
    }
    out + rest
}

/// A book without the declarations of what its sections do not name.
fn without_the_unused(text: &str) -> String {
    let sections = &text[text.find("hero {").unwrap()..];
    let word = |line: &str| line.split_whitespace().nth(1).unwrap_or_default().to_string();
    let declares =
        |line: &str| ["    weapon ", "    backpack-item ", "    special "].iter().any(|own| line.starts_with(own));
    let kept = text.lines().filter(|line| !declares(line) || sections.contains(&word(line)));
    kept.collect::<Vec<_>>().join("\n")
}

/// The last moment for what heals after fights is before the end of a book, however it ends.
#[test]
fn what_heals_is_used_before_a_book_ends() {
    let first = |ends: &str| {
        format!(
            "book A format=1 rules=lone-wolf\nstart 1\ngoal 9\n\
             hero {{ combat-skill 15; endurance 20; items potion; }}\n\
             items {{ backpack-item potion heals=4 when=since-combat; }}\n\
             section 1 {{ fight Rat skill=0 endurance=1 {{ untouchable; }}; endurance -10; {ends}; }}\n\
             section 2 {{ goto 9; }}\nsection 9 {{ victory; }}\n"
        )
    };
    let second = "book B format=1 rules=lone-wolf\nstart 1\ngoal 9\nhero { combat-skill 15; endurance 20; }\n\
                  items { special seal; }\n\
                  section 1 { if \"endurance >= 14\" { pick { when 0 4 { goto 9; }; else { }; }; }; \
                  lose seal; death; }\nsection 9 { victory; }\n";
    let text = "series Two format=1\nbook first\nbook second\n";
    for ends in ["goto 9", "goto 2", "victory", "pick { when 0 4 { goto 9; }; else { goto 2; }; }"] {
        let books = |name: &str| Ok(if name == "first" { first(ends) } else { second.to_string() });
        let none = |_: &str| Err("no other file".to_string());
        let series = match read_series(text, &books, &none, &Budget::unlimited()) {
            Ok((series, _)) => series,
            Err(error) => panic!("{error}"),
        };
        for analyses in [Analyses::default(), Analyses::NONE] {
            assert_eq!(exact(&series, analyses), ratio(1, 2), "{ends}");
        }
    }
}

/// Random books in pairs: the second is begun with what is left of the first, and each declares only what it names.
#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_random_books_in_a_row_are_worth_what_they_are_in_one() {
    let fits = |text: &String| {
        let plain = ["since-combat", "on-enter", "healing"].iter().all(|word| !text.contains(word));
        plain && text.contains("system=\"lone-wolf\"")
    };
    let books: Vec<String> = (0..4000).map(random_book).filter(fits).collect();
    let items = |text: &str| text[text.find("items {").unwrap()..text.find("hero {").unwrap()].to_string();
    let (mut compared, mut between) = (0, 0);
    for (place, first) in books.iter().enumerate() {
        let Some(second) = books[place + 1..].iter().find(|second| items(first) == items(second)) else { continue };
        let goes_on = "section 10 { clear one; clear two; set count 0; endurance full; goto 101; }";
        let sections = second[second.find("section 1 ").unwrap()..].to_string();
        let one =
            first.replace("section 10 { victory; }", "").replace("victory", "goto 10").replace("goal 10", "goal 110");
        let one = format!("{one}{goes_on}\n{}", renumbered(&sections));
        let limits = Limits { max_states: 10_000, ..Limits::default() };
        let budget = Budget::new(limits);
        let options = ExploreOptions::default().with_budget(&budget);
        let (book, _) = read_random(&one).unwrap_or_else(|problems| panic!("{problems}\n{one}"));
        let question = Question { exact: true, situation: Situation::default(), ..Question::new(&book) };
        let Ok(solved) = Solved::new(&book, &question, &options) else { continue };
        let texts = |name: &str| Ok(without_the_unused(if name == "first" { first } else { second }));
        let text = "series \"Two\" format=1\nbook \"first\"\nbook \"second\" { begin { endurance full; }; }\n";
        let none = |_: &str| Err("no other file".to_string());
        let (series, _) =
            read_series(text, &texts, &none, &Budget::unlimited()).unwrap_or_else(|error| panic!("{error}"));
        let question = SeriesQuestion { exact: true, situation: Situation::default(), ..SeriesQuestion::new(&series) };
        let Ok(found) = series.solve(&question, &InMemory::default(), &options) else { continue };
        let expected = solved.win().exact.unwrap();
        assert_eq!(found.win.exact.as_ref(), Some(&expected), "{first}\n{second}");
        let question = SeriesQuestion { exact: false, enough: (place % 2 == 0).then_some(1), ..question };
        let staged = series.solve(&question, &InMemory::default(), &options).unwrap().win;
        let decimal = expected.to_f64().value();
        assert!(staged.lower <= decimal && decimal <= staged.upper && staged.width() < 1e-12, "{decimal} {staged:?}");
        compared += 1;
        between += u32::from(Rational::ZERO < expected && expected < Rational::ONE);
        if compared > 10 && between > 5 {
            break;
        }
    }
    assert!(compared > 10 && between > 5, "{compared} compared, {between} of them neither won nor lost for certain");
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_the_built_in_series_can_be_read_and_compiled() {
    for (name, text) in BUILT_IN_SERIES {
        let books = |name: &str| built_in(name).map(String::from).ok_or_else(|| format!("there is no {name}"));
        let none = |_: &str| Err("no other file".to_string());
        let series = read_series(text, &books, &none, &Budget::unlimited());
        let (series, warnings) = series.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(warnings.is_empty(), "{warnings:?}");
        series
            .machine(&SeriesQuestion::new(&series), &Budget::unlimited())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn who_follows_the_frugal_policy_of_the_kai_books_does_no_better_than_best() {
    for name in
        ["flight-from-the-dark", "fire-on-the-water", "the-caverns-of-kalte", "the-chasm-of-doom", "shadow-on-the-sand"]
    {
        let (book, _) = read(built_in(name).unwrap()).unwrap_or_else(|problems| panic!("{problems}"));
        let frugal = book.policies.iter().find(|policy| policy.name == "frugal").cloned();
        assert!(frugal.is_some(), "{name}");
        // The others take long.
        if !["flight-from-the-dark", "the-caverns-of-kalte"].contains(&name) {
            continue;
        }
        let win = |policy| {
            let question = Question::new(&book);
            let question = Question { situation: Situation { policy, ..question.situation.clone() }, ..question };
            Solved::new(&book, &question, &ExploreOptions::default()).unwrap().win()
        };
        let (frugal, best) = (win(frugal), win(None));
        assert!(0.5 < frugal.lower && frugal.upper < best.lower, "{name}: {frugal:?} {best:?}");
    }
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_long_sections_are_compiled_and_longer_beginnings_refused() {
    let many = |count: usize| "set luck 0; ".repeat(count);
    let second = SECOND.replace("flags climbed", "flags climbed\ncounter luck max=5");
    let long = second.replace("section 2 { ", &format!("section 2 {{ {}", many(3900)));
    let begin = |count: usize| series_text(&format!("begin {{ {BETWEEN} {} }}", many(count)));
    let series = read_both(&begin(3900), &long).unwrap_or_else(|error| panic!("{error}"));
    series.machine(&SeriesQuestion::new(&series), &Budget::unlimited()).unwrap();
    let error = read_both(&begin(4000), &second).unwrap_err().to_string();
    assert!(error.contains("nodes"), "{error}");
}
