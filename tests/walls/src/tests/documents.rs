//! Documents stay short, and what they name exists: a reader finishes a page in one sitting, and finds what it sends him to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{crates, root};

const MOST_WORDS_OF_ARCHITECTURE: usize = 1_200;
const MOST_WORDS_OF_README: usize = 500;
/// More than this is two pages, of two tasks.
const MOST_WORDS_OF_A_PAGE: usize = 1_500;

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The files in a folder whose names end so, by their path from the root.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut files: Vec<String> =
        names.filter(|name| name.ends_with(ending)).map(|name| format!("{folder}/{name}")).collect();
    files.sort();
    files
}

#[test]
fn documents_are_short() {
    let mut most = vec![
        ("ARCHITECTURE.md".to_string(), MOST_WORDS_OF_ARCHITECTURE),
        ("README.md".to_string(), MOST_WORDS_OF_README),
    ];
    for page in files("docs", ".md") {
        most.push((page, MOST_WORDS_OF_A_PAGE));
    }
    assert!(most.len() > 30, "{}", most.len());
    for (page, most) in most {
        let words = text(&page).split_whitespace().count();
        assert!(words <= most, "{page} has {words} words, {most} at most");
    }
}

/// Whether a file has this extension.
fn is_a(file: &str, extension: &str) -> bool {
    Path::new(file).extension().is_some_and(|own| own == extension)
}

/// What stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn the_architecture_names_what_exists() {
    let architecture = text("ARCHITECTURE.md");
    let named: BTreeSet<&str> = quoted(&architecture).collect();
    let folders = ["", "crates", "crates/gamebook/gamebook/src"].map(|folder| root().join(folder));
    // A file of every game's crate is named without its folder.
    let games = std::fs::read_dir(root().join("crates/games")).expect("a folder").flatten();
    let games: Vec<PathBuf> = games.map(|game| game.path().join("src")).collect();
    let mut looked_at = 0;
    for path in named.iter().filter(|path| path.contains('/') || is_a(path, "rs")) {
        let exists = folders.iter().chain(&games).any(|folder| folder.join(path).exists());
        assert!(exists, "ARCHITECTURE.md names `{path}`, which is not here");
        looked_at += 1;
    }
    assert!(looked_at > 50, "{looked_at}");
    for folder in crates() {
        let path = folder.strip_prefix(root()).expect("a crate of this repository").to_string_lossy().into_owned();
        assert!(named.contains(path.as_str()), "ARCHITECTURE.md does not name `{path}`");
    }
}

/// The heading of a page as the end of an address names it: small letters, hyphens for blanks, no other signs.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars().filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign)).collect::<String>().replace(' ', "-")
}

#[test]
fn links_lead_somewhere() {
    let pages = [files(".", ".md"), files("docs", ".md"), files("benches", ".md"), files("python", ".md")].concat();
    let mut looked_at = 0;
    for page in pages {
        let text = text(&page);
        let folder = root().join(&page).parent().expect("a folder").to_path_buf();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://") && !target.contains(char::is_whitespace)) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { root().join(&page) } else { folder.join(file) };
            assert!(file.exists(), "{page} links to {target}, which is not here");
            if !heading.is_empty() {
                let there = std::fs::read_to_string(&file).expect("a page");
                let headings = there.lines().filter(|line| line.starts_with('#'));
                let found = headings.map(|line| anchor(line.trim_start_matches('#'))).any(|own| own == heading);
                assert!(found, "{page} links to {target}, where there is no such heading");
            }
            looked_at += 1;
        }
    }
    assert!(looked_at > 80, "{looked_at}");
}

/// Messages and comments send people to pages of the documentation.
#[test]
fn pages_named_in_the_source_exist() {
    fn look(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                // What npm installs for a comparison is none of our source.
                if !path.ends_with("node_modules") {
                    look(&path, found);
                }
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                for rest in text.split("docs/").skip(1) {
                    let end = rest.find(|sign: char| !sign.is_ascii_alphanumeric() && !"-_.".contains(sign));
                    let name = rest[..end.unwrap_or(rest.len())].trim_end_matches('.');
                    if is_a(name, "md") {
                        found.insert(name.to_string());
                    }
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    look(&root().join("crates"), &mut found);
    assert!(found.len() > 10, "{found:?}");
    for name in found {
        assert!(root().join("docs").join(&name).exists(), "the source names docs/{name}, which is not here");
    }
}
