//! How much there may be in one place: lines in a file, files in a folder, lints that are excused, crates of others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{crates, root};

/// More than this is read in two sittings.
const MOST_LINES: usize = 500;
/// More than this is searched, not looked through.
const MOST_FILES: usize = 25;
const MOST_EXCUSED: usize = 20;
/// What the command is built from, beside the crates of this repository.
const MOST_CRATES: usize = 150;

/// Every file of source, and what is in it; what tests and measures stands elsewhere.
fn sources() -> Vec<(PathBuf, String)> {
    fn look(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                look(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).expect("a file of source");
                found.push((path, text));
            }
        }
    }
    let mut found = Vec::new();
    for own in crates() {
        look(&own.join("src"), &mut found);
    }
    assert!(found.len() > 500, "{} files of source", found.len());
    found
}

#[test]
fn files_are_short_and_folders_narrow() {
    let mut folders: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (path, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines, {MOST_LINES} at most", path.display());
        *folders.entry(path.parent().expect("a folder").to_path_buf()).or_default() += 1;
    }
    for (folder, files) in folders {
        assert!(files <= MOST_FILES, "{} has {files} files, {MOST_FILES} at most", folder.display());
    }
}

#[test]
fn few_lints_are_excused() {
    let mut excused = Vec::new();
    for (path, text) in sources() {
        for (number, line) in (1..).zip(text.lines()) {
            let code = line.trim_start();
            let attributes = ["#[expect(clippy::", "#![expect(clippy::", "#[allow(", "#![allow("];
            if attributes.iter().any(|own| code.starts_with(own)) {
                excused.push(format!("{}:{number}: {code}", path.display()));
            }
        }
    }
    assert!(excused.len() <= MOST_EXCUSED, "{MOST_EXCUSED} at most:\n{excused:#?}");
    let sizes = excused.iter().filter(|own| own.contains("too_many"));
    assert_eq!(sizes.count(), 0, "a function that is too long, or has too many arguments, is two:\n{excused:#?}");
}

#[test]
fn few_crates_of_others_are_built() {
    let arguments = "tree -p bestplay -e normal,build --prefix none --offline --locked";
    let output = Command::new(env!("CARGO")).args(arguments.split(' ')).current_dir(root()).output().expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("text");
    let others: BTreeSet<&str> = tree
        .lines()
        .filter(|line| !line.is_empty() && !line.contains("(/"))
        .map(|line| line.trim_end_matches(" (*)"))
        .collect();
    assert!((1..=MOST_CRATES).contains(&others.len()), "{} crates, {MOST_CRATES} at most", others.len());
}
