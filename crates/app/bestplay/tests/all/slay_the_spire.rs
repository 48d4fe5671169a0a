//! `bestplay slay-the-spire`, as a user calls it.

use assert_cmd::Command;
use serde_json::Value;

const TALK: &str = include_str!("../../../../games/slay-the-spire/examples/talk.json");
const TURN_2: &str = include_str!("../../../../games/slay-the-spire/examples/turn-2.json");

fn command(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("bestplay").unwrap();
    command.arg("slay-the-spire").args(args);
    command
}

fn text(args: &[&str], input: &str) -> String {
    let output = command(args).write_stdin(input).assert().success().get_output().clone();
    // Standard error is not a terminal: no progress bar.
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    String::from_utf8(output.stdout).unwrap()
}

fn json(args: &[&str], input: &str) -> Value {
    let answer: Value = serde_json::from_str(&text(&[args, &["--format", "json"]].concat(), input)).unwrap();
    assert_eq!(answer["format"], 1);
    answer
}

/// Runs with an error and returns the message on one line.
fn error(args: &[&str], input: &str, exit_code: i32) -> String {
    let output = command(args).write_stdin(input).assert().code(exit_code).get_output().clone();
    assert!(output.stdout.is_empty());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!stderr.contains("panicked"), "{stderr}");
    stderr.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_talks_result() {
    let answer = json(&["solve"], "");
    for field in ["value", "expected_health"] {
        assert_eq!(answer[field]["decimal"], 63.547_677_967_061_674);
        assert_eq!(answer[field]["exact"], "32627274131/513429840");
    }
    assert_eq!(answer["survival"]["exact"], "1/1");
    let healths = answer["final_health"].as_array().unwrap();
    assert_eq!(healths.len(), 20);
    assert_eq!(healths[0]["health"], 35);
    assert_eq!(healths[0]["probability"]["exact"], "5/51342984");
    assert!(answer.get("by").is_none());
    for count in ["states", "choices", "outcomes"] {
        assert!(answer[count].as_u64().unwrap() > 1000);
    }
    assert!(text(&["solve"], "").contains("Expected health  63.547677967061674\n"));
    assert!(text(&["solve", "--exact"], "").contains("63.547677967061674  32627274131/513429840\n"));
}

