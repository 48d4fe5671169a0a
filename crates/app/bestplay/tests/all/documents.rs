//! What the documentation shows of the command: answers that it gives, options that it has.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const BESTPLAY: &str = env!("CARGO_BIN_EXE_bestplay");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().expect("the repository")
}

/// The README and the pages, each with its path.
fn pages() -> Vec<(PathBuf, String)> {
    let docs = fs::read_dir(root().join("docs")).expect("a folder").flatten().map(|entry| entry.path());
    let pages = docs.filter(|path| path.extension().is_some_and(|own| own == "md"));
    let pages: Vec<PathBuf> = pages.chain([root().join("README.md")]).collect();
    assert!(pages.len() > 30, "{}", pages.len());
    pages.into_iter().map(|path| (path.clone(), fs::read_to_string(path).expect("a page"))).collect()
}

/// The commands that a page shows with their answers: what stands behind `$`, and the lines below it to the end of the block.
fn shown(page: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    let (mut fenced, mut open) = (false, false);
    for line in page.lines() {
        if line.starts_with("```") {
            (fenced, open) = (!fenced, false);
            continue;
        }
        let is_code = fenced || line.starts_with("    ") || line.is_empty();
        if let Some(command) = line.trim_start().strip_prefix("$ ").filter(|_| is_code) {
            found.push((command, Vec::new()));
            open = true;
        } else if open && is_code {
            found.last_mut().expect("a command").1.push(line.trim());
        } else {
            open = false;
        }
    }
    found
}

/// Whether an answer has these lines in this order. `...` stands for some lines, or for the rest of one.
fn has_in_order(answer: &str, lines: &[&str]) -> Result<(), String> {
    let mut rest = answer.lines().map(str::trim);
    for line in lines.iter().filter(|line| !line.is_empty() && **line != "...") {
        let is_it = |own: &str| line.strip_suffix("...").map_or(own == *line, |start| own.starts_with(start));
        if !rest.any(is_it) {
            return Err(format!("`{line}` is not in\n{answer}"));
        }
    }
    Ok(())
}

/// The book of the tutorial with the slip that the README shows.
fn write_ford(folder: &Path) {
    let tutorial = fs::read_to_string(root().join("docs/tutorial-lone-wolf.md")).expect("the tutorial");
    let book = tutorial.split("```kdl\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a book");
    let wrong = book.replace("eat; goto 3;", "eat; goto 13;");
    assert_ne!(wrong, book);
    fs::write(folder.join("ford.kdl"), wrong).expect("a file");
}

#[test]
fn answers_are_those_of_the_command() {
    let folder = tempfile::tempdir().expect("a folder");
    write_ford(folder.path());
    std::os::unix::fs::symlink(root().join("crates"), folder.path().join("crates")).expect("a link");
    let programs = Path::new(BESTPLAY).parent().expect("a folder").display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    let mut run = 0;
    for (page, text) in pages() {
        for (command, lines) in shown(&text).into_iter().filter(|(command, _)| command.contains("bestplay ")) {
            let mut shell = Command::new("sh");
            let output = shell.args(["-c", command]).current_dir(&folder).env("PATH", &path).output().expect("a shell");
            let [stdout, stderr] = [output.stdout, output.stderr].map(|own| String::from_utf8_lossy(&own).into_owned());
            has_in_order(&format!("{stdout}{stderr}"), &lines)
                .unwrap_or_else(|error| panic!("{}: {command}: {error}", page.display()));
            run += 1;
        }
    }
    assert!(run >= 5, "{run}");
}

/// Every command on a page: on a line of its own, or within a sentence.
fn named(page: &str) -> impl Iterator<Item = &str> {
    let quoted = page.split('`').filter_map(|part| part.strip_prefix("bestplay "));
    let lines = page.lines().filter(|line| line.starts_with("    ") || line.starts_with("$ "));
    quoted.chain(lines.filter_map(|line| line.split_once("bestplay ").map(|(_, command)| command)))
}

#[test]
fn options_on_pages_exist() {
    let mut helps: BTreeMap<Vec<&str>, Option<String>> = BTreeMap::new();
    let mut looked_at = 0;
    let pages = pages();
    for (page, text) in &pages {
        for command in named(text) {
            // Up to a comment, a pipe, or another command; cargo has `--` before it.
            let command = command.trim_start_matches("-- ").split([';', '|', '#']).next().unwrap_or_default();
            let words: Vec<&str> = command.split_whitespace().collect();
            let is_verb = |word: &&&str| word.chars().all(|sign| sign.is_ascii_lowercase() || sign == '-');
            let mut verbs: Vec<&str> = words.iter().take(3).take_while(is_verb).copied().collect();
            let help = loop {
                let help = helps.entry(verbs.clone()).or_insert_with(|| {
                    let output = Command::new(BESTPLAY).args(&verbs).arg("--help").output().expect("it runs");
                    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
                });
                match help {
                    Some(help) => break help,
                    None => verbs.pop(),
                };
            };
            let has: BTreeSet<&str> = help.split(|sign: char| !(sign.is_ascii_lowercase() || sign == '-')).collect();
            let options = words.iter().filter(|word| word.starts_with("--")).map(|word| word.split('=').next());
            for option in options.flatten().map(|word| word.trim_end_matches([',', '.', ')', ':'])) {
                assert!(has.contains(option), "{}: bestplay {command} has no {option}", page.display());
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 150, "{looked_at}");
}
