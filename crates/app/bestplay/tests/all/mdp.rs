//! `bestplay mdp`: models from files, answers that an independent exact solver (Storm) gives too,
//! certificates that are accepted, and errors that say what to do.

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/model-files/tests/data").join(name)
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn bestplay(arguments: &[&str]) -> Output {
    Command::cargo_bin("bestplay").unwrap().arg("mdp").args(arguments).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The exact value (`inf` when infinite) of one question, after its certificate was accepted and
/// the bounds without `--exact` were seen to hold.
fn solved(model: &Path, goal: &str, objective: &str, reward: Option<&str>) -> String {
    let name = format!("{}-{objective}-{}", model.file_name().unwrap().to_str().unwrap(), reward.is_some());
    let certificate = scratch(&format!("{name}.txt"));
    let (model, certificate) = (model.to_str().unwrap(), certificate.to_str().unwrap());
    let mut arguments = vec!["solve", model, "--goal", goal, "--sense", objective, "--format", "json"];
    if let Some(reward) = reward {
        arguments.extend(["--reward", reward]);
    }
    let rough = json(&bestplay(&arguments));
    arguments.extend(["--certificate", certificate]);
    let exact = json(&bestplay(&arguments));
    assert_eq!(exact["format"], 1);
    for key in ["seconds_read", "seconds_solve", "states", "choices", "transitions"] {
        assert!(exact[key].is_number(), "{key}");
    }
    assert!(bestplay(&["verify", model, certificate]).status.success(), "{name}");
    let value = &exact["value"];
    assert_eq!(value["infinite"], rough["value"]["infinite"], "{name}");
    if value["infinite"] == true {
        assert!(value["decimal"].is_null() && value["lower"].is_number() && value["upper"].is_number());
        return "inf".into();
    }
    let decimal = value["decimal"].as_f64().unwrap();
    for answer in [value, &rough["value"]] {
        assert!(answer["lower"].as_f64().unwrap() <= decimal && decimal <= answer["upper"].as_f64().unwrap(), "{name}");
    }
    value["exact"].as_str().unwrap().trim_end_matches("/1").into()
}

#[test]
fn storm_agrees() {
    let answers: Value = serde_json::from_slice(&std::fs::read(data("answers.json")).unwrap()).unwrap();
    let answers = answers.as_object().unwrap();
    assert!(answers.len() >= 10);
    for (name, questions) in answers {
        for (question, answer) in questions.as_object().unwrap() {
            let (kind, objective) = question.split_once(' ').unwrap();
            let reward = (kind == "reward").then_some("cost");
            assert_eq!(solved(&data(name), "goal", objective, reward), *answer, "{name}: {question}");
        }
    }
    let same = &answers["random-41.drn"];
    for name in ["fractions.umb", "fractions-xz.umb", "fractions-plain.umb"] {
        assert_eq!(solved(&data(name), "goal", "min", Some("cost")), same["reward min"], "{name}");
    }
}

#[test]
fn the_reference_models() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/mdp");
    let Ok(answers) = std::fs::read(folder.join("answers.json")) else {
        eprintln!("skipped: {} not found", folder.display());
        return;
    };
    let answers: Value = serde_json::from_slice(&answers).unwrap();
    for (name, known) in answers.as_object().unwrap() {
        for (question, answer) in known["exact"].as_object().unwrap() {
            let (objective, goal) = question.strip_prefix('P').unwrap().split_once("=? [F ").unwrap();
            let value = solved(&folder.join(format!("{name}.drn")), goal.trim_end_matches(']'), objective, None);
            assert_eq!(value, *answer, "{name}: {question}");
        }
    }
}

