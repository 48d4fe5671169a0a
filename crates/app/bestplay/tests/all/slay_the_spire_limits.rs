//! Fights of Act 1 at a limit: there are bounds, whatever stops the run.

use assert_cmd::Command;
use serde_json::Value;

/// What a command answers within a limit: bounds on standard output, and why it was stopped, or the whole answer.
fn within(args: &[&str], typed: &str, limit: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    command.arg("slay-the-spire").args(args).args(limit.split(' ')).args(["--format", "json"]);
    let output = command.write_stdin(typed).output().expect("it runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let answer: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?} {limit}: {error}\n{stderr}"));
    match output.status.code() {
        Some(0) => assert!(answer["stopped"].is_null(), "{args:?} {limit}: {answer}"),
        Some(1) => {
            assert!(stderr.contains("the limit of") && stderr.contains("is reached"), "{args:?} {limit}: {stderr}");
            // What is played after the fight was solved to the end is only missing.
            let is_reported = answer["stopped"].as_str().is_some_and(|why| why.contains("the limit of"));
            assert!(is_reported || args.contains(&"--seed") && answer["log"].is_null(), "{limit}: {answer}");
        }
        code => panic!("{args:?} {limit}: {code:?} {stderr}"),
    }
    answer
}

fn holds(number: &Value, truth: f64) {
    let (lower, upper) = (number["lower"].as_f64().expect("a bound"), number["upper"].as_f64().expect("a bound"));
    assert!(lower <= truth + 1e-9 && truth <= upper + 1e-9, "{number} {truth}");
}

/// Who is stopped by states is given a second more, in which fights are simulated.
const LIMITS: [&str; 12] = [
    "--max-time 1ms",
    "--max-time 30ms",
    "--max-time 200ms",
    "--max-time 1s",
    "--max-memory 1MB",
    "--max-memory 14MB",
    "--max-memory 24MB",
    "--max-memory 40MB",
    "--max-states 0 --max-time 1s",
    "--max-states 1 --max-time 1s",
    "--max-states 200 --max-time 1s",
    "--max-states 3000 --max-time 1s",
];

#[test]
fn no_limit_leaves_nothing() {
    let fight = ["solve", "--enemy", "jaw-worm", "--hp", "80"];
    let position = r#"{"turn":3,"hp":80,"max_hp":80,"ascension":0,"relics":[],"weak":1,"hand":{"strike":2,"defend":3},
        "draw":{"strike":3,"defend":1,"bash":1,"shrug_it_off":1},
        "enemies":[{"kind":"blue_slaver","hp":34,"intent":"stab","run":1}]}"#;
    for limit in LIMITS {
        holds(&within(&fight, "", limit)["value"], 74.944_857_279_5);
        holds(&within(&[&fight[..], &["--seed", "3"]].concat(), "", limit)["value"], 74.944_857_279_5);
        let plays = within(&["advise", "-"], position, limit);
        let first = plays["first"].as_array().expect("plays");
        let defend = first.iter().find(|own| own["play"] == "defend").expect("it can be played");
        holds(&defend["value"], 77.689_781_940_712_95);
        let rewards = within(&["reward", "--cards", "anger", "--against", "cultist,looter"], "", limit);
        assert_eq!(rewards["rewards"].as_array().map(Vec::len), Some(2), "{rewards}");
    }
}

#[test]
fn ends_that_are_not_known_have_bounds() {
    let limit = ["--max-states", "3000", "--max-time", "1s"];
    let fight = ["slay-the-spire", "solve", "--enemy", "jaw-worm", "--hp", "80"];
    let output = Command::new(env!("CARGO_BIN_EXE_bestplay")).args(fight).args(limit).output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    let (_, ends) = text.split_once("Final health\n").expect(&text);
    let ends: Vec<&str> = ends.lines().filter(|line| line.contains('%')).collect();
    assert!(ends.len() > 9 && ends.iter().all(|line| line.contains(" to ")), "{text}");
}

/// Each of many healths and encounters is played on for a moment after the limit, so every second limit must do.
#[test]
fn no_limit_leaves_nothing_of_many_fights() {
    let deck = "strike=5,defend=4,bash=1,pommel-strike=2,anger=1,clash=1";
    let large = ["solve", "--enemy", "blue-slaver", "--deck", deck, "--by", "health"];
    for limit in LIMITS.iter().skip(1).step_by(2) {
        let survival = &within(&large, "", limit)["survival"];
        assert!(0.0 <= survival["lower"].as_f64().unwrap() && survival["upper"].as_f64().unwrap() <= 1.0, "{survival}");
        let several = within(&["solve", "--enemy", "strong-pool", "--objective", "survival"], "", limit);
        holds(&several["value"], several["value"]["decimal"].as_f64().unwrap());
    }
}
