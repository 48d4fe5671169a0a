//! `bestplay gamebook solve` of books in a row.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

use crate::common::{command, json, stdout};

const SOLVE: &str = "gamebook series";
const BOTH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/series/both.kdl");

const KEEPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/series/keeps.kdl");

/// An answer without what differs from run to run.
fn lasting(mut answer: Value) -> Value {
    for key in ["seconds", "peak_memory_bytes"] {
        answer.as_object_mut().expect("an object").remove(key);
    }
    answer
}

#[test]
fn a_series_is_shown_book_by_book() {
    let answer = json(SOLVE, &format!("{BOTH} --plays 1000 --seed 3"));
    let win = &answer["win"];
    let (lower, upper) = (win["lower"].as_f64().unwrap(), win["upper"].as_f64().unwrap());
    assert!(0.0 < lower && lower <= upper && upper < 1.0 && upper - lower < 1e-12, "{win}");
    let books = answer["books"].as_array().unwrap();
    let shown: Vec<&str> = books.iter().map(|book| book["book"].as_str().unwrap()).collect();
    assert_eq!(shown, ["gate.kdl", "tower.kdl"]);
    assert_eq!(books[0]["reached"], 1.0);
    assert_eq!(books[0]["win"], books[1]["reached"]);
    assert!((books[1]["win"].as_f64().unwrap() - lower).abs() < 1e-12);
    assert!(books.iter().all(|book| book["states"].as_u64().unwrap() > 0));
    let text = stdout(SOLVE, BOTH);
    assert!(text.starts_with("The Gate and the Tower, 2 books in a row\n"), "{text}");
    // One game of both is worth the same.
    let exact = &json(SOLVE, &format!("{BOTH} --exact --without sure"))["win"];
    assert!(exact["exact"].is_string() && lower <= exact["decimal"].as_f64().unwrap(), "{exact}");
    assert!(exact["decimal"].as_f64().unwrap() <= upper);
}

#[test]
fn books_with_a_system_are_shown_in_a_row() {
    let answer = json(SOLVE, &format!("{KEEPS} --hero skill=11,gold=10 --exact --plays 100"));
    assert!(answer["win"]["exact"].is_string(), "{answer}");
    let (first, second) = (&answer["books"][0], &answer["books"][1]);
    assert_eq!(first["win"], second["reached"]);
    let text = stdout(SOLVE, KEEPS);
    assert!(
        text.starts_with("Two keeps, 2 books in a row\n  skill 9, stamina 16, luck 9, provisions 3, gold 3\n"),
        "{text}"
    );
    // One of them alone, part by part and whole.
    let ford = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/series/ford.kdl");
    let (parts, whole) = (json(SOLVE, &format!("{ford} --plays 5")), json("gamebook solve", ford));
    let number = |answer: &Value, key: &str| answer["win"][key].as_f64().unwrap();
    assert!(number(&parts, "lower") <= number(&whole, "upper") && number(&whole, "lower") <= number(&parts, "upper"));
    assert!(parts["books"].is_array() && whole["books"].is_null());
    // Sections with a name are shown by it.
    let mut play = command("gamebook play --seed 3 --hero luck=12", KEEPS);
    let output = play.write_stdin("1\n1\n2\n").output().unwrap();
    let output_text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output_text.contains("climb (to Wall of The Keep)"), "{output_text}");
}

