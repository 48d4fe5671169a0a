//! Series that are begun in the middle: the last book is worth what it is alone, the first what both are in one book.

use budget::Budget;
use gamebook::{
    HeroOverrides, InMemory, Play, Question, SectionNumber, Series, SeriesQuestion, SolveBookError, Solved, read,
};
use mdp::ExploreOptions;

use crate::series::{BETWEEN, SECOND, read_both, series, series_text, together};

/// The question about the whole for who stands in this section of this book with this.
fn here(
    series: &Series,
    book: usize,
    section: SectionNumber,
    now: u8,
    overrides: &HeroOverrides,
    flags: &[&str],
) -> Question {
    let flags: Vec<String> = flags.iter().map(ToString::to_string).collect();
    let overrides = HeroOverrides { endurance: Some(now), ..overrides.clone() };
    let own = &series.books[book].book;
    let standing = overrides.standing(own, section, Some(20), &flags).unwrap_or_else(|error| panic!("{error:?}"));
    let start = series.first_numbers()[book] + section;
    Question { start, goals: series.as_one_book().goals, exact: true, ..standing }
}

fn alone(text: &str, section: SectionNumber, now: u8, overrides: &HeroOverrides, flags: &[&str]) -> Solved {
    let (book, _) = read(text).unwrap_or_else(|problems| panic!("{problems}"));
    let flags: Vec<String> = flags.iter().map(ToString::to_string).collect();
    let overrides = HeroOverrides { endurance: Some(now), ..overrides.clone() };
    let standing = overrides.standing(&book, section, Some(20), &flags).unwrap_or_else(|error| panic!("{error:?}"));
    Solved::new(&book, &Question { exact: true, ..standing }, &ExploreOptions::default()).unwrap()
}

fn overrides(items: &[&str], gold: u8, disciplines: &[&str]) -> HeroOverrides {
    let list = |list: &[&str]| Some(list.iter().map(ToString::to_string).collect());
    HeroOverrides {
        combat_skill: Some(15),
        gold: Some(gold),
        items: list(items),
        disciplines: list(disciplines),
        ..HeroOverrides::default()
    }
}

/// The same value in memory, at once; in parts, cut where it can be; and where a play of it begins.
fn same(series: &Series, question: &Question, expected: &Solved) -> f64 {
    let exact = expected.win().exact.unwrap();
    let solved = series.solved(question, &ExploreOptions::default()).unwrap();
    assert_eq!(solved.win().exact.as_ref(), Some(&exact), "{question:?}");
    let decimal = exact.to_f64().value();
    let parts = SeriesQuestion { exact: false, enough: Some(1), ..series.asked(question) };
    let parts = series.solve(&parts, &InMemory::default(), &ExploreOptions::default()).unwrap();
    assert!(parts.win.lower <= decimal && decimal <= parts.win.upper && parts.win.width() < 1e-12, "{:?}", parts.win);
    let (book, _) = series.place_of(question.start);
    for before in &parts.books[..book] {
        assert!((before.reached - 1.0).abs() < 1e-12 && (before.win - 1.0).abs() < 1e-12, "{:?}", parts.books);
    }
    assert!((parts.books.last().unwrap().win - decimal).abs() < 1e-12, "{:?}", parts.books);
    let play = Play::with_hints(&solved, 1);
    assert_eq!(play.passed().next().map(|passed| passed.section), Some(question.start));
    assert!((play.win().unwrap().decimal() - decimal).abs() < 1e-12);
    decimal
}

#[test]
fn the_last_book_begun_in_any_section_is_worth_what_it_is_alone() {
    // What is learned and happens before it is behind him.
    let series = read_both(&series_text(&format!("learn 1\nbegin {{ {BETWEEN} }}")), SECOND).unwrap();
    let heroes = [
        overrides(&["sword", "key", "meal"], 3, &["mindblast"]),
        overrides(&["axe", "rope", "shield"], 12, &["hunting", "weaponskill=axe"]),
    ];
    let mut odds = Vec::new();
    for (section, flags, now) in
        [(1, &[][..], 20), (2, &[][..], 9), (3, &["climbed"][..], 5), (4, &["climbed"][..], 14)]
    {
        for overrides in &heroes {
            let question = here(&series, 1, section, now, overrides, flags);
            odds.push(same(&series, &question, &alone(SECOND, section, now, overrides, flags)));
        }
    }
    assert!(odds.iter().filter(|own| **own > 0.001 && **own < 0.999).count() >= 5, "{odds:?}");
}

