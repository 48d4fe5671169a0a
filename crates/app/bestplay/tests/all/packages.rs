//! Every crate that can be published has with it what a registry asks for and what it is built from.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::common::cargo_metadata;

#[test]
fn what_is_published_stands_alone() {
    let metadata = cargo_metadata(&["--no-deps"]);
    let packages = metadata["packages"].as_array().expect("a list of packages");
    // Cargo shows `publish = false` as an empty list of registries.
    let (published, own): (Vec<&Value>, Vec<&Value>) =
        packages.iter().partition(|package| package["publish"].is_null());
    assert!(published.len() >= 19 && own.len() >= 4, "{} and {}", published.len(), own.len());
    for package in &published {
        let name = package["name"].as_str().expect("a name");
        assert!(
            name == "bestplay" || name.starts_with("bestplay-"),
            "{name}: names of other kinds are others' to take"
        );
        assert!(package["description"].is_string() && package["license"].is_string(), "{name}");
        let listed = |what: &str| package[what].as_array().map_or(0, Vec::len);
        assert!((1..=5).contains(&listed("keywords")) && (1..=5).contains(&listed("categories")), "{name}");
        for needed in package["dependencies"].as_array().expect("a list").iter().filter(|own| own["path"].is_string()) {
            let other = needed["name"].as_str().expect("a name");
            if needed["kind"].is_null() {
                assert!(published.iter().any(|package| package["name"] == other), "{name} needs {other}");
                assert_ne!(needed["req"], "*", "{name} needs some version of {other}");
            }
        }
        let folder = Path::new(package["manifest_path"].as_str().expect("a path")).parent().expect("a folder");
        let folder = folder.canonicalize().expect("it exists");
        let mut sources = Vec::new();
        files(&folder.join("src"), &mut sources);
        assert!(!sources.is_empty(), "{name}");
        for source in sources {
            let text = std::fs::read_to_string(&source).expect("a source");
            for included in text.split("include_str!(\"").skip(1).chain(text.split("include_bytes!(\"").skip(1)) {
                let file = included.split('"').next().unwrap_or_default();
                let file = source.parent().expect("a folder").join(file).canonicalize();
                let file = file.unwrap_or_else(|error| panic!("{}: {error}", source.display()));
                assert!(file.starts_with(&folder), "{} is not packed with {name}", file.display());
            }
        }
    }
}

/// Of every command for cargo that scripts and documents have, whether there is a package of that name.
#[test]
fn packages_are_called_by_their_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let metadata = cargo_metadata(&["--no-deps"]);
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let mut looked_at = Vec::new();
    for folder in ["", "docs", "benches", ".ci", "python", "fuzz", "tests/browser"] {
        for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
            looked_at.extend(std::fs::read_to_string(entry.path()).ok().map(|text| (entry.path(), text)));
        }
    }
    let mut asked_for = 0;
    for (file, text) in &looked_at {
        for line in text.lines().filter(|line| line.contains("cargo")) {
            // In a shell, or in a list of arguments.
            let line = line.replace(['"', ',', '`', '(', ')'], " ");
            let words: Vec<&str> = line.split_whitespace().collect();
            for name in words.windows(2).filter(|two| two[0] == "-p").map(|two| two[1]) {
                asked_for += 1;
                assert!(packages.iter().any(|package| package["name"] == name), "{}: {name}", file.display());
            }
        }
    }
    assert!(asked_for > 20, "{asked_for}");
}

/// Every source below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}
