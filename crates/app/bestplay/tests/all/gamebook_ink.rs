//! Stories in ink, given to the verbs as they are.

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// Who digs twice finds gold with a coin's chance each time, and may be buried: 5/7 * 5/7.
const CAVE: &str = "\
VAR gold = 0
-> cave
=== cave ===
+ {gold < 2} dig
  ~ gold = gold + RANDOM(0, 1)
  {RANDOM(1, 6) == 1: The roof comes down. -> END}
  -> cave
+ {gold >= 2} leave
  # win
  -> END
";

/// One way breaks off, one knot is never reached.
const HOUSE: &str = "\
-> hall
=== hall ===
* [stairs] You climb. -> attic
* [cellar] -> cellar
=== attic ===
# win
# ending: stars
-> END
=== cellar ===
{RANDOM(1, 4) == 1: -> hall}
It is dark.
=== garden ===
-> END
";

/// A folder with one story in it.
fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("story.ink"), text).expect("it can be written");
    folder
}

/// What a verb says of a story: its exit code, standard output and standard error.
fn check_ink(text: &str, args: &[&str]) -> (i32, String, String) {
    run(&folder(text), args)
}

fn run(folder: &TempDir, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    let (verb, rest) = args.split_first().expect("a verb");
    let output = command.current_dir(folder.path()).args(["gamebook", verb, "story.ink"]).args(rest).output();
    let output = output.expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("a code"), text(&output.stdout), text(&output.stderr))
}

fn json(text: &str, args: &[&str]) -> Value {
    let (code, out, error) = check_ink(text, &[args, &["--format", "json"]].concat());
    assert_eq!(code, 0, "{error}");
    serde_json::from_str(&out).expect("JSON")
}

#[test]
fn odds_and_endings() {
    let (code, out, _) = check_ink(CAVE, &["solve", "--exact"]);
    assert_eq!(code, 0);
    assert!(out.contains("Win   51.020 %  best play (25/49)"), "{out}");
    assert!(out.contains("the odds are the story's"), "{out}");
    let answer = json(HOUSE, &["solve", "--exact"]);
    assert_eq!(answer["win"]["exact"], "1/1");
    // Half of them climb; of those who come back from the cellar, an eighth, only the stairs are left.
    assert_eq!(answer["random_win"]["exact"], "5/8");
    assert_eq!(answer["endings"][0]["name"], "stars");
    assert_eq!(answer["endings"][0]["won"], true);
    assert!((answer["breaks_off"]["random"].as_f64().expect("a number") - 0.375).abs() < 1e-9);
    assert_eq!(answer["faults"][0]["way"], serde_json::json!(["cellar"]));
    assert!(answer["knots"].is_null() && answer["stopped"].is_null());
}

#[test]
fn every_knot_and_another_goal() {
    let (_, out, _) = check_ink(HOUSE, &["report"]);
    let lines: Vec<String> = out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in ["garden 0.000 % 0.000 %", "cellar 0.000 % 50.000 %", "attic 100.000 % 62.500 %"] {
        assert!(lines.iter().any(|own| own == line), "{out}");
    }
    let answer = json(HOUSE, &["report", "--goal", "cellar"]);
    assert_eq!(answer["win"]["decimal"], 1.0);
    assert_eq!(answer["knots"].as_array().expect("knots").len(), 4);
    // Who finds some has it, whatever the roof does.
    let answer = json(CAVE, &["solve", "--goal", "gold >= 1"]);
    assert!((answer["win"]["decimal"].as_f64().expect("a number") - 6.0 / 7.0).abs() < 1e-9);
    let (code, _, error) = check_ink(CAVE, &["solve", "--goal", "silver"]);
    assert!(code == 2 && error.contains("name a knot (cave)"), "{error}");
}

#[test]
fn what_is_wrong_with_a_story() {
    let (code, out, _) = check_ink(HOUSE, &["check"]);
    assert_eq!(code, 1);
    assert!(out.contains("the story breaks off in cellar") && out.contains("story.ink:9:1"), "{out}");
    assert!(out.contains("garden can never be reached") && out.contains("story.ink:12:1"), "{out}");
    let (code, out, _) = check_ink("-> hall\n=== hall ===\n* [go] -> nowhere\n", &["check"]);
    assert!(code == 2 && out.contains("nowhere"), "{out}");
    assert_eq!(check_ink(CAVE, &["check"]).0, 0);
    let (_, out, _) = check_ink("* one -> END\n", &["check"]);
    assert!(out.contains("no end that is reached wins"), "{out}");
}

