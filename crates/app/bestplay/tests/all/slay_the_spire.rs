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
    // Whoever reads standard error is not at a terminal: no progress bar.
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    String::from_utf8(output.stdout).unwrap()
}

fn json(args: &[&str], input: &str) -> Value {
    let answer: Value = serde_json::from_str(&text(&[args, &["--format", "json"]].concat(), input)).unwrap();
    assert_eq!(answer["format"], 1);
    answer
}

/// Runs with an error and gives back what it said, on one line.
fn error(args: &[&str], input: &str, exit_code: i32) -> String {
    let output = command(args).write_stdin(input).assert().code(exit_code).get_output().clone();
    assert!(output.stdout.is_empty());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!said.contains("panicked"), "{said}");
    said.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
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
    let shown = text(&["solve", "--by", "cultist-hp"], "");
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
    let answer = json(&["solve", "--by", "cultist-hp", "--cultist-hp", "50-51"], "");
    assert_eq!(answer["by"].as_array().unwrap().len(), 2);
    assert_eq!(answer["by"][1]["cultist_hp"], 51);
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
    let shown = text(&["solve", "--deck", "", "--hp", "999"], "");
    assert!(shown.contains("  dead   100.000 %"), "{shown}");
}

#[test]
fn the_talks_fun_numbers() {
    let shown = text(&["replay", "-"], TALK);
    for (event, numbers) in [
        ("Baseline", "63.548"),
        ("Cultist has 53 HP", "64.292 +0.744"),
        ("Turn 1 draw", "65.696 +1.404"),
        ("Turn 2 draw", "66.317 +0.622"),
        ("Turn 3 draw", "66.000 -0.317"),
        ("Turn 4 draw", "66.000 0.000"),
    ] {
        let line = shown.lines().find(|line| line.starts_with(event)).unwrap();
        assert!(line.split_whitespace().collect::<Vec<_>>().join(" ").ends_with(numbers), "{line}");
    }
    assert!(shown.ends_with("\nLuck +2.452, mistakes 0.000\n"), "{shown}");
}

