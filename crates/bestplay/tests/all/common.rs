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
