//! `bestplay lone-wolf` as a user meets it.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::common::{self, decimal};

const WORDS: &str = "lone-wolf fight";

fn command(arguments: &str) -> Command {
    common::command(WORDS, arguments)
}

fn stdout(arguments: &str) -> String {
    common::stdout(WORDS, arguments)
}

fn json(arguments: &str) -> Value {
    common::json(WORDS, arguments)
}

#[test]
fn published_figures() {
    let bold = json("--combat-skill 10 --endurance 25 --enemy 23/30");
    assert_eq!(bold["death"]["exact"], "19879281/20000000");
    let last = bold["endurance_left"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["endurance"], &last["probability"]["exact"]), (&25.into(), &"1/100000".into()));
    let unarmed = json("--combat-skill 10 --unarmed --endurance 20 --enemy 17/26");
    assert_eq!(unarmed["combat_ratio"], -11);
    assert_eq!(unarmed["death"]["exact"], "992003/1000000");
    let untouchable = json("--combat-skill 15 --endurance 5 --enemy 20/20 --untouchable 2");
    assert_eq!(untouchable["death"]["exact"], "18873/25000");
}

#[test]
fn bonuses_add_up() {
    let fight = "--endurance 25 --enemy 22/30";
    let all = json(&format!("--combat-skill 15 {fight} --mindblast --weaponskill --shield --bonus -3"));
    assert_eq!(all["combat_ratio"], -4);
    assert_eq!(all, json(&format!("--combat-skill 18 {fight}")));
    assert_eq!(all, json(&format!("--combat-skill -982 {fight} --bonus 1000")));
    assert_eq!(all, json("--combat-skill -4 --endurance 25 --enemy 0/30"));
    assert_eq!(all, json("--combat-skill -8 --endurance 25 --enemy -4/30"));
    command(&format!("--combat-skill 15 {fight} --mindblast --unarmed --bonus -1"))
        .assert()
        .success()
        .stdout(contains("Combat skill 15 + 2 (Mindblast) - 4 (unarmed) - 1 (penalty) = 12, ENDURANCE 25, against"));
}

#[test]
fn json_is_whole() {
    let answer = json("--combat-skill 15 --endurance 25 --enemy 22/30 --double-damage --enemy-mindblast");
    let left = answer["endurance_left"].as_array().unwrap();
    let sum: f64 = left.iter().map(|left| decimal(&left["probability"])).sum();
    assert!((sum - decimal(&answer["win"])).abs() < 1e-12);
    assert!(left.iter().all(|left| (1..=25).contains(&left["endurance"].as_u64().unwrap())));
    assert!((decimal(&answer["win"]) + decimal(&answer["death"]) - 1.0).abs() < 1e-12);
    assert_eq!(answer["evaded"]["exact"], "0/1");
    assert_eq!(answer["run_when"], Value::Array(Vec::new()));
    let rounds = answer["rounds"].as_array().unwrap();
    assert!((1..).zip(rounds).all(|(number, round)| round["round"] == number));
    assert_eq!(rounds.last().unwrap()["over"], 1.0);
    // Ratio -7: a round costs 46 in ten, and 2 more; the enemy twice 36 in ten.
    assert_eq!(rounds[0]["mean_endurance"], 25.0 - 4.6 - 2.0);
    assert_eq!(rounds[0]["mean_enemy_endurance"], 30.0 - 7.2);
}

#[test]
fn when_to_run() {
    let fight = "--combat-skill 15 --endurance 25 --enemy 22/30 --mindblast";
    let stays = json(fight);
    let runs = json(&format!("{fight} --evade-from 3"));
    assert!(decimal(&runs["win"]) < decimal(&stays["win"]));
    assert!(decimal(&runs["win"]) + decimal(&runs["evaded"]) > decimal(&stays["win"]));
    let rule = runs["run_when"].as_array().unwrap();
    assert!(!rule.is_empty());
    for line in rule {
        assert_eq!((&line["round"], &line["and_later"]), (&3.into(), &true.into()));
        assert!(line["endurance"].as_u64().unwrap() <= 25);
        assert!(!line["enemy_endurance"].as_array().unwrap().is_empty());
    }
    command(&format!("{fight} --evade-from 3"))
        .assert()
        .success()
        .stdout(contains("Run when").and(contains("3 and later")).and(contains("lives (wins or runs)")));
    command("--combat-skill 40 --endurance 25 --enemy 22/30 --evade-from 1")
        .assert()
        .success()
        .stdout(contains("Never run."));
    // Who cannot live so long is not asked.
    command("--combat-skill 1 --endurance 1 --enemy 40/99 --evade-from 100 --enemy-mindblast")
        .assert()
        .success()
        .stdout(contains("does not come up"));
}

