//! A command as its users run it, and its answers.

use assert_cmd::Command;
use serde_json::Value;

/// `bestplay` with the words of a command and of its arguments.
pub fn command(words: &str, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    command.args(words.split_whitespace()).args(arguments.split_whitespace());
    command
}

/// What it prints.
pub fn stdout(words: &str, arguments: &str) -> String {
    let output = command(words, arguments).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).expect("UTF-8")
}

/// Its answer for programs.
pub fn json(words: &str, arguments: &str) -> Value {
    let value: Value = serde_json::from_str(&stdout(words, &format!("{arguments} --format json"))).expect("JSON");
    assert_eq!(value["format"], 1);
    value
}

/// The decimal of a number in an answer.
pub fn decimal(value: &Value) -> f64 {
    value["decimal"].as_f64().expect("a number")
}

/// The metadata of the workspace from cargo.
pub fn cargo_metadata(arguments: &[&str]) -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version", "1", "--locked"]).args(arguments);
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."));
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo writes JSON")
}
