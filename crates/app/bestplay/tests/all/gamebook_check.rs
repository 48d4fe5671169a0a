//! `bestplay gamebook check` as an author meets it.

use std::path::PathBuf;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

const CLEAN: &str = "book Small format=1 rules=lone-wolf\nstart 1\ngoal 2\nhero { combat-skill 15; endurance 25; }\n\
                     section 1 { goto 2; }\nsection 2 { victory; }\n";

fn check(text: impl Into<Vec<u8>>, arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    command.args(["gamebook", "check", "-"]).args(arguments).write_stdin(text).assert()
}

fn json(text: &str, code: i32) -> Value {
    let output = check(text, &["--format", "json"]).code(code);
    let value: Value = serde_json::from_slice(&output.get_output().stdout).expect("JSON");
    assert_eq!(value["format"], 1);
    assert_eq!(value["file"], "-");
    value
}

#[test]
fn exit_codes() {
    check(CLEAN, &[]).code(0).stdout("-: no problems\n");
    let unreached = format!("{CLEAN}section 3 {{ goto 2; }}\n");
    check(unreached, &[]).code(1).stdout(contains("warning: no section leads to 3").and(contains("-: 1 warning\n")));
    let wrong = CLEAN.replace("goto 2", "goto 3");
    check(wrong, &[]).code(2).stdout(contains("error: there is no section 3").and(contains("-: 1 error\n")));
    let noted = CLEAN.replace("goal 2", "goal 2\nitems { special key; }").replace("goto 2;", "gain key; goto 2;");
    check(noted, &[]).code(0).stdout(contains("note: `key` is given").and(contains("-: 1 note\n")));
}

#[test]
fn the_built_in_book_has_no_warnings() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    command.args(["gamebook", "check", "fire-on-the-water"]).assert().code(0).stdout(contains("warning").not());
}

#[test]
fn text_shows_the_place_and_what_would_be_right() {
    let wrong = CLEAN.replace("hero {", "hero {\n    gold 60\n   ");
    let shown = "error: `gold` is a whole number here, not `60`
 --> -:5:10
  |
5 |     gold 60
  |          ^^
  |
  = help: 0 to 50 are possible\n";
    check(wrong, &[]).code(2).stdout(contains(shown));
    let long = CLEAN.replace("goto 2;", &format!("goto 3; /* {} */", "x".repeat(400)));
    check(long, &[]).code(2).stdout(contains("-:5:18: there is no section 3").and(contains("xxx").not()));
}

#[test]
fn json_says_all() {
    let value = json(&CLEAN.replace("goto 2;", "if \"gold > ö\" { goto 2; }").replace("victory", "vicotry"), 2);
    assert_eq!((&value["errors"], &value["warnings"], &value["notes"]), (&2.into(), &0.into(), &0.into()));
    assert_eq!(value["left_out"], 0);
    let problems = value["problems"].as_array().expect("a list");
    assert_eq!(problems[1]["severity"], "error");
    assert_eq!(problems[1]["message"], "`vicotry` means nothing here");
    assert_eq!(problems[1]["help"], "did you mean `victory`?");
    assert_eq!(problems[1]["text"], "vicotry");
    let place = ["line", "column", "end_line", "end_column"].map(|name| problems[1][name].as_u64());
    assert_eq!(place, [6, 13, 6, 20].map(Some));
    assert_eq!(json(CLEAN, 0)["problems"].as_array().map(Vec::len), Some(0));
}

#[test]
fn no_more_problems_than_asked_for() {
    let file =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../gamebook/gamebook/tests/books/hundred-mistakes.kdl");
    let mistakes = std::fs::read_to_string(file).expect("the book");
    let all = json(&mistakes, 2);
    let shown = all["problems"].as_array().expect("a list").len();
    assert!(shown >= 100, "{shown}");
    assert_eq!(all["left_out"], 0);
    let output = check(mistakes.clone(), &["--format", "json", "--max-problems", "3"]).code(2);
    let few: Value = serde_json::from_slice(&output.get_output().stdout).expect("JSON");
    assert_eq!(few["problems"].as_array().map(Vec::len), Some(3));
    assert_eq!(few["left_out"], shown - 3);
    assert_eq!(few["errors"], all["errors"]);
    let rest = format!("{} more", shown - 3);
    check(mistakes, &["--max-problems", "3"]).code(2).stdout(contains(rest));
    check(CLEAN, &["--max-problems", "0"]).code(2).stderr(contains("--max-problems"));
}

#[test]
fn what_is_no_book() {
    check([0xff, 0xfe, 0x00, 0x80], &[]).code(2).stderr(contains("not UTF-8"));
    check("", &[]).code(2).stdout(contains("the head of the book has no `book`"));
    check("\0\u{1}\u{1b}[31m\u{7f}\u{9b}", &[]).code(2).stdout(contains("\u{1b}").or(contains("\u{9b}")).not());
    check("x".repeat(17 << 20), &[]).code(2).stdout(contains("16777216 bytes are read"));
    check("section 1 { ".repeat(5000), &[]).code(2);
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    command
        .args(["gamebook", "check", "no-such-book"])
        .assert()
        .code(2)
        .stderr(contains("there is no book `no-such-book`"));
}

/// It notices saves, shows problems and odds, and ends at Ctrl-C.
#[cfg(unix)]
#[test]
fn a_watched_book_is_checked_on_each_save() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("watched");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("book.kdl");
    std::fs::write(&file, CLEAN).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    let command = command.args(["gamebook", "check", "--watch"]).arg(&file).stdout(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
    let mut until = |words: &str| {
        let line = lines.by_ref().map_while(Result::ok).find(|line| line.contains(words));
        line.unwrap_or_else(|| panic!("it never says {words}"))
    };
    until("no problems");
    assert!(until("wins: best play").contains("at random"));
    std::fs::write(&file, CLEAN.replace("victory", "vicotry")).expect("written");
    until("did you mean `victory`?");
    until("1 error");
    // As editors do it.
    std::fs::write(folder.join("book.new"), format!("{CLEAN}\n// saved\n")).expect("written");
    std::fs::rename(folder.join("book.new"), &file).expect("renamed");
    until("no problems");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .expect("our child");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}