#[test]
fn untouchable_for_ever() {
    let answer = json("--combat-skill 10 --endurance 7 --enemy 40/99 --untouchable always --enemy-mindblast");
    assert_eq!(answer["win"]["exact"], "1/1");
    assert_eq!(answer["endurance_left"][0]["endurance"], 7);
    let rounds = answer["rounds"].as_array().unwrap();
    assert!(rounds.len() < 1000 && rounds.last().unwrap()["over"] == 1.0);
}

#[test]
fn text_is_for_people() {
    command("--combat-skill 10 --endurance 25 --max-endurance 28 --enemy 23/30 --exact").assert().success().stdout(
        contains("ENDURANCE 25 of 28")
            .and(contains("dies                    99.396 %   19879281/20000000"))
            .and(contains("ENDURANCE left after a victory"))
            .and(contains("mean ENDURANCE")),
    );
    // No victory, nothing left.
    let hopeless = stdout("--combat-skill 1 --endurance 1 --enemy 40/99 --enemy-mindblast");
    assert!(hopeless.contains("wins                     0.000 %") && !hopeless.contains("left after"));
}

#[test]
fn wrong_input() {
    let fight = "--combat-skill 15 --endurance 25";
    for (arguments, says) in [
        ("--combat-skill 15 --endurance 25", "--enemy"),
        ("--combat-skill 15 --endurance 0 --enemy 22/30", "0 is not in 1..=99"),
        ("--combat-skill 15 --endurance 100 --enemy 22/30", "100 is not in 1..=99"),
        ("--combat-skill 15 --endurance -5 --enemy 22/30", "-5 is not in 1..=99"),
        ("--combat-skill 99999999999999999999999999 --endurance 25 --enemy 22/30", "--combat-skill"),
        ("--combat-skill -1001 --endurance 25 --enemy 22/30", "-1000..=1000"),
        ("--combat-skill 15 --endurance 30 --max-endurance 28 --enemy 22/30", "--max-endurance"),
    ] {
        command(arguments).assert().code(2).stderr(contains(says));
    }
    for enemy in
        ["garbage", "22", "22/", "/30", "22/0", "22/100", "22/30/1", "1e9/30", "99999999999/30", "22/-1", "\u{1b}/1"]
    {
        command(&format!("{fight} --enemy {enemy}")).assert().code(2).stderr(contains("such as 22/30"));
    }
    for (more, says) in [
        ("--untouchable 4000000000", "up to 100, or always"),
        ("--untouchable -1", "up to 100, or always"),
        ("--untouchable ever", "up to 100, or always"),
        ("--evade-from 0", "1..=100"),
        ("--evade-from -3", "-3 is not in 1..=100"),
        ("--evade-from 4000000000", "1..=100"),
        ("--bonus 99999", "-1000..=1000"),
        ("--unarmed --weaponskill", "cannot be used with"),
        ("--max-states 5", "--max-states"),
    ] {
        let code = if more.starts_with("--max-states") { 1 } else { 2 };
        command(&format!("{fight} --enemy 22/30 {more}")).assert().code(code).stderr(contains(says));
    }
}

#[test]
fn help_has_examples() {
    let help = stdout("--help");
    let examples: Vec<&str> =
        help.lines().filter_map(|line| line.trim().strip_prefix("bestplay lone-wolf fight ")).collect();
    assert_eq!(examples.len(), 6);
    for example in examples {
        command(example).assert().success();
    }
}