#[test]
fn what_to_choose_now() {
    let (_, out, _) = check_ink(HOUSE, &["advise", "--at", "start"]);
    assert!(out.contains("*  100.000 %  1. stairs"), "{out}");
    assert!(out.contains("    25.000 %  2. cellar"), "{out}");
    let answer = json(CAVE, &["advise", "--at", "1"]);
    let situations = answer["situations"].as_array().expect("situations");
    let shares: Vec<f64> = situations.iter().map(|own| own["probability"].as_f64().expect("a number")).collect();
    assert_eq!(shares.len(), 3, "{answer}");
    assert!((shares[0] - 5.0 / 12.0).abs() < 1e-9 && (shares[2] - 1.0 / 6.0).abs() < 1e-9, "{shares:?}");
    assert_eq!(situations[2]["ending"], "cave");
    for wrong in ["0", "x", "1,,2"] {
        assert_eq!(check_ink(CAVE, &["advise", "--at", wrong]).0, 2);
    }
    assert!(check_ink(CAVE, &["advise", "--at", "7"]).2.contains("nothing is reached"));
}

#[test]
fn files_beside_it_are_included() {
    let story = folder("INCLUDE part.ink\n-> part\n");
    std::fs::write(story.path().join("part.ink"), "=== part ===\n* on\n  # win\n  -> END\n")
        .expect("it can be written");
    let (code, out, error) = run(&story, &["solve"]);
    assert!(code == 0 && out.contains("Win  100.000 %"), "{out}{error}");
    let (code, _, error) = check_ink("INCLUDE part.ink\n", &["solve"]);
    assert!(code == 2 && error.contains("part.ink"), "{error}");
}

#[test]
fn what_a_story_does_not_have() {
    for args in [
        &["solve", "--gold", "3"][..],
        &["rolled"],
        &["report", "--policy", "thrifty"],
        &["advise", "--at", "1", "--items", "rope"],
        &["check", "--own-hero"],
        &["play", "--gold", "3"],
    ] {
        let (code, _, error) = check_ink(CAVE, args);
        assert!(code == 2 && error.contains("ink"), "{args:?}: {error}");
    }
}

#[test]
fn a_story_is_played_in_its_own_words() {
    let play = |text: &str, args: &[&str], typed: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
        let folder = folder(text);
        let output = command.current_dir(folder.path()).args(["gamebook", "play", "story.ink"]).args(args);
        let output = output.write_stdin(typed.to_owned()).output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let out = play(HOUSE, &["--seed", "1"], "hint\n3\n1\nundo\n2\n");
    for words in ["  1  stairs", "*  100.000 %  1. stairs", "from 1 to 2", "You climb.", "The end: stars, won."] {
        assert!(out.contains(words), "{words}: {out}");
    }
    let digging = play(CAVE, &["--seed", "7", "--hints", "--exact"], "1\n1\n1\n1\n1\n1\nquit\n");
    assert!(digging.contains("25/49") && digging.contains("  1  dig"), "{digging}");
    assert_eq!(digging, play(CAVE, &["--seed", "7", "--hints", "--exact"], "1\n1\n1\n1\n1\n1\nquit\n"));
    // Enter is enough where there is one choice.
    assert!(play("* on\n  # win\n  -> END\n", &[], "\n").contains("won"));
}

#[test]
fn knots_are_drawn() {
    let (code, dot, error) = check_ink(HOUSE, &["map", "--format", "dot"]);
    assert_eq!(code, 0, "{error}");
    for knot in ["hall", "attic", "cellar", "garden"] {
        assert!(dot.contains(&format!("label=\"{knot}\"")), "{knot}: {dot}");
    }
    assert_eq!(dot.matches(" -> ").count(), 4, "{dot}");
    let (_, svg, _) = check_ink(HOUSE, &["map", "--goal", "attic", "--solve"]);
    assert!(svg.starts_with("<svg") && svg.contains("Best play wins 100.000 %") && svg.contains("GOAL"), "{svg}");
}

#[test]
fn chance_that_is_not_followed_leaves_bounds() {
    let (code, out, _) = check_ink("VAR x = 0\n~ x = RANDOM(1, 2000000000)\n{x > 5:\n# win\n}\n-> END\n", &["solve"]);
    assert_eq!(code, 1);
    assert!(out.contains("too many ways") && out.contains("0.000 % to 100.000 %"), "{out}");
}

#[test]
fn a_limit_leaves_bounds() {
    let endless = "VAR n = 0\n-> road\n=== road ===\n~ n = n + 1\n+ [on] -> road\n+ {n == 40} [rest]\n  # win\n  -> END\n+ [{n}] -> END\n";
    let (code, out, error) = check_ink(endless, &["solve", "--max-states", "30", "--format", "json"]);
    assert_eq!(code, 1, "{error}");
    let answer: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((answer["win"]["lower"].as_f64(), answer["win"]["upper"].as_f64()), (Some(0.0), Some(1.0)));
    assert!(answer["stopped"].as_str().expect("why").contains("30"), "{answer}");
    assert!(error.contains("the limit of 30 states is reached"), "{error}");
}