#[test]
fn what_a_mistake_costs() {
    let mistaken = TALK.replace(r#"["bash", "defend"]"#, r#"["defend"]"#).replace(
        r#""play": ["strike", "defend", "defend"] },
    { "draw": { "strike": 3, "defend": 2 }, "play": ["strike", "strike", "strike"] }"#,
        r#""play": [] }"#,
    );
    let answer = json(&["replay", "-"], &mistaken);
    let steps = answer["steps"].as_array().unwrap();
    let events: Vec<&str> = steps.iter().map(|step| step["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["start", "appears", "draw", "play", "draw", "play", "draw", "play"]);
    assert_eq!(steps[1]["cultist_hp"], 53);
    assert_eq!(steps[5]["turn"], 1);
    assert_eq!(steps[5]["before"]["exact"], "4178/63");
    assert_eq!(steps[5]["value"]["exact"], "2799/49");
    assert_eq!(steps[5]["cards"], serde_json::json!(["defend"]));
    assert_eq!(steps[5]["best"], serde_json::json!(["bash", "defend"]));
    assert!(answer["mistakes"]["decimal"].as_f64().unwrap() < -9.0);
    assert!(text(&["replay", "-"], &mistaken).contains("best was: bash, defend"));
}

#[test]
fn a_record_that_ends_with_a_draw() {
    let record = r#"{"start":{"cultist_hp":53,"hp":68,"deck":{"strike":5}},"cultist_hp":53,
        "turns":[{"draw":{"strike":5}}]}"#;
    assert_eq!(json(&["replay", "-"], record)["steps"].as_array().unwrap().len(), 3);
    let nothing_yet = record.replace(r#"{"draw":{"strike":5}}"#, "");
    assert_eq!(json(&["replay", "-"], &nothing_yet)["steps"].as_array().unwrap().len(), 2);
}

#[test]
fn advice() {
    let answer = json(&["advise", "-"], TURN_2);
    let plays = answer["plays"].as_array().unwrap();
    assert_eq!(plays.len(), 9);
    assert_eq!(plays[0]["cards"], serde_json::json!(["bash", "defend"]));
    assert_eq!(plays[0]["value"], answer["value"]);
    assert_eq!(answer["value"]["exact"], "4178/63");
    assert_eq!(plays[8]["cards"], serde_json::json!([]));
    let shown = text(&["advise", "-"], TURN_2);
    assert!(shown.contains("         66.317   100.000 %      0.000  bash, defend\n"), "{shown}");
    assert!(shown.contains("         52.122   100.000 %    -14.195  nothing\n"), "{shown}");
}

/// The first Strike of this turn has been played, and Bash is in the discard pile.
#[test]
fn advice_in_the_middle_of_a_turn() {
    let position = r#"{"turn":2,"energy":1,"health":20,"block":5,"enemy":{"health":9,"vulnerable":1},
        "hand":{"strike":1,"defend":1,"bash":1},"discard":{"bash":1,"strike":1}}"#;
    let answer = json(&["advise", "-", "--objective", "survival"], position);
    let plays = answer["plays"].as_array().unwrap();
    assert_eq!(plays.len(), 3);
    assert_eq!(plays[0]["cards"], serde_json::json!(["strike"]));
    assert_eq!(plays[0]["expected_health"]["exact"], "20/1");
}

#[test]
fn order_matters() {
    let position = r#"{"turn":1,"health":20,"enemy":{"health":17},"hand":{"strike":2,"bash":1}}"#;
    let answer = json(&["advise", "-"], position);
    assert_eq!(answer["plays"][0]["cards"], serde_json::json!(["bash", "strike"]));
    assert_eq!(answer["value"]["exact"], "20/1");
}

#[test]
fn wrong_arguments() {
    for (args, message) in [
        (&["solve", "--deck", "strik=4"][..], "no card is called 'strik'; did you mean strike?"),
        (&["solve", "--deck", "strike"], "'strike' is not a card and its count, such as strike=5"),
        (&["solve", "--deck", "strike=100"], "more than 99 cards"),
        (&["solve", "--hp", "0"], "0 is not in 1..=999"),
        (&["solve", "--hp", "1000000000000000000000000000000000000000"], "--hp"),
        (&["solve", "--cultist-hp", "56..=50"], "such as 50..=56"),
        (&["solve", "--max-memory", "lots"], "expected a size such as 500MB"),
        (&["solve", "--threads", "0"], "--threads"),
    ] {
        let said = error(args, "", 2);
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn wrong_positions() {
    let position = |field: &str| format!(r#"{{"turn":1,"health":68,"enemy":{{"health":35}},{field}}}"#);
    for (input, message) in [
        (position(r#""energy":40"#), "integer `40`, expected energy as a whole number from 0 to 3 at line 1 column"),
        (position(r#""energy":-1"#), "integer `-1`, expected energy as a whole number from 0 to 3 at line 1 column"),
        (position(r#""block":1e99"#), "expected block as a whole number from 0 to 999 at line 1 column"),
        (position(r#""hand":{"strike":6}"#), "a hand of 6 cards; a turn begins with 5"),
        (position(r#""draw":{"stike":1}"#), "no card is called 'stike'; did you mean strike? at line 1 column"),
        (position(r#""draw":{"strike":99},"discard":{"strike":99}"#), "198 cards in hand, draw and discard"),
        (position(r#""foo":1"#), "unknown field `foo`, expected one of `turn`, `energy`"),
        (position(r#""energy":1,"energy":1"#), "duplicate field `energy` at line 1 column"),
        (r#"{"turn":1,"health":0}"#.into(), "integer `0`, expected health as a whole number from 1 to 999"),
        (r#"{"turn":1,"health":68}"#.into(), "missing field `enemy` at line 1 column 22"),
        ("[".repeat(100_000), "at line 1 column"),
        (String::new(), "EOF while parsing"),
    ] {
        let said = error(&["advise", "-"], &input, 2);
        assert!(said.contains(message), "{said}");
    }
    assert!(error(&["advise", "no such file"], "", 2).contains("cannot read no such file"));
}

#[test]
fn fights_that_cannot_have_been() {
    for (from, to, message) in [
        (r#""cultist_hp": 53"#, r#""cultist_hp": 57"#, "cultist_hp: 57, but start.cultist_hp says 50..=56"),
        (
            r#"{ "bash": 1, "strike": 2, "defend": 1, "ascenders-bane": 1 }"#,
            r#"{ "strike": 5 }"#,
            "turns[1].draw: the hand strike=5 cannot be drawn: the draw pile holds \
             bash=1,strike=2,defend=2,ascenders-bane=1, and the discard pile strike=3,defend=2",
        ),
        (
            r#"["bash", "defend"]"#,
            r#"["bash", "strike", "defend"]"#,
            "turns[1].play[2]: defend cannot be played: it costs more energy than is left",
        ),
        (
            r#"["bash", "defend"]"#,
            r#"["ascenders-bane"]"#,
            "turns[1].play[0]: ascenders-bane cannot be played: it is unplayable",
        ),
        (r#"["bash", "defend"]"#, r#"["bash+"]"#, "turns[1].play[0]: bash+ cannot be played: it is not in hand"),
        (r#", "play": ["bash", "defend"]"#, "", "turns[2]: the turn before has no `play`"),
        (
            r#""play": ["strike", "strike", "strike"] }
  ]"#,
            r#""play": ["strike", "strike", "strike"] }, { "draw": {} }
  ]"#,
            "turns[4]: the fight is over before this turn",
        ),
        (r#""bash", "defend"]"#, r#""bahs", "defend"]"#, "no card is called 'bahs'; did you mean bash? at line 10"),
    ] {
        let wrong = TALK.replace(from, to);
        assert_ne!(wrong, TALK);
        let said = error(&["replay", "-"], &wrong, 2);
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn limits_stop_a_run() {
    let large = "strike=10,defend=9,bash=3,strike+=2,defend+=3,bash+=2,ascenders-bane=1";
    let said = error(&["solve", "--deck", large, "--max-states", "10000"], "", 1);
    assert!(said.contains("the limit of 10000 states is reached"), "{said}");
    assert!(said.contains("raise --max-states"), "{said}");
    let said = error(&["solve", "--deck", large, "--max-memory", "4MB"], "", 1);
    assert!(said.contains("the limit of 4.0 MB of memory is reached"), "{said}");
}

#[test]
fn a_saved_solution_gives_the_same_advice() {
    let path = std::env::temp_dir().join(format!("bestplay-{}.solution", std::process::id()));
    let file = path.to_str().expect("a path in UTF-8");
    let saving = json(&["solve", "--save", file], "");
    assert_eq!(saving["value"]["exact"], "32627274131/513429840");

    let solved = json(&["advise", "-"], TURN_2);
    let looked_up = json(&["advise", "-", "--solution", file], TURN_2);
    assert_eq!(solved, looked_up);

    let said = error(&["advise", "-", "--solution", file, "--objective", "survival"], TURN_2, 2);
    assert!(said.contains("was made for another objective"), "{said}");
    let said = error(&["advise", "-", "--solution", file], &TURN_2.replace("\"strike\": 3", "\"strike\": 4"), 2);
    assert!(said.contains("the position cannot come up in the fight that was saved"), "{said}");
    assert!(said.contains("cultist-hp=50..=56 hp=68 deck=bash=1,strike=5,defend=4,ascenders-bane=1"), "{said}");

    let bytes = std::fs::read(&path).expect("saved");
    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("cut");
    let said = error(&["advise", "-", "--solution", file], TURN_2, 2);
    assert!(said.contains("a damaged solution"), "{said}");
    std::fs::remove_file(&path).expect("removed");
    let said = error(&["advise", "-", "--solution", file], TURN_2, 2);
    assert!(said.contains("No such file"), "{said}");
    let old = concat!(env!("CARGO_MANIFEST_DIR"), "/../../engine/mdp/tests/data/format-2.solution");
    let said = error(&["advise", "-", "--solution", old], TURN_2, 2);
    assert!(said.contains("a saved solution of format 2; this program reads format 5"), "{said}");
    let said = error(&["solve", "--save", "/no/such/folder/file"], "", 1);
    assert!(said.contains("name a file in a folder that exists"), "{said}");
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
        let solved = json(&["solve", "--export-model", file, "--export-policy", table], "");
        let output = Command::cargo_bin("bestplay")
            .expect("built")
            .args(["mdp", "solve", file, "--goal", "end", "--reward", "payoff", "--exact", "--format", "json"])
            .output()
            .expect("runs");
        let checked: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(checked["value"]["exact"], "32627274131/513429840");
        let rows = std::fs::read_to_string(&policy).expect("written");
        assert!(rows.starts_with("state,choice,action,lower,upper,exact\n"));
        assert_eq!(rows.lines().count() as u64, 1 + solved["states"].as_u64().expect("a number"));
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
fn exact_values_and_a_fight_told() {
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
    assert!(error.contains("steps[0]: '5 strike' is none of what can be now"), "{error}");
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
    for (args, said) in [
        (&["solve", "--enemy", "jaw-wurm"][..], "did you mean jaw-worm?"),
        (&["solve", "--enemy", "jaw-worm", "--deck", "strik=3"], "did you mean strike?"),
        (&["solve", "--enemy", "jaw-worm", "--hp", "90"], "at most --max-hp, which is 80 here"),
        (&["solve", "--enemy", "jaw-worm", "--enemy-hp", "44..=40"], "a range such as 40..=44"),
        (&["solve", "--enemy", "jaw-worm", "--relics", "red-skull"], "not modelled"),
        (&["solve", "--enemy", "jaw-worm", "--value", "health -"], "expected a sum"),
        (&["solve", "--enemy", "jaw-worm", "--save", "x"], "without --enemy"),
        (&["solve", "--ascension", "3"], "name the enemies"),
        (&["solve", "--objective", "loss"], "name the enemies"),
        (&["reward", "--cards", "havoc"], "not modelled"),
    ] {
        let error = error(args, "", 2);
        assert!(error.contains(said), "{args:?}: {error}");
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
