//! Nothing in this workspace goes in a circle, and nothing depends on what stands above it: no module, no folder of the
//! gamebook crate, no crate.

mod documents;
mod glossary;
mod sizes;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::ModuleGraph;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folders of all crates in this repository, the wheel's too.
fn crates() -> Vec<PathBuf> {
    fn look(folder: &Path, found: &mut Vec<PathBuf>) {
        if folder.join("Cargo.toml").is_file() && folder.join("src").is_dir() {
            found.push(folder.to_path_buf());
            return;
        }
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let name = entry.file_name();
            if entry.path().is_dir()
                && name != "target"
                && name != "node_modules"
                && !name.to_string_lossy().starts_with('.')
            {
                look(&entry.path(), found);
            }
        }
    }
    let mut found = Vec::new();
    look(&root(), &mut found);
    found.sort();
    found
}

#[test]
fn no_modules_form_a_circle() {
    let mut circular = BTreeMap::new();
    for folder in crates() {
        let graph = ModuleGraph::read(&folder.join("src")).unwrap();
        let name = folder.file_name().expect("a name").to_string_lossy().to_string();
        let arrows = graph.circular_arrows().into_iter();
        circular.extend(arrows.map(|(arrow, names)| (format!("{name}: {arrow}"), names)));
    }
    assert!(circular.is_empty(), "circles among modules, by their arrows and the names that make them:\n{circular:#?}");
}

/// The folders of `crates`, from the ground up; a crate may depend on those of its own floor and of lower ones.
const FLOORS: [&str; 6] = ["base", "engine", "games", "gamebook", "stories", "app"];

/// Of the folder of a crate in `crates`: which floor it stands on. What measures and tests stands outside.
fn floor_of(folder: &Path) -> Option<usize> {
    let crates = root().join("crates").canonicalize().expect("the crates");
    let floor =
        folder.canonicalize().expect("a crate").strip_prefix(crates).ok()?.components().next()?.as_os_str().to_owned();
    Some(FLOORS.iter().position(|own| floor == *own).unwrap_or_else(|| panic!("{} is no floor", floor.display())))
}

#[test]
fn no_crate_depends_on_a_higher_floor() {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--locked", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut looked_at = 0;
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        let Some(floor) = floor_of(manifest.parent().expect("a folder")) else {
            assert!(!package["publish"].is_null(), "{name} stands on no floor");
            continue;
        };
        for needed in package["dependencies"].as_array().expect("dependencies") {
            let Some(folder) = needed["path"].as_str().filter(|_| needed["kind"].is_null()) else { continue };
            let other = needed["name"].as_str().expect("a name");
            let below = floor_of(Path::new(folder));
            let below = below.unwrap_or_else(|| panic!("{name} needs {other}, which stands on no floor"));
            let (from, to) = (FLOORS[floor], FLOORS[below]);
            assert!(below <= floor, "{name} ({from}) depends on {other} ({to}), which stands above it");
            looked_at += 1;
        }
    }
    assert!(looked_at > 50, "{looked_at}");
}

/// The folders of the gamebook crate in the order of its pipeline, each with those that it may name.
const FOLDERS: [(&str, &[&str]); 9] = [
    ("terms", &[]),
    ("book", &["terms"]),
    ("syntax", &["terms", "book"]),
    ("program", &["terms"]),
    ("lower", &["terms", "book", "program"]),
    ("passes", &["terms", "program"]),
    ("machine", &["terms", "program", "passes"]),
    ("solve", &["terms", "book", "syntax", "program", "lower", "passes", "machine"]),
    ("author", &["terms", "book", "syntax", "program", "lower", "passes", "machine", "solve"]),
];

#[test]
fn folders_of_the_gamebook_follow_its_pipeline() {
    let graph = ModuleGraph::read(&root().join("crates/gamebook/gamebook/src")).unwrap();
    let is_allowed = |from: &str, to: &str| FOLDERS.iter().any(|(own, named)| *own == from && named.contains(&to));
    let upwards = graph.arrows_between_folders().filter(|(from, to, _)| !is_allowed(from, to));
    let upwards: Vec<String> = upwards.map(|(_, _, arrow)| arrow).collect();
    assert!(upwards.is_empty(), "the folders of these may not name each other:\n{upwards:#?}");
}