#[test]
fn advice_in_a_series_is_worth_the_whole() {
    // At its beginning it is worth what the series is; in its last book what that book is alone.
    let whole = json(SOLVE, BOTH);
    let first = json("gamebook advise --at 1", BOTH);
    let middle = |answer: &Value| answer["win"]["decimal"].as_f64().unwrap();
    assert!((middle(&whole) - middle(&first)).abs() < 1e-12, "{first}");
    let tower = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/series/tower.kdl");
    let hero = "--at 2 --combat-skill 15 --endurance 12 --max-endurance 22 --items meal";
    let (there, alone) = (
        json(&format!("gamebook advise --in tower.kdl {hero}"), BOTH),
        json(&format!("gamebook advise {hero}"), tower),
    );
    assert!((middle(&there) - middle(&alone)).abs() < 1e-12, "{there} {alone}");
    assert_eq!(there["section"], "2 of The Tower");
    let labels = |answer: &Value| -> Vec<String> {
        answer["choices"].as_array().unwrap().iter().map(|own| own["label"].to_string()).collect()
    };
    assert_eq!(labels(&there), labels(&alone));
    // A hero of a system, by section's name.
    let keep = json("gamebook advise --in keep.kdl --at Gate --hero skill=9,stamina=12,rope=1,has-waded=1", KEEPS);
    assert_eq!(keep["choices"][0]["section"], "Wall of The Keep", "{keep}");
    assert!(keep["choices"][1]["win"]["decimal"].as_f64().is_some(), "{keep}");
    for (arguments, message) in [
        (format!("{BOTH} --at 1 --in castle.kdl"), "there is no book `castle.kdl` in this series"),
        (format!("{BOTH} --at 77"), "there is no section 77"),
        (format!("{BOTH} --at 1 --goal 9"), "a series is won by its last book"),
        ("fire-on-the-water --at 1 --in fire-on-the-water".into(), "is one book"),
    ] {
        let output = command("gamebook advise", &arguments).assert().code(2);
        let error = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(error.contains(message), "{arguments}: {error}");
    }
}

#[test]
fn killed_at_any_moment_a_series_ends_with_the_same_bits() {
    let began = Instant::now();
    let whole = lasting(json(SOLVE, BOTH));
    let took = began.elapsed();
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state");
    let mut random = StdRng::seed_from_u64(5);
    let mut killed = 0;
    for _ in 0..10 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bestplay"))
            .args(["gamebook", "series", BOTH, "--state"])
            .arg(&state)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(random.random_range(Duration::ZERO..took));
        killed += u32::from(child.try_wait().expect("it is our child").is_none());
        child.kill().expect("it is our child, or has ended");
        child.wait().expect("it is our child");
    }
    assert!(killed > 0, "it always ended before it was killed");
    let arguments = format!("{BOTH} --state {}", state.display());
    assert_eq!(lasting(json(SOLVE, &arguments)), whole);
    // And once more from what is finished; also where a file is damaged.
    assert_eq!(lasting(json(SOLVE, &arguments)), whole);
    for file in fs::read_dir(&state).expect("a folder") {
        let path = file.expect("a file").path();
        let mut bytes = fs::read(&path).expect("a file");
        // What a kill left behind may have nothing in it.
        bytes.truncate(bytes.len().saturating_sub(3));
        fs::write(&path, bytes).expect("a file");
    }
    assert_eq!(lasting(json(SOLVE, &arguments)), whole);
}

#[test]
fn a_policy_is_followed_in_all_books() {
    let folder = tempfile::tempdir().expect("a folder");
    let beside = Path::new(BOTH).parent().expect("a folder");
    for name in ["both.kdl", "gate.kdl"] {
        fs::copy(beside.join(name), folder.path().join(name)).expect("a file");
    }
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    // The second book without these ways.
    let tower = fs::read_to_string(beside.join("tower.kdl")).expect("a file");
    let ways = ["has rope", "has key", "gold >= 10"].map(|own| format!("require \"{own}\""));
    let less = ways.iter().fold(tower, |text, way| text.replace(way, "require \"gold > 50\""));
    write("tower.kdl", &less);
    write("plain.kdl", "policy \"plain\" { never \"climb\"; never \"the door\"; never \"pay\"; }");
    let written = json(SOLVE, &folder.path().join("both.kdl").display().to_string());
    let plain = folder.path().join("plain.kdl");
    let followed = json(SOLVE, &format!("{BOTH} --policy {}", plain.display()));
    let odds = |answer: &Value| answer["win"]["decimal"].as_f64().expect("a number");
    assert!((odds(&followed) - odds(&written)).abs() < 1e-12, "{followed} {written}");
    // Who follows nothing does better.
    assert!(odds(&followed) < odds(&json(SOLVE, BOTH)) - 1e-3);
}

