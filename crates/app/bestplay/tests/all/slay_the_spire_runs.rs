//! `bestplay slay-the-spire` on what was played: losses in a replay, runs and saves, relics, what can come next.

use assert_cmd::Command;
use serde_json::Value;

const RUN: &str = include_str!("../../../../games/slay-the-spire/examples/floor-6.run");

fn output(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("bestplay").expect("it was built");
    let output = command.arg("slay-the-spire").args(args).write_stdin(input).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn json(args: &[&str], input: &str) -> Value {
    let (code, stdout, stderr) = output(&[args, &["--format", "json"]].concat(), input);
    assert_eq!(code, Some(0), "{stderr}");
    serde_json::from_str(&stdout).expect("JSON")
}

fn decimal(number: &Value) -> f64 {
    number["decimal"].as_f64().unwrap_or_else(|| panic!("{number} is no number"))
}

#[test]
fn what_would_have_been_better() {
    // With 12 health two Strikes win at once; ending the turn lets the Jaw Worm bite.
    let fight = r#"{"fight": {"enemies": ["jaw-worm"], "enemy_hp": "12", "hp": 40, "deck": "strike=4,defend=3"},
        "steps": ["3 strike, 2 defend", {"play": "strike", "target": 0}, "end the turn"]}"#;
    let answer = json(&["replay", "-"], fight);
    let [strike, end] = [&answer["steps"][2], &answer["steps"][3]];
    assert!(decimal(&strike["loss"]).abs() < 1e-9 && strike["best"]["play"] == "strike", "{strike}");
    assert_eq!(end["best"]["play"], "strike");
    assert!((decimal(&end["loss"]) + decimal(&end["change"])).abs() < 1e-9 && decimal(&end["loss"]) > 1.0, "{end}");
    assert!((decimal(&end["best_value"]) - 40.0).abs() < 1e-9, "{end}");
    let (_, text, _) = output(&["replay", "-"], fight);
    assert!(text.contains("end the turn; better: strike, 40.00000000"), "{text}");
    // Turns are counted from the beginning: the fight could have been over in the first.
    let turns = json(&["replay", "-", "--objective", "turns"], fight);
    assert!((decimal(&turns["steps"][2]["value"]) - 1.0).abs() < 1e-9, "{turns}");
    assert!(decimal(&turns["mistakes"]) >= 1.0 - 1e-9, "{turns}");
    let (code, stdout, _) = output(&["replay", "-", "--max-states", "1", "--samples", "200"], fight);
    assert!(code == Some(1) || code == Some(0), "{stdout}");
}

#[test]
fn the_fewest_turns() {
    let answer =
        json(&["solve", "--enemy", "cultist", "--enemy-hp", "37", "--deck", "strike=5", "--objective", "turns"], "");
    assert!((decimal(&answer["value"]) - 3.0).abs() < 1e-9, "{answer}");
    let (_, text, _) =
        output(&["solve", "--enemy", "cultist", "--enemy-hp", "18", "--deck", "strike=5", "--objective", "turns"], "");
    assert!(text.starts_with("Turns            1.00000000\n"), "{text}");
}

#[test]
fn what_each_relic_is_worth() {
    let fight = ["--relics", "vajra,anchor", "--against", "looter", "--hp", "20"];
    let answer = json(&[&["reward", "--also", "relics"][..], &fight].concat(), "");
    let rewards = answer["rewards"].as_array().expect("rewards");
    let of = |name: &str| rewards.iter().find(|own| own["take"] == name).unwrap_or_else(|| panic!("{name}: {answer}"));
    let solved = |relics: &str| {
        let enemy = ["solve", "--enemy", "looter", "--hp", "20", "--relics", relics];
        decimal(&json(&enemy, "")["value"])
    };
    let both = solved("vajra,anchor");
    assert_eq!(rewards.len(), 3);
    assert!((decimal(&of("none")["value"]) - both).abs() < 1e-9, "{answer}");
    assert!((decimal(&of("without vajra")["gain"]) - (solved("anchor") - both)).abs() < 1e-9, "{answer}");
    assert!((decimal(&of("without anchor")["gain"]) - (solved("vajra") - both)).abs() < 1e-9, "{answer}");
}

#[test]
fn a_run_for_a_reward() {
    let args = ["reward", "--from", "run", "-", "--also", "relics", "--against", "looter", "--max-time", "60s"];
    let answer = json(&args, RUN);
    assert_eq!(answer["assumed"].as_array().map(Vec::len), Some(2), "{answer}");
    let rewards = answer["rewards"].as_array().expect("rewards");
    assert!(rewards.iter().any(|own| own["take"] == "without vajra"), "{answer}");
    // Two weak fights were met: one of the other two comes next. Options win over the file.
    let args = ["reward", "--from", "run", "-", "--cards", "anger", "--deck", "strike=3,bash", "--hp", "9"];
    let met =
        RUN.replace(r#""Small Slimes", "floor": 1"#, r#""2 Louse", "floor": 1"#).replace("Cultist", "Dead Adventurer");
    let answer = json(&args, &met);
    let enemies: Vec<String> = answer["rewards"][0]["encounters"]
        .as_array()
        .expect("fights")
        .iter()
        .map(|own| own["enemies"].to_string())
        .collect();
    assert_eq!(enemies.len(), 3, "{enemies:?}");
    assert!(enemies.iter().all(|own| own.contains("cultist") || own.contains("slime")), "{enemies:?}");
    for (wrong, message) in [
        (RUN.replace("Bash+1", "Zap"), "the card Zap"),
        (RUN.replace("Vajra", "Calipers"), "the relic Calipers"),
        ("no save!".into(), "neither JSON nor base 64"),
    ] {
        let (code, stdout, stderr) = output(&["reward", "--from", "run", "-", "--cards", "anger"], &wrong);
        assert!(code == Some(2) && stdout.is_empty() && stderr.contains(message), "{stderr}");
    }
}
