//! The commands of `cases.txt`, run as their users run them.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};

pub struct Case {
    pub long: bool,
    /// The members of the answer that are kept; none: all.
    pub only: Vec<String>,
    line: String,
}

/// What a command answers a program.
pub struct Answer {
    pub code: Option<i32>,
    pub json: Value,
}

/// The cases in their order.
pub fn all() -> Vec<Case> {
    let text = include_str!("cases.txt");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let cases: Vec<_> = lines.map(Case::read).collect();
    let mut titles = HashSet::new();
    for case in &cases {
        assert!(titles.insert(case.title()), "cases.txt has this twice: {}", case.line);
    }
    cases
}

/// What `work` makes of each case, on as many threads as there are.
pub fn side_by_side<C: Sync, T: Send>(cases: &[C], work: impl Fn(&C) -> T + Sync) -> Vec<T> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((number, case)) = {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    cases.get(number).map(|case| (number, case))
                } {
                    let result = work(case);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, result)| result).collect()
}

impl Case {
    fn read(mut line: &str) -> Self {
        let (mut long, mut only) = (false, Vec::new());
        loop {
            if let Some(rest) = line.strip_prefix("long ") {
                (long, line) = (true, rest);
            } else if let Some((names, rest)) = line.strip_prefix("only=").and_then(|rest| rest.split_once(' ')) {
                only = names.split(',').map(str::to_owned).collect();
                line = rest;
            } else {
                return Self { long, only, line: line.into() };
            }
        }
    }

    /// The command, as one would type it.
    pub fn title(&self) -> String {
        format!("bestplay {}", self.line)
    }

    /// What is asked, without options: `gamebook solve`.
    pub fn kind(&self) -> String {
        self.words().into_iter().take(2).collect::<Vec<_>>().join(" ")
    }

    /// The answer for programs; a table on standard output stands before it.
    pub fn json(&self) -> Answer {
        let output = self.run(true);
        let code = output.status.code();
        let text = std::str::from_utf8(&output.stdout).expect("UTF-8");
        if text.is_empty() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(code, Some(2), "{} says nothing: {stderr}", self.title());
            return Answer { code, json: Value::Null };
        }
        let (table, answer) = text.split_at(text.find('{').expect("JSON"));
        let mut json: Value = serde_json::from_str(answer).expect("JSON");
        if !table.is_empty() {
            json["rows"] = rows(table);
        }
        Answer { code, json }
    }

    /// The answer for people.
    pub fn text(&self) -> Output {
        self.run(false)
    }

    /// The line's words; blanks may stand between apostrophes.
    fn words(&self) -> Vec<&str> {
        let quoted = self.line.split('\'').enumerate();
        quoted
            .flat_map(|(place, part)| if place % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
            .collect()
    }

    fn run(&self, json: bool) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
        command.args(self.words()).args(["--max-memory", "6GB"]);
        command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.."));
        if json {
            command.args(["--format", "json"]);
        }
        // What these do takes one thread.
        if !["red-november", "gamebook check"].iter().any(|alone| self.line.starts_with(alone)) {
            command.args(["--threads", "2"]);
        }
        command.output().expect("bestplay runs")
    }
}

/// A CSV table as JSON, a row an object.
fn rows(table: &str) -> Value {
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("a line of names");
    let rows: Vec<_> = lines.collect();
    let holds = |at: usize, reads: fn(&str) -> bool| rows.iter().all(|row| row[at].is_empty() || reads(row[at]));
    let column = |at: usize| -> fn(&str) -> Value {
        match names[at] {
            "exact" => |cell| cell.into(),
            _ if holds(at, |cell| cell.parse::<i64>().is_ok()) => {
                |cell| cell.parse::<i64>().expect("an integer").into()
            }
            _ if holds(at, |cell| cell.parse::<f64>().is_ok()) => |cell| cell.parse::<f64>().expect("a number").into(),
            _ => |cell| cell.into(),
        }
    };
    let read: Vec<_> = (0..names.len()).map(column).collect();
    let row = |cells: &Vec<&str>| {
        assert_eq!(cells.len(), names.len(), "{cells:?}");
        let value = |at: usize| if cells[at].is_empty() { Value::Null } else { read[at](cells[at]) };
        names.iter().enumerate().map(|(at, &name)| (name.to_owned(), value(at))).collect::<Map<_, _>>()
    };
    rows.iter().map(row).collect::<Vec<_>>().into()
}