#[test]
fn a_limit_tells_bounds_and_what_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state");
    let whole = json(SOLVE, BOTH);
    let arguments = format!("{BOTH} --state {} --max-states", state.display());
    let limit = (0..20).map(|power| 1u64 << power).find_map(|most| {
        let output = command(SOLVE, &format!("{arguments} {most}")).output().expect("it runs");
        let error = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains("the same command goes on there"), "{error}");
        let (_, bounds) = error.split_once("known by then: the probability to win is between ")?;
        let mut bounds = bounds.split_whitespace();
        let lower: f64 = bounds.next()?.parse().ok()?;
        let upper: f64 = bounds.nth(1)?.parse().ok()?;
        let odds = whole["win"]["decimal"].as_f64().expect("a number");
        assert!(lower <= odds && odds <= upper, "{error}");
        Some(most)
    });
    assert!(limit.is_some());
    let answer = lasting(json(SOLVE, &format!("{BOTH} --state {}", state.display())));
    assert_eq!(answer, lasting(whole));
}

#[test]
fn the_file_of_a_series_is_checked() {
    assert!(stdout("gamebook check", BOTH).ends_with("both.kdl: no problems\n"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wrong.kdl");
    let text = "series \"Wrong\" format=1\nbook \"fire-on-the-water\"\nbook \"the-chasm-of-doom\" { learn swimming; begin { goto 3; }; }\n";
    fs::write(&path, text).expect("a file");
    let output = command("gamebook check", &path.display().to_string()).assert().code(2);
    let shown = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(shown.contains("there is no discipline `swimming`") && shown.contains("2 errors"), "{shown}");
}

#[test]
fn a_series_is_played_with_hints() {
    let win = json(SOLVE, BOTH)["win"]["decimal"].as_f64().unwrap();
    let typed = "hint\n2\n4\n1\n".repeat(60);
    let output = command("gamebook play --hints --seed 5", BOTH).write_stdin(typed).assert().success();
    let output_text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    assert!(output_text.starts_with("The Gate and the Tower\n"), "{output_text}");
    assert!(output_text.contains(&format!("(you win with probability {:.3} %)", win * 100.0)), "{output_text}");
    for section in ["Section 1 of The Gate", "Section 9 of The Gate", "Section 1 of The Tower"] {
        assert!(output_text.contains(section), "{section}: {output_text}");
    }
}

#[test]
fn what_does_not_fit_a_series_is_refused() {
    for (arguments, message) in [
        (format!("{BOTH} --goal 5"), "from its beginning to its end"),
        ("fire-on-the-water --state somewhere --start 20".into(), "from its beginning to its end"),
        (format!("{KEEPS} --disciplines hunting"), "this book has no heroes of Lone Wolf"),
        (format!("{KEEPS} --hero has-waded=1"), "a hero of this book has no `has-waded`"),
    ] {
        let output = command(SOLVE, &arguments).assert().code(2);
        let error = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(error.contains(message), "{arguments}: {error}");
    }
    assert!(!Path::new("somewhere").exists());
    for words in ["gamebook solve", "gamebook rolled", "gamebook readers"] {
        let output = command(words, BOTH).assert().code(2);
        let error = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(error.contains("is a series of books") && error.contains("gamebook series"), "{words}: {error}");
    }
    let output = command("gamebook play --goal 5", BOTH).assert().code(2);
    assert!(String::from_utf8_lossy(&output.get_output().stderr).contains("there is no section 5"));
    let output = command("gamebook map", BOTH).assert().code(2);
    let error = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(error.contains("`bestplay serve` take it"), "{error}");
}