#[test]
fn the_first_book_begun_in_any_section_is_worth_what_one_book_is() {
    let (series, both) = (series(""), together());
    let overrides = overrides(&["sword", "bell"], 5, &["mindblast"]);
    let mut odds = Vec::new();
    for (section, flags) in [(2, &[][..]), (3, &["rung"][..]), (4, &["rung"][..]), (5, &["rung"][..])] {
        let question = here(&series, 0, section, 7, &overrides, flags);
        odds.push(same(&series, &question, &alone(&both, section, 7, &overrides, flags)));
    }
    assert!(odds.iter().all(|own| *own > 0.001 && *own < 0.999), "{odds:?}");
}

#[test]
fn a_sheet_is_corrected_in_a_book_begun_in_the_middle() {
    let series = series("");
    let overrides = overrides(&["sword"], 3, &["mindblast"]);
    let question = here(&series, 1, 4, 14, &overrides, &["climbed"]);
    let solved = series.solved(&question, &ExploreOptions::default()).unwrap();
    let play = Play::with_hints(&solved, 1);
    assert_eq!(play.book(), 1);
    let own = &series.books[1].book;
    let changes = [("endurance".into(), 9), ("combat-skill".into(), 17)];
    let corrected = play.corrected(own, &question, &changes).unwrap();
    let stronger = series.solved_corrected(&corrected, &ExploreOptions::default()).unwrap().win();
    // The same correction in the book alone.
    let (book, _) = read(SECOND).unwrap();
    let single = HeroOverrides { endurance: Some(14), ..overrides.clone() };
    let single = Question { exact: true, ..single.standing(&book, 4, Some(20), &["climbed".into()]).unwrap() };
    let there = Solved::new(&book, &single, &ExploreOptions::default()).unwrap();
    let corrected = Play::with_hints(&there, 1).corrected(&book, &single, &changes).unwrap();
    let expected = Solved::corrected(&book, &corrected, &ExploreOptions::default()).unwrap().win();
    assert_eq!(stronger.exact, expected.exact);
    assert_ne!(stronger.exact, solved.win().exact);
}

#[test]
fn who_learned_on_the_way_may_know_what_the_book_alone_does_not_allow() {
    let second = SECOND.replace("learns 6", "learns 1");
    let series = read_both(&series_text("learn 2 hunting"), &second).unwrap();
    assert_eq!(series.books.iter().map(|own| own.book.learns).collect::<Vec<_>>(), [5, 8]);
}

#[test]
fn where_nobody_can_stand_is_reported() {
    let series = series("");
    let wrong = |question: SeriesQuestion| series.machine(&question, &Budget::unlimited()).unwrap_err();
    let new = || SeriesQuestion::new(&series);
    let error = wrong(SeriesQuestion { book: 2, ..new() });
    assert_eq!(error.to_string(), "there is no such book: the series has 2");
    let error = wrong(SeriesQuestion { book: 1, start: 5, ..new() });
    assert!(matches!(error, SolveBookError::NoSection(5)), "{error}");
    let mut learned = new();
    learned.hero.disciplines = gamebook::DISCIPLINES.iter().map(|(own, _)| *own).take(7).collect();
    assert!(wrong(SeriesQuestion { book: 1, ..learned }).to_string().contains("7 disciplines: 6 at most"));
    let mut weak = SeriesQuestion { book: 1, start: 4, ..new() };
    weak.situation.endurance = Some(21);
    assert!(wrong(weak).to_string().contains("an endurance of 21"));
    // The number between two books is that of no section.
    let between = Question { start: series.first_numbers()[1], ..Question::new(&series.as_one_book()) };
    let error = series.ready(&between, &Budget::unlimited()).unwrap_err();
    assert!(matches!(error, SolveBookError::NoSection(0)), "{error}");
}
