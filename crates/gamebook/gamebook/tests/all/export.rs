//! What is exported is played as the book is: plays at random of the page's interpreter win as often, and come through
//! the same sections as often, as the random reader's exact odds say.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use budget::{Budget, Limits};
use gamebook::{Question, Reader, built_in, read};
use mdp::ExploreOptions;
use serde_json::Value;

use crate::random_book::{random_book, read_random};
use crate::random_system::random_system_book;

/// So many standard errors a share of plays may be off: thousands of shares are compared.
const ERRORS: f64 = 5.0;

/// Says where people see it that a test does not run.
fn skipped(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "\nSKIPPED {test}: {why}. To run it: apt-get install nodejs");
}

/// The results of random plays of these scripts; `None` where node cannot be started.
fn played(name: &str, scripts: &[String], plays: u32) -> Option<Vec<Value>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("scripts-{name}.json"));
    std::fs::write(&file, format!("[{}]", scripts.join(","))).expect("written");
    let output = Command::new("node")
        .arg(here.join("tests/all/plays.js"))
        .arg(here.join("src/author/export/interpreter.js"))
        .arg(&file)
        .arg(plays.to_string())
        .stderr(Stdio::inherit())
        .output();
    match output {
        Ok(output) => {
            assert!(output.status.success(), "the plays end with {}", output.status);
            Some(serde_json::from_slice(&output.stdout).expect("JSON"))
        }
        Err(error) => {
            skipped(&format!("node cannot be started ({error})"));
            None
        }
    }
}

/// Compares plays of books with the random reader's odds; answers how many shares were compared.
fn compare(name: &str, texts: &[String], plays: u32, most_states: u64) -> Option<usize> {
    let budget = Budget::new(Limits { max_states: most_states, ..Limits::default() });
    let options = ExploreOptions::default().with_budget(&budget);
    let (mut scripts, mut expected) = (Vec::new(), Vec::new());
    for text in texts {
        let Ok((book, _)) = read_random(text) else { continue };
        let mut question = Question::new(&book);
        let Ok(fares) = Reader::Random.evaluate(&book, &question, &options) else { continue };
        question.situation.every_question = true;
        scripts.push(question.script(&book, &Budget::unlimited()).unwrap());
        expected.push((text, fares.journey));
    }
    let mut compared = 0;
    for ((text, journey), found) in expected.into_iter().zip(played(name, &scripts, plays)?) {
        let mut look = |what: String, exact: f64, count: u64| {
            let share = f64::from(u32::try_from(count).unwrap()) / f64::from(plays);
            let error = (exact * (1.0 - exact) / f64::from(plays)).sqrt();
            // Of what is rare hardly any play tells.
            let off = (share - exact).abs();
            assert!(off <= ERRORS * error + 6.0 / f64::from(plays), "{what}: {share}, not {exact}\n{text}");
            compared += 1;
        };
        look("won".into(), journey.win.decimal(), found["won"].as_u64().unwrap());
        for visit in &journey.sections {
            let count = found["visited"][visit.section.to_string()].as_u64().unwrap_or(0);
            look(format!("section {}", visit.section), visit.visited, count);
        }
    }
    Some(compared)
}

/// Compares 2000 plays of each of these books with the odds: more than so many shares.
fn agree(name: &str, texts: &[String], least: usize) {
    if let Some(compared) = compare(name, texts, 2_000, 20_000) {
        assert!(compared > least, "{compared} compared");
    }
}

#[test]
fn books_are_played_as_they_are_solved() {
    let texts: Vec<String> = (0..8).map(random_book).collect();
    agree("books", &texts, 15);
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn many_books_are_played_as_they_are_solved() {
    let texts: Vec<String> = (0..40).map(random_book).collect();
    agree("many-books", &texts, 100);
}

#[test]
fn systems_are_played_as_they_are_solved() {
    let texts: Vec<String> = (0..10).map(random_system_book).collect();
    agree("systems", &texts, 20);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_systems_are_played_as_they_are_solved() {
    let texts: Vec<String> = (10..24).map(random_system_book).collect();
    agree("more-systems", &texts, 35);
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn many_systems_are_played_as_they_are_solved() {
    let texts: Vec<String> = (24..60).map(random_system_book).collect();
    agree("many-systems", &texts, 90);
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_whole_books_are_played_as_they_are_solved() {
    let texts = [
        include_str!("../books/crossing.kdl").to_string(),
        built_in("crypt-of-the-sorcerer").unwrap().to_string(),
        built_in("warlock-of-firetop-mountain").unwrap().to_string(),
    ];
    if let Some(compared) = compare("whole", &texts, 3_000, 5_000_000) {
        assert!(compared > 50, "{compared} compared");
    }
}

#[test]
fn a_page_asks_for_nothing_and_is_no_other_page() {
    let text = "book \"<b>\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 2\nhero { combat-skill 15; endurance 25; }\n\
                section 1 { text \"<img src=x onerror=alert(1)></script>\"; choice \"<i>\" { goto 2; }; }\nsection 2 { victory; }";
    let (book, _) = read(text).unwrap();
    let page = Question::new(&book).page(&book, &Budget::unlimited()).unwrap();
    assert!(!page.contains("<img") && !page.contains("<i>") && !page.contains("<b>"));
    for foreign in ["http:", "https:", "src=\"", "href=", "import ", "fetch("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
}
