//! Fire on the Water as a whole: its exact value under every reduction, as it is and as it was encoded before.

use gamebook::{Analyses, Question, Solved, built_in, read, read_readings};
use mdp::{ExploreOptions, Rational, fraction_text};

const FRACTION: &str = include_str!("../fractions/fire-on-the-water.txt");
const FRACTION_BEFORE: &str = include_str!("../fractions/fire-on-the-water-before.txt");

/// The corrections of the book, each as it is and as it was, where a reading does not bring it back.
const CORRECTIONS: [(&str, &str); 8] = [
    ("laumspur food=#true heals=3 when=any-time", "laumspur food=#true heals=3 when=on-entering"),
    ("healing-potion heals=4 when=since-combat", "healing-potion heals=4 when=after-combat"),
    ("small-healing-potion heals=3 when=any-time", "small-healing-potion heals=3 when=after-combat"),
    ("laumspur-potion heals=5 when=since-combat", "laumspur-potion heals=5 when=after-combat"),
    ("skill=13 endurance=19 undead=#true immune-to-mindblast=#true", "skill=13 endurance=19 undead=#true"),
    (
        "\"mine > 0 and (first = 0 or second = 0 or mine < first or mine < second)\"",
        "\"mine < first or mine < second\"",
    ),
    ("eat hunting=#false", "eat hunting=#false optional=#true"),
    (" eat\n", " eat optional=#true\n"),
];

/// The stake was beside the win in 308 only.
const READINGS_BEFORE: [&str; 1] = ["stake=in"];

fn before() -> String {
    let mut text = built_in("fire-on-the-water").unwrap().to_string();
    for (now, before) in CORRECTIONS {
        assert!(text.contains(now), "{now}");
        text = text.replace(now, before);
    }
    // By the reading of that time the stake of section 308 was beside the win all the same.
    let (head, tail) = text.split_once("section 308 {").unwrap();
    let (section, tail) = tail.split_once("section 309 {").unwrap();
    format!("{head}section 308 {{{}section 309 {{{tail}", section.replace("reading stake beside", "always"))
}

fn win(text: &str, readings: &[&str], analyses: Analyses) -> Rational {
    let (book, _) = read(text).unwrap();
    let mut question = Question { exact: true, analyses, ..Question::new(&book) };
    let readings: Vec<String> = readings.iter().map(ToString::to_string).collect();
    question.situation.readings = read_readings(&book, &readings).unwrap();
    Solved::new(&book, &question, &ExploreOptions::default()).unwrap().win().exact.unwrap()
}

/// The reductions without one of which the book still fits into memory.
fn reductions() -> impl Iterator<Item = (&'static str, Analyses)> {
    let names = Analyses::NAMES.into_iter().filter(|name| !["merge", "forget"].contains(name));
    let without = names.map(|name| (name, Analyses::default().without(name).unwrap()));
    [("nothing", Analyses::default())].into_iter().chain(without)
}

#[test]
#[ignore = "takes minutes"]
fn the_whole_book() {
    for (name, analyses) in reductions() {
        let win = win(built_in("fire-on-the-water").unwrap(), &[], analyses);
        assert_eq!(fraction_text(&win), FRACTION.trim(), "without {name}");
    }
}

/// The corrections are what changed, and nothing else.
#[test]
#[ignore = "takes minutes"]
fn the_whole_book_as_it_was() {
    for (name, analyses) in reductions() {
        let win = win(&before(), &READINGS_BEFORE, analyses);
        assert_eq!(fraction_text(&win), FRACTION_BEFORE.trim(), "without {name}");
    }
}
