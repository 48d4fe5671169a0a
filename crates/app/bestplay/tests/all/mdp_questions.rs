//! `bestplay mdp`: models that others made, questions with bounds, PRISM models, and what a certificate
//! is about.

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn scratch(name: &str) -> String {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).to_str().unwrap().into()
}

fn bestplay(arguments: &[&str]) -> Output {
    Command::cargo_bin("bestplay").unwrap().arg("mdp").args(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = bestplay(&[arguments, &["--format", "json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn exact(arguments: &[&str]) -> String {
    let value = &json(&[arguments, &["--exact"]].concat())["value"];
    if value["infinite"] == true { "infinite".into() } else { whole(value["exact"].as_str().unwrap()) }
}

/// `7/1` as `7`.
fn whole(number: &str) -> String {
    number.strip_suffix("/1").unwrap_or(number).into()
}

fn failed(arguments: &[&str]) -> (Option<i32>, String) {
    let output = bestplay(arguments);
    let text = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    (output.status.code(), text)
}

/// Words of a command line, where blanks may stand between single quotes.
fn words(line: &str) -> Vec<&str> {
    let quoted = line.split('\'').enumerate();
    quoted
        .flat_map(|(place, part)| if place % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
        .collect()
}

/// Models of the Quantitative Verification Benchmark Set and their kin, with answers of Storm's rational
/// engine.
#[test]
fn models_of_others_have_their_answers() {
    let answers = std::fs::read_to_string(data("qvbs/answers.json")).unwrap();
    let answers: Value = serde_json::from_str(&answers).unwrap();
    let mut questions = 0;
    for (name, known) in answers.as_object().unwrap() {
        let model = data("qvbs").join(name);
        for (question, answer) in known.as_object().unwrap() {
            questions += 1;
            let arguments = [vec!["solve", model.to_str().unwrap()], words(question)].concat();
            let answer = whole(answer.as_str().unwrap());
            assert_eq!(exact(&arguments), answer, "{name} {question}");
            let value = &json(&arguments)["value"];
            if answer == "infinite" {
                assert_eq!(value["infinite"], true, "{name} {question}");
                continue;
            }
            // Numerator and denominator alone may be too large for a floating-point number.
            let right = mdp::nearest(&mdp::parse_fraction(&answer).unwrap());
            let (lower, upper) = (value["lower"].as_f64().unwrap(), value["upper"].as_f64().unwrap());
            let near = right.abs() * 1e-15;
            assert!(lower <= right + near && right - near <= upper, "{name} {question}: {value} {right}");
            assert!(upper - lower <= 1e-9 * right.abs().max(f64::MIN_POSITIVE), "{name} {question}: {value}");
        }
    }
    assert!(questions >= 30, "{questions}");
}

/// Heads three times in a row, or tails once: then it is over.
const COIN: &str = "mdp
module coin
    heads : [0..3];
    lost : bool;
    [toss] heads < 3 & !lost -> 1/2 : (heads' = heads + 1) + 1/2 : (lost' = true);
    [wait] heads < 3 & !lost -> true;
    [again] lost -> (lost' = false) & (heads' = 0);
endmodule
label \"won\" = heads = 3;
label \"lost\" = lost;
rewards \"tosses\" [toss] true : 1; endrewards
rewards \"halves\" [toss] true : 1/2; [wait] true : 1/3; endrewards
";

fn coin() -> String {
    let path = scratch("coin.prism");
    std::fs::write(&path, COIN).unwrap();
    path
}

#[test]
fn bounds_on_steps_and_rewards() {
    let coin = coin();
    let ask = |more: &[&str]| exact(&[&["solve", &coin, "--goal", "won"], more].concat());
    assert_eq!(ask(&[]), "1");
    assert_eq!(ask(&["--until", "!lost"]), "1/8");
    assert_eq!(ask(&["--until", "!lost", "--sense", "min"]), "0");
    assert_eq!(ask(&["--steps", "2"]), "0");
    assert_eq!(ask(&["--steps", "3"]), "1/8");
    // Tails at once, then three heads: 1/16 more.
    assert_eq!(ask(&["--steps", "5"]), "3/16");
    assert_eq!(ask(&["--steps", "5", "--until", "!lost"]), "1/8");
    assert_eq!(ask(&["--reward-bound", "tosses=3"]), "1/8");
    assert_eq!(ask(&["--reward-bound", "tosses=4"]), "3/16");
    assert_eq!(ask(&["--reward-bound", "halves=3/2"]), "1/8");
    assert_eq!(ask(&["--reward-bound", "halves=1.49"]), "0");
    assert_eq!(ask(&["--reward-bound", "tosses=4", "--steps", "3"]), "1/8");
    // 1, then 1/2 after heads, then 1/4 after two heads and 1/2 after tails.
    assert_eq!(ask(&["--reward", "tosses", "--steps", "3"]), "9/4");
    let all = scratch("all.csv");
    assert_eq!(ask(&["--steps", "1", "--all-states", &all]), "0");
    let table = std::fs::read_to_string(&all).unwrap();
    assert_eq!(table.lines().next(), Some("state,lower,upper,exact"));
    assert!(table.lines().any(|line| line.ends_with(",0.5,0.5,1/2")), "{table}");
    for (more, problem) in [
        (vec!["--reward-bound", "tosses"], "expected NAME=MOST"),
        (vec!["--reward-bound", "coins=1"], "no reward model `coins`"),
        (vec!["--steps", "3", "--certificate", "x"], "cannot be used with"),
    ] {
        let (code, text) = failed(&[&["solve", &coin, "--goal", "won"], &more[..]].concat());
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(problem), "{text}");
    }
}

#[test]
fn several_goals_have_an_answer_each() {
    let answer = json(&["solve", &coin(), "--goal", "won", "--goal", "heads=2", "--steps", "2", "--exact"]);
    assert!(answer["value"].is_null());
    assert_eq!(answer["goals"][0]["goal"], "won");
    assert_eq!(whole(answer["goals"][0]["value"]["exact"].as_str().unwrap()), "0");
    assert_eq!(answer["goals"][1]["value"]["exact"], "1/4");
}

#[test]
fn a_certificate_is_held_to_its_question() {
    let (coin, proof) = (coin(), scratch("coin.txt"));
    let solved = ["solve", &coin, "--goal", "heads = 3", "--until", "!lost", "--certificate", &proof];
    assert_eq!(exact(&solved), "1/8");
    assert!(bestplay(&["verify", &coin, &proof, "--goal", "heads>2"]).status.success());
    let answer = json(&["verify", &coin, &proof, "--goal", "won", "--sense", "max"]);
    assert_eq!(
        (&answer["accepted"], &answer["objective"], &answer["measure"]),
        (&true.into(), &"max".into(), &"probability".into())
    );
    assert_eq!((&answer["goal"], &answer["until"]), (&"\"heads = 3\"".into(), &"!lost".into()));
    let text = String::from_utf8(bestplay(&["verify", &coin, &proof]).stdout).unwrap();
    assert!(
        text.contains("the largest probability of reaching the goal") && text.contains("goal: \"heads = 3\""),
        "{text}"
    );
    for (more, problem) in [
        (["--goal", "lost"], "it is about the goal \"heads = 3\", not lost"),
        (["--sense", "min"], "it is about the largest value"),
        (["--reward", "tosses"], "it is about the probability of reaching the goal"),
    ] {
        let (code, text) = failed(&["verify", &coin, &proof, more[0], more[1]]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains(problem), "{text}");
    }
    let certificate = std::fs::read_to_string(&proof).unwrap();
    for (from, to) in [("until !lost\n", ""), ("until !lost", "until true"), ("end\n", "end\nend\n")] {
        std::fs::write(&proof, certificate.replace(from, to)).unwrap();
        assert!(!bestplay(&["verify", &coin, &proof]).status.success(), "{from}");
    }
}

#[test]
fn models_of_the_language_are_those_of_the_benchmark() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/prism/tests/data/consensus.prism");
    let model = model.to_str().unwrap();
    let ask = |more: &[&str]| exact(&[&["solve", model, "--const", "K=2"], more].concat());
    assert_eq!(ask(&["--goal", "finished & all_coins_equal_1", "--sense", "min"]), "49/128");
    assert_eq!(ask(&["--goal", "finished & !agree"]), "13/120");
    assert_eq!(ask(&["--goal", "pc1 = 3 & pc2 = 3", "--reward", "steps"]), "75");
    assert_eq!(ask(&["--goal", "finished", "--reward", "steps", "--sense", "min"]), "48");
    let (code, text) = failed(&["solve", model, "--goal", "finished"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("the constant `K` has no value"), "{text}");
}

/// Storm writes a blank after each name, also after none.
#[test]
fn reward_models_without_a_name() {
    let model = |names: &str, rewards: &str| {
        let path = scratch("unnamed.drn");
        let text = format!(
            "@type: DTMC\n@reward_models\n{names}\n@nr_states\n2\n@model\nstate 0 {rewards} init\naction 0 {rewards}\n1 : 1\nstate 1 won\n"
        );
        std::fs::write(&path, text).unwrap();
        path
    };
    for (names, rewards, name, value) in [
        (" ", "[1]", "default", "2"),
        ("cost ", "[1]", "cost", "2"),
        ("cost", "[1]", "cost", "2"),
        (" cost ", "[1, 2]", "default", "2"),
        (" cost ", "[1, 2]", "cost", "4"),
        ("cost  ", "[1, 2]", "default", "4"),
        ("cost  ", "[1]", "cost", "2"),
        ("a b ", "[1, 2]", "b", "4"),
    ] {
        let model = model(names, rewards);
        assert_eq!(exact(&["solve", &model, "--goal", "won", "--reward", name]), value, "{names:?} {name}");
    }
    let (code, text) = failed(&["solve", &model("default  ", "[1, 2]"), "--goal", "won"]);
    assert!(code == Some(2) && text.contains("two reward models `default`"), "{text}");
}

/// Choices that floating point cannot distinguish are decided exactly, with or without `--exact`.
#[test]
fn advice_proves_which_choices_are_best() {
    let model = scratch("near-tie.drn");
    let (more, less) =
        ("5000000000000000000001/10000000000000000000000", "4999999999999999999999/10000000000000000000000");
    let text = format!(
        "@type: MDP\n@nr_states\n3\n@model\nstate 0 init\naction fair\n1 : 1/2\n2 : 1/2\naction more\n1 : {more}\n2 : {less}\n\
         action last\n1 : {more}\n2 : {less}\naction low\n1 : 1/4\n2 : 3/4\nstate 1 won\nstate 2\n"
    );
    std::fs::write(&model, text).unwrap();
    for exact in [&[][..], &["--exact"]] {
        let answer = json(&[&["advise", &model, "--goal", "won"], exact].concat());
        let choices = answer["choices"].as_array().unwrap();
        let equal_choices: Vec<(&str, bool)> =
            choices.iter().map(|choice| (choice["action"].as_str().unwrap(), choice["best"] == true)).collect();
        assert_eq!(equal_choices, [("more", true), ("last", true), ("fair", false), ("low", false)]);
        assert_eq!(choices[0]["exact"], more);
        assert_eq!((&answer["state"], &choices[2]["choice"]), (&0.into(), &0.into()));
    }
    let smallest = json(&["advise", &model, "--goal", "won", "--sense", "min", "--at", "0"]);
    assert_eq!((&smallest["choices"][0]["action"], &smallest["choices"][0]["best"]), (&"low".into(), &true.into()));
    let text = String::from_utf8(bestplay(&["advise", &model, "--goal", "won"]).stdout).unwrap();
    assert!(text.contains("* 1 more: 0.5") && text.contains("\n  0 fair: 0.5"), "{text}");
    let over = String::from_utf8(bestplay(&["advise", &model, "--goal", "won", "--at", "1"]).stdout).unwrap();
    assert!(over.contains("nothing is left to choose here"), "{over}");
    let (code, text) = failed(&["advise", &model, "--goal", "won", "--at", "3"]);
    assert!(code == Some(2) && text.contains("the model has 3 states, numbered from 0"), "{text}");
    // Waiting for ever is never better, and a choice that need not come to the goal has no finite total.
    let coin = coin();
    let tosses = json(&["advise", &coin, "--goal", "won", "--reward", "tosses", "--sense", "min", "--exact"]);
    assert_eq!(tosses["value"]["exact"], tosses["choices"][0]["exact"]);
    let (code, text) = failed(&["advise", &coin, "--goal", "won", "--until", "!lost", "--reward", "tosses"]);
    assert!(code == Some(2) && text.contains("cannot be used with"), "{text}");
}

/// A choice that is worth as much and only leads back is no way to attain what it is worth.
#[test]
fn who_follows_the_star_comes_to_the_goal() {
    let model = scratch("wait-or-jump.drn");
    let text = "@type: MDP\n@nr_states\n4\n@model\nstate 0 init\naction wait\n0 : 1\naction jump\n1 : 2/3\n2 : 1/3\n\
                action hop\n3 : 1\nstate 1 good\naction stay\n1 : 1\nstate 2\naction stay\n2 : 1\n\
                state 3\naction on\n1 : 2/3\n2 : 1/3\naction back\n0 : 1\n";
    std::fs::write(&model, text).unwrap();
    for exact in [&[][..], &["--exact"]] {
        let question = [&["advise", model.as_str(), "--goal", "good"], exact].concat();
        let stdout = String::from_utf8(bestplay(&question).stdout).unwrap();
        assert!(
            stdout.contains("\n* 1 jump: ") && stdout.contains("\n  2 hop: 0.6666666666666666 = 2/3  [equal]"),
            "{stdout}"
        );
        assert!(stdout.contains("\n  0 wait: 0.6666666666666666 = 2/3  [no worse, but leads back]"), "{stdout}");
        let answer = json(&question);
        let choices = answer["choices"].as_array().unwrap();
        let standings: Vec<&str> = choices.iter().map(|choice| choice["standing"].as_str().unwrap()).collect();
        assert_eq!(standings, ["first", "equal", "leads-back"]);
        assert!(choices.iter().all(|choice| choice["best"] == true));
        // Who wants the least may well wait.
        let least = json(&[&question[..], &["--sense", "min"]].concat());
        assert_eq!((&least["value"]["decimal"], &least["choices"][0]["action"]), (&0.0.into(), &"wait".into()));
    }
}

/// Where the total is infinite, the choices that make it so are shown.
#[test]
fn infinite_totals_have_choices() {
    let model = scratch("stay-for-ever.drn");
    let policy = scratch("stay-for-ever.csv");
    let text = "@type: MDP\n@reward_models\nr\n@nr_states\n4\n@model\nstate 0 [1] init\naction a1\n1 : 1\naction a2\n2 : 1\n\
                state 1 [1]\naction b\n3 : 1\nstate 2 [1]\naction a3\n0 : 1/2\n1 : 1/2\naction a4\n2 : 1\n\
                state 3 goal\naction end\n3 : 1\n";
    std::fs::write(&model, text).unwrap();
    let question = ["--goal", "goal", "--reward", "r"];
    let explain = |state: &str| {
        let question = [&["advise", model.as_str()], &question[..], &["--at", state]].concat();
        String::from_utf8(bestplay(&question).stdout).unwrap()
    };
    let back = "  0 a3: infinite  [no worse, but leads back]";
    assert_eq!(explain("2"), format!("state 2: infinite\nthe choices, * = best:\n* 1 a4: infinite\n{back}\n"));
    let finite = explain("0");
    assert!(finite.contains("\n* 1 a2: infinite\n  0 a1: 2 (between 1.99") && !finite.contains('['), "{finite}");
    bestplay(&[&["solve", model.as_str(), "--exact", "--export-policy", &policy], &question[..]].concat());
    let table = std::fs::read_to_string(&policy).unwrap();
    let expected = "0,1,a2,inf,inf,inf\n1,0,b,1,1,1\n2,1,a4,inf,inf,inf\n3,,,0,0,0\n";
    assert_eq!(table, format!("state,choice,action,lower,upper,exact\n{expected}"));
}

/// Every method finds bounds around the exact value, as near as they are asked to be.
#[test]
fn bounds_are_as_near_as_asked_by_every_method() {
    let grid = data("qvbs/grid10.drn").to_str().unwrap().to_string();
    let ruin = data("qvbs/ruin100.drn").to_str().unwrap().to_string();
    let steps: &[&str] = &["--goal", "goal", "--reward", "steps", "--sense", "min"];
    for (model, question) in [(&grid, steps), (&ruin, &["--goal", "goal"])] {
        let question = [&["solve", model.as_str()], question].concat();
        let known: f64 = json(&[&question[..], &["--exact"]].concat())["value"]["decimal"].as_f64().unwrap();
        for method in ["cheapest", "sweeps", "elimination", "fractions"] {
            for precision in ["1e-9", "1e-15"] {
                let answer = json(&[&question[..], &["--method", method, "--precision", precision]].concat());
                let [lower, upper] = ["lower", "upper"].map(|end| answer["value"][end].as_f64().unwrap());
                let asked: f64 = precision.parse().unwrap();
                assert!(lower <= known && known <= upper, "{method}: {known} in [{lower}, {upper}]");
                assert!(upper - lower <= asked * lower, "{method}, {precision}: [{lower}, {upper}]");
                assert_eq!(answer["precision"].as_f64(), Some(asked));
                assert_eq!(answer["within_precision"], true);
                assert_eq!(answer["value"]["exact"], Value::Null);
            }
        }
    }
    let (code, text) = failed(&["solve", &grid, "--goal", "goal", "--precision", "0"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("--precision") && text.contains("above 0"), "{text}");
}

/// A value that floating point cannot say: the bounds hold, and the answer says that they are far apart.
#[test]
fn wide_bounds_are_marked_as_wide() {
    let model = scratch("tiny.drn");
    let hardly = format!("1/1{}", "0".repeat(400));
    let else_ = format!("{}/1{}", "9".repeat(400), "0".repeat(400));
    let text = format!(
        "@type: DTMC\n@value_type: rational\n@parameters\n\n@reward_models\n\n@nr_states\n3\n@nr_choices\n3\n@model\n\
         state 0 init\n\taction 0\n\t\t1 : {hardly}\n\t\t2 : {else_}\nstate 1 goal\n\taction 0\n\t\t1 : 1\nstate 2\n\taction 0\n\t\t2 : 1\n"
    );
    std::fs::write(&model, text).unwrap();
    let question = ["solve", &model, "--goal", "goal"];
    let answer = json(&question);
    assert_eq!(answer["within_precision"], false);
    assert_eq!(answer["value"]["lower"], 0.0);
    let stdout = String::from_utf8(bestplay(&question).stdout).unwrap();
    assert!(stdout.contains("not all bounds are within 1e-9 of their values"), "{stdout}");
    let exact = json(&[&question[..], &["--exact"]].concat());
    assert_eq!(exact["within_precision"], true);
    assert_eq!(exact["value"]["exact"], format!("1/1{}", "0".repeat(400)));
}