/// The table in the talk's appendix.
#[test]
fn the_talks_table() {
    let shown = text(&["solve", "--by", "enemy-hp"], "");
    for line in [
        "     50   100.000 %  64.90251709951256\n",
        "     51   100.000 %  64.47234240417347\n",
        "     52   100.000 %  64.47234240417347\n",
        "     53   100.000 %  64.29158962206014\n",
        "     54   100.000 %  62.511362804701804\n",
        "     55   100.000 %  62.15813612040936\n",
        "     56   100.000 %  62.025455314400894\n",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
    // As these are called in older notes.
    let answer = json(&["solve", "--by", "cultist-hp", "--cultist-hp", "50-51"], "");
    assert_eq!(answer["by"].as_array().unwrap().len(), 2);
    assert_eq!(answer["by"][1]["enemy_hp"], 51);
    assert_eq!(answer["by"][1]["value"]["exact"], "945772127/14669424");
}

#[test]
fn an_upgraded_bash() {
    let deck = "strike=5,defend=4,bash+=1,ascenders-bane=1";
    let answer = json(&["solve", "--deck", deck, "--threads", "1"], "");
    assert_eq!(answer["value"]["exact"], "20207799383/308057904");
}

#[test]
fn survival_is_a_goal_of_its_own() {
    let health = json(&["solve", "--hp", "14"], "");
    let survival = json(&["solve", "--hp", "14", "--objective", "survival"], "");
    let number = |answer: &Value, field: &str| answer[field]["decimal"].as_f64().unwrap();
    assert_eq!(survival["value"], survival["survival"]);
    assert!(number(&survival, "survival") > number(&health, "survival"));
    assert!(number(&survival, "expected_health") < number(&health, "expected_health"));
}

#[test]
fn a_fight_that_is_lost() {
    let shown = text(&["solve", "--deck", "", "--hp", "75"], "");
    assert!(shown.contains("  dead   100.000 %"), "{shown}");
}

#[test]
fn the_talks_fun_numbers() {
    let shown = text(&["replay", "-"], TALK);
    for (what, numbers) in [
        ("the fight begins", "63.54767797"),
        ("cultist (53)", "64.29158962 0.74391165"),
        ("3 strike, 2 defend", "65.69591837 1.40432875"),
        ("2 strike, defend, bash, ascenders-bane", "66.31746032 0.62154195"),
        ("2 strike, 2 defend, bash", "66.00000000 -0.31746032"),
    ] {
        let line = shown.lines().find(|line| line.ends_with(&format!("  {what}"))).unwrap();
        assert!(line.split_whitespace().collect::<Vec<_>>().join(" ").starts_with(numbers), "{line}");
    }
    assert!(shown.contains("\nLuck 2.45232203, mistakes "), "{shown}");
    let exactly = text(&["replay", "-", "--exact"], TALK);
    assert!(exactly.ends_with("\nLuck 2.4523220329383273, mistakes 0\n"), "{exactly}");
}

#[test]
fn what_a_mistake_costs() {
    let mistaken = TALK.replace("    \"bash\",\n    \"defend\",\n", "    \"defend\",\n");
    assert_ne!(mistaken, TALK);
    let mistaken = mistaken.split_once(r#""bash, 2 strike, 2 defend""#).unwrap().0.trim_end().trim_end_matches(',');
    let answer = json(&["replay", "-", "--exact"], &format!("{mistaken}]}}"));
    let steps = answer["steps"].as_array().unwrap();
    let event_texts: Vec<(&str, &str)> =
        steps.iter().map(|step| (step["event"].as_str().unwrap(), step["text"].as_str().unwrap())).collect();
    assert_eq!(event_texts[..2], [("start", "the fight begins"), ("luck", "cultist (53)")]);
    assert_eq!(
        event_texts[7..],
        [("luck", "2 strike, defend, bash, ascenders-bane"), ("play", "defend"), ("play", "end the turn")]
    );
    assert_eq!(steps[7]["value"]["exact"], "4178/63");
    assert_eq!(steps[8]["change"]["exact"], "0/1");
    assert_eq!(steps[9]["value"]["exact"], "2799/49");
    assert_eq!(answer["mistakes"], steps[9]["change"]);
    assert!(answer["mistakes"]["decimal"].as_f64().unwrap() < -9.0);
}

#[test]
fn a_record_that_ends_with_a_draw() {
    let record = r#"{"fight":{"enemies":["cultist"],"enemy_hp":"53","hp":68,"deck":"strike=5,defend=1"},
        "steps":["5 strike"]}"#;
    assert_eq!(json(&["replay", "-"], record)["steps"].as_array().unwrap().len(), 2);
    let nothing_yet = record.replace(r#""5 strike""#, "");
    assert_eq!(json(&["replay", "-"], &nothing_yet)["steps"].as_array().unwrap().len(), 1);
}

#[test]
fn advice() {
    let answer = json(&["advise", "-", "--exact"], TURN_2);
    let plays = answer["plays"].as_array().unwrap();
    assert_eq!(plays[0]["cards"], serde_json::json!(["defend", "bash"]));
    assert_eq!(plays[0]["value"], answer["value"]);
    assert_eq!(answer["value"]["exact"], "4178/63");
    assert_eq!(plays.last().unwrap()["cards"], serde_json::json!([]));
    let shown = text(&["advise", "-"], TURN_2);
    assert!(shown.contains("             66.31746032  defend, bash\n"), "{shown}");
    assert!(shown.contains("             52.12244898  end the turn\n"), "{shown}");
    assert!(text(&["advise", "-", "--exact"], TURN_2).contains("66.31746031746032  defend, bash  (4178/63)\n"));
}

/// The first Strike of this turn has been played, and Bash is in the discard pile. Of plays that surely survive that is best
/// which keeps most health.
#[test]
fn advice_in_the_middle_of_a_turn() {
    let position = r#"{"hp":20,"max_hp":75,"ascension":17,"energy":1,"block":5,
        "enemies":[{"kind":"cultist","hp":9,"vulnerable":1,"intent":"dark_strike","strength":5}],
        "hand":{"strike":1,"defend":1,"bash":1},"discard":{"bash":1,"strike":1}}"#;
    let answer = json(&["advise", "-", "--objective", "survival", "--exact"], position);
    let plays = answer["plays"].as_array().unwrap();
    assert_eq!(plays.len(), 3);
    assert_eq!(plays[0]["cards"], serde_json::json!(["strike"]));
    assert_eq!(plays[0]["expected_health"]["exact"], "20/1");
}

#[test]
fn order_matters() {
    let position =
        r#"{"hp":20,"enemies":[{"kind":"cultist","hp":17,"intent":"dark_strike"}],"hand":{"strike":2,"bash":1}}"#;
    let answer = json(&["advise", "-", "--exact"], position);
    assert_eq!(answer["plays"][0]["cards"], serde_json::json!(["bash", "strike"]));
    assert_eq!(answer["value"]["exact"], "20/1");
}

#[test]
fn wrong_arguments() {
    for (args, message) in [
        (&["solve", "--deck", "strik=4"][..], "no card is called 'strik'; did you mean strike?"),
        (&["solve", "--deck", "strike=many"], "expected a card and a count up to 99, not 'strike=many'"),
        (&["solve", "--deck", "strike=61"], "a deck of more than 60 cards"),
        (&["solve", "--hp", "0"], "0 is not in 1..=250"),
        (&["solve", "--hp", "76"], "at most --max-hp, which is 75 here"),
        (&["solve", "--hp", "1000000000000000000000000000000000000000"], "--hp"),
        (&["solve", "--enemy-hp", "56..=50"], "a range such as 40..=44"),
        (&["solve", "--max-memory", "lots"], "expected a size such as 500MB"),
        (&["solve", "--threads", "0"], "--threads"),
    ] {
        let stderr = error(args, "", 2);
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn wrong_positions() {
    let position = |field: &str| {
        format!(r#"{{"hp":68,"hand":{{}},"enemies":[{{"kind":"cultist","hp":35,"intent":"dark_strike"}}],{field}}}"#)
    };
    for (input, message) in [
        (position(r#""energy":40"#), "energy goes up to 20"),
        (position(r#""energy":-1"#), "invalid value: integer `-1`, expected u8 at line 1 column"),
        (position(r#""block":1e99"#), "expected u16 at line 1 column"),
        (position(r#""draw":{"stike":1}"#), "no card is called 'stike'; did you mean strike?"),
        (position(r#""draw":{"strike":99},"discard":{"strike":99}"#), "a deck of more than 60 cards"),
        (position(r#""foo":1"#), "unknown field `foo`, expected one of `turn`, `health`, `hp`"),
        (position(r#""energy":1,"energy":1"#), "duplicate field `energy` at line 1 column"),
        (position(r#""max_hp":10"#), "hp goes from 1 to max_hp, 10 here"),
        (r#"{"hp":68,"hand":{}}"#.into(), "missing field `enemies` at line 1 column"),
        ("[".repeat(100_000), "at line 1 column"),
        (String::new(), "EOF while parsing"),
    ] {
        let stderr = error(&["advise", "-"], &input, 2);
        assert!(stderr.contains(message), "{stderr}");
    }
    assert!(error(&["advise", "no such file"], "", 2).contains("cannot read no such file"));
}

#[test]
fn fights_that_cannot_have_been() {
    for (from, to, message) in [
        ("cultist (53)", "cultist (57)", "steps[0]: 'cultist (57)' is impossible now (turn 0): cultist (50)"),
        ("bash, 2 strike, defend, ascenders-bane", "5 strike", "steps[6]: '5 strike' is impossible now"),
        ("\"bash\",\n    \"defend\"", "\"bash\", \"strike\", \"defend\"", "steps[9]: 'defend' is impossible now"),
        ("\"bash\",\n", "\"ascenders-bane\",\n", "steps[7]: 'ascenders-bane' is impossible now"),
        ("\"bash\",\n", "\"bash+\",\n", "steps[7]: 'bash+' is impossible now"),
        ("\"strike\"\n  ]", "\"strike\", \"strike\"\n  ]", "steps[18]: the fight is over before this step"),
        ("bash=1", "bahs=1", "no card is called 'bahs'; did you mean bash?"),
    ] {
        let wrong = TALK.replacen(from, to, 1);
        assert_ne!(wrong, TALK);
        let stderr = error(&["replay", "-"], &wrong, 2);
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn limits_stop_a_run() {
    let large = "strike=10,defend=9,bash=3,strike+=2,defend+=3,bash+=2,ascenders-bane=1";
    for (limit, why, help) in [
        (["--max-states", "1000"], "the limit of 1000 states is reached", "raise --max-states"),
        (["--max-memory", "4MB"], "the limit of 4.0 MB of memory is reached", "raise --max-memory"),
    ] {
        let output = command(&[&["solve", "--deck", large], &limit[..]].concat()).assert().code(1).get_output().clone();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(why) && stderr.contains(help), "{stderr}");
    }
}

#[test]
fn help_has_examples() {
    for verb in ["solve", "replay", "advise"] {
        assert!(text(&[verb, "--help"], "").contains("Examples:\n  bestplay slay-the-spire"), "{verb}");
    }
}

/// The way for anyone to check us: the model as a file, solved by a solver of files.
#[test]
fn the_exported_model_has_the_same_value() {
    let path = |ending: &str| std::env::temp_dir().join(format!("bestplay-export-{}.{ending}", std::process::id()));
    for ending in ["drn", "umb"] {
        let (model, policy) = (path(ending), path("csv"));
        let (file, table) = (model.to_str().expect("UTF-8"), policy.to_str().expect("UTF-8"));
        json(&["solve", "--export-model", file, "--export-policy", table], "");
        let output = Command::cargo_bin("bestplay")
            .expect("built")
            .args(["mdp", "solve", file, "--goal", "end", "--reward", "payoff", "--exact", "--format", "json"])
            .output()
            .expect("runs");
        let checked: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(checked["value"]["exact"], "32627274131/513429840");
        let rows = std::fs::read_to_string(&policy).expect("written");
        assert!(rows.starts_with("state,choice,action,lower,upper,exact\n"));
        // The file has a state more, where play stays when the fight is over.
        assert_eq!(rows.lines().count() as u64, checked["states"].as_u64().expect("a number"));
        std::fs::remove_file(model).expect("removed");
        std::fs::remove_file(policy).expect("removed");
    }
}

/// Fights of Act 1: figures of an independent program.
#[test]
fn enemies_of_act_1() {
    let near = |number: &Value, expected: f64| {
        let bound = |name: &str| number[name].as_f64().unwrap();
        assert!(bound("lower") - 1e-11 <= expected && expected <= bound("upper") + 1e-11, "{number}, {expected}");
        assert!(bound("upper") - bound("lower") < 1e-9, "{number}");
    };
    let answer = json(&["solve", "--enemy", "looter", "--by", "health"], "");
    near(&answer["value"], 100_178.0 / 1_323.0);
    let healths = answer["by_health"].as_array().unwrap();
    assert_eq!((healths.len(), &healths[0]["health"], &healths[79]["health"]), (80, &Value::from(80), &Value::from(1)));
    near(&healths[60]["value"], 11_885.0 / 756.0);
    let answer = json(&["solve", "--enemy", "blue_slaver", "--hp", "20", "--burning-blood"], "");
    near(&answer["value"], 15.202_759_599_093_27);
    let answer = json(&["solve", "--enemy", "spike-slime-m", "--objective", "loss"], "");
    near(&answer["value"], 0.453_139_146_567_717_87);
    assert!(answer.get("expected_health").is_none());
    assert!(text(&["solve", "--enemy", "cultist"], "").contains("Expected health  78.12525838\n"));
    // The starter deck of ascension 10 has Ascender's Bane, the Ironclad of ascension 14 less health.
    let answer = json(&["solve", "--enemy", "looter", "--ascension", "14", "--by", "health"], "");
    assert_eq!(answer["by_health"].as_array().unwrap().len(), 75);
}

#[test]
fn exact_values_and_a_fight_replayed() {
    let answer = json(&["solve", "--enemy", "looter", "--exact", "--seed", "1"], "");
    assert_eq!(answer["value"]["exact"], "100178/1323");
    let log = answer["log"].as_array().unwrap();
    assert!(log[0].as_str().unwrap().starts_with("80 health against looter"));
    assert!(log[1].as_str().unwrap().contains("intends mug"));
    assert!(log.last().unwrap().as_str().unwrap().contains("the fight is over"));
    // The same seed gives the same fight.
    assert_eq!(json(&["solve", "--enemy", "looter", "--seed", "1"], "")["log"], answer["log"]);
    assert!(text(&["solve", "--enemy", "looter", "--seed", "2"], "").contains("Turn 1: looter"));
    let error = error(&["solve", "--enemy", "two-louses", "--seed", "2"], "", 2);
    assert!(error.contains("one group of enemies"), "{error}");
}

#[test]
fn exact_values_of_several_groups() {
    let groups =
        r#"[{"weight": "3/6", "enemies": [{"kind": "looter"}]}, {"weight": 0.5, "enemies": [{"kind": "cultist"}]}]"#;
    let answer = json(&["solve", "--encounters", "-", "--exact"], groups);
    // The mean of what each is worth by itself.
    assert_eq!(answer["value"]["exact"], "26595595/345744");
    let answer = json(&["solve", "--enemy", "looter", "--exact", "--value", "0.5 * health + 0.1 * max_hp"], "");
    assert_eq!(answer["value"]["exact"], "60673/1323");
}

#[test]
fn a_fight_of_act_1_that_was_played() {
    let fight = r#"{"fight": {"enemies": ["jaw-worm"], "enemy_hp": "12", "hp": 40, "deck": "strike=4,defend=3"},
        "steps": ["3 strike, 2 defend", {"play": "strike", "target": 0}, "end the turn"]}"#;
    let answer = json(&["replay", "-"], fight);
    assert_eq!(answer["steps"][2]["event"], "play");
    assert!(answer["mistakes"]["upper"].as_f64().unwrap() < -1.0, "{answer}");
    assert!(text(&["replay", "-"], fight).contains("mistakes -"));
    let error = error(&["replay", "-"], &fight.replace("3 strike, 2 defend", "5 strike"), 2);
    assert!(error.contains("steps[0]: '5 strike' is impossible now"), "{error}");
}

/// Every first play of a position, with the values of an independent program.
#[test]
fn advice_against_enemies_of_act_1() {
    let position = r#"{"turn":3,"hp":80,"max_hp":80,"ascension":0,"relics":[],"weak":1,"hand":{"strike":2,"defend":3},
        "draw":{"strike":3,"defend":1,"bash":1,"shrug_it_off":1},
        "enemies":[{"kind":"blue_slaver","hp":34,"intent":"stab","run":1}]}"#;
    let answer = json(&["advise", "-"], position);
    let first = answer["first"].as_array().unwrap();
    let expected = [
        (r#"{"play":"defend"}"#, 77.689_781_940_712_95),
        (r#"{"play":"strike","target":0}"#, 76.406_206_280_492),
        (r#"{"end_turn":true}"#, 65.689_781_940_712_95),
    ];
    assert_eq!(first.len(), expected.len());
    for (found, (play, value)) in first.iter().zip(expected) {
        let mut named = found.clone();
        named.as_object_mut().unwrap().remove("value");
        assert_eq!(named, serde_json::from_str::<Value>(play).unwrap());
        assert!((found["value"]["decimal"].as_f64().unwrap() - value).abs() < 1e-9, "{found}");
    }
    assert_eq!(answer["plays"][0]["cards"].as_array().unwrap().len(), 3);
}

#[test]
fn cards_to_take() {
    let options = ["--cards", "shrug-it-off,strike", "--against", "looter", "--also", "remove,upgrade"];
    let answer = json(&[&["reward"], &options[..]].concat(), "");
    let rewards = answer["rewards"].as_array().unwrap();
    let names: Vec<&str> = rewards.iter().map(|reward| reward["take"].as_str().unwrap()).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    let all = [
        "none",
        "remove bash",
        "remove defend",
        "remove strike",
        "shrug-it-off",
        "strike",
        "upgrade bash",
        "upgrade defend",
        "upgrade strike",
    ];
    assert_eq!(sorted, all);
    let gains: Vec<f64> = rewards.iter().map(|reward| reward["gain"]["decimal"].as_f64().unwrap()).collect();
    assert!(gains.is_sorted_by(|a, b| a >= b), "{gains:?}");
    let without = rewards.iter().find(|reward| reward["take"] == "none").unwrap();
    assert!((without["value"]["decimal"].as_f64().unwrap() - 100_178.0 / 1_323.0).abs() < 1e-9);
    assert_eq!(without["gain"]["decimal"], 0.0);
}

#[test]
fn every_card_to_take_as_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cards.csv");
    // Against an enemy that any blow kills: nothing is left to gain but with the first hand.
    let fight = ["--against", "looter", "--enemy-hp", "6", "--deck", "strike=2,defend=1", "--hp", "60"];
    let csv = ["--csv", file.to_str().expect("UTF-8")];
    let answer = json(&[&["reward", "--cards", "each"], &fight[..], &csv].concat(), "");
    let rewards = answer["rewards"].as_array().unwrap();
    assert!(rewards.len() > 60, "{}", rewards.len());
    let written = std::fs::read_to_string(&file).expect("a file");
    let mut lines = written.lines();
    let heads = "take,gain,lower,upper,value,value_lower,value_upper,survival,survival_lower,survival_upper,\
                 survival_gain,survival_gain_lower,survival_gain_upper";
    assert_eq!(lines.next(), Some(heads));
    for (line, reward) in lines.zip(rewards) {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(Some(fields[0]), reward["take"].as_str());
        for (place, name, bound) in [(1, "gain", "decimal"), (5, "value", "lower"), (9, "survival", "upper")] {
            let own: f64 = fields[place].parse().expect("a number");
            assert!((own - reward[name][bound].as_f64().unwrap()).abs() < 1e-12, "{line} {reward}");
        }
    }
    assert_eq!(written.lines().count(), 1 + rewards.len());
}

#[test]
fn what_is_wrong_with_fights_of_act_1() {
    for (args, stderr) in [
        (&["solve", "--enemy", "jaw-wurm"][..], "did you mean jaw-worm?"),
        (&["solve", "--enemy", "jaw-worm", "--deck", "strik=3"], "did you mean strike?"),
        (&["solve", "--enemy", "jaw-worm", "--hp", "90"], "at most --max-hp, which is 80 here"),
        (&["solve", "--enemy", "jaw-worm", "--enemy-hp", "44..=40"], "a range such as 40..=44"),
        (&["solve", "--enemy", "jaw-worm", "--relics", "ice-cream"], "not modelled"),
        (&["solve", "--enemy", "jaw-worm", "--value", "health -"], "expected a sum"),
        (&["solve", "--enemy", "two-louses", "--by", "enemy-hp"], "--by enemy-hp is for one enemy"),
        (&["solve", "--enemy", "weak-pool", "--export-model", "x.drn"], "one group of enemies is a model"),
        (&["reward", "--cards", "pride"], "not modelled"),
    ] {
        let error = error(args, "", 2);
        assert!(error.contains(stderr), "{args:?}: {error}");
    }
    let error =
        error(&["advise", "-"], r#"{"hp":10,"hand":{},"enemies":[{"kind":"cultist","hp":3,"intent":"sing"}]}"#, 2);
    assert!(error.contains("there are incantation, dark-strike"), "{error}");
}

/// A run that is stopped says what it knows.
#[test]
fn stopped_fights_have_bounds() {
    let args = ["solve", "--enemy", "jaw-worm", "--max-states", "50", "--format", "json"];
    let output = command(&args).assert().code(1).get_output().clone();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let bound = |name: &str| answer["value"][name].as_f64().unwrap();
    assert!(bound("lower") <= 74.944_857_279 && 74.944_857_280 <= bound("upper"), "{answer}");
    assert!(answer["stopped"].as_str().unwrap().contains("50"), "{answer}");
}