#[test]
fn models_can_be_written_and_read() {
    let model = data("random-3.drn");
    for (from, name) in [(model.clone(), "written.umb"), (scratch("written.umb"), "written.drn")] {
        let (to, policy) = (scratch(name), scratch("policy.csv"));
        let arguments = ["solve", from.to_str().unwrap(), "--goal", "goal", "--exact", "--export-model"];
        let output =
            bestplay(&[&arguments[..], &[to.to_str().unwrap(), "--export-policy", policy.to_str().unwrap()]].concat());
        assert!(output.status.success(), "{}", error(&output));
        let table = std::fs::read_to_string(policy).unwrap();
        assert_eq!(table.lines().next(), Some("state,choice,action,lower,upper,exact"));
        assert_eq!(table.lines().count(), 7);
        assert_eq!(solved(&to, "goal", "min", Some("cost")), "746/119");
    }
    let output = bestplay(&["solve", model.to_str().unwrap(), "--goal", "goal", "--export-model", "x.txt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(error(&output).contains("end the name in .drn"), "{}", error(&output));
}

#[test]
fn several_initial_states() {
    let path = scratch("two-starts.drn");
    let text =
        "@type: DTMC\n@nr_states\n3\n@model\nstate 0 init\naction 0\n1 : 1/4\n2 : 3/4\nstate 1 init won\nstate 2\n";
    std::fs::write(&path, text).unwrap();
    let answer = json(&bestplay(&["solve", path.to_str().unwrap(), "--goal", "won", "--exact", "--format", "json"]));
    assert!(answer["value"].is_null());
    assert_eq!(answer["values"][0]["exact"], "1/4");
    assert_eq!(answer["values"][1]["state"], 1);
    std::fs::write(&path, text.replace("init", "")).unwrap();
    let output = bestplay(&["solve", path.to_str().unwrap(), "--goal", "won"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(error(&output).contains("has no initial state"), "{}", error(&output));
}

#[test]
fn tiny_values_are_not_rows_of_zeros() {
    let path = scratch("tiny.drn");
    let model = "@type: DTMC\n@nr_states\n3\n@model\nstate 0 init\naction 0\n1 : 1e-40\n2 : 1\nstate 1 won\nstate 2\n";
    std::fs::write(&path, model).unwrap();
    for arguments in [&["--exact"][..], &[]] {
        let output = bestplay(&[&["solve", path.to_str().unwrap(), "--goal", "won"], arguments].concat());
        assert!(output.status.success(), "{}", error(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("e-41") || text.contains("e-40"), "{text}");
        assert!(!text.contains("0.0000000"), "{text}");
    }
}

#[test]
fn errors_say_what_to_do() {
    let model = data("random-3.drn");
    let model = model.to_str().unwrap();
    for (arguments, expected) in [
        (vec!["solve", "nothing.drn", "--goal", "goal"], "nothing.drn: the file: cannot be read"),
        (vec!["solve", model, "--goal", "gaol"], "--goal, column 1: the model has no label `gaol`"),
        (vec!["solve", model, "--goal", "gaol"], "help: it has: init, goal"),
        (vec!["solve", model, "--goal", "goal &"], "--goal, column 7: the expression ends where a label should stand"),
        (
            vec!["solve", model, "--goal", "goal", "--reward", "coast"],
            "the model has no reward model `coast` help: it has: cost",
        ),
        (vec!["verify", model, "nothing.txt"], "cannot read nothing.txt"),
        (vec!["verify", model, model], "1: a certificate begins with"),
    ] {
        let output = bestplay(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(error(&output).contains(expected), "{arguments:?}: {}", error(&output));
    }
}

#[test]
fn a_wrong_certificate_is_refused() {
    let model = data("random-226.drn");
    let path = scratch("wrong.txt");
    let (model, certificate) = (model.to_str().unwrap(), path.to_str().unwrap());
    assert!(bestplay(&["solve", model, "--goal", "goal", "--certificate", certificate]).status.success());
    let other = data("random-3.drn");
    let output = bestplay(&["verify", other.to_str().unwrap(), certificate, "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["accepted"], false);
    let right = std::fs::read_to_string(&path).unwrap();
    let line = right.lines().find(|line| line.starts_with("5 1 ")).unwrap();
    std::fs::write(&path, right.replace(line, &line.replacen("5 1 ", "5 2 ", 1))).unwrap();
    let output = bestplay(&["verify", model, certificate]);
    assert_eq!(output.status.code(), Some(1));
    assert!(error(&output).contains("refused: state"), "{}", error(&output));
}
