//! Every crate that the command is built from has a licence that the project accepts: the list in
//! `deny.toml`. `cargo deny` checks the same and more, where it is installed.

use std::path::Path;

use super::common::cargo_metadata;

#[test]
fn licences_are_accepted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let deny = std::fs::read_to_string(root.join("deny.toml")).expect("deny.toml is in the root");
    let allowed: Vec<&str> = deny
        .lines()
        .skip_while(|line| !line.starts_with("allow = ["))
        .skip(1)
        .take_while(|line| !line.starts_with(']'))
        .filter_map(|line| line.split('"').nth(1))
        .collect();
    assert!(allowed.contains(&"MIT"), "the list was found");

    let metadata = cargo_metadata(&[]);
    let packages = metadata["packages"].as_array().expect("a list of packages");
    assert!(packages.len() > 50, "all dependencies are listed");
    for package in packages {
        let name = &package["name"];
        let licence = package["license"].as_str().unwrap_or("none").replace('/', " OR ");
        let expression =
            spdx::Expression::parse(&licence).unwrap_or_else(|error| panic!("{name}: licence {licence:?}: {error}"));
        let accepted = expression.evaluate(|required| allowed.contains(&required.license.to_string().as_str()));
        assert!(accepted, "{name}: licence {licence} is not in deny.toml");
    }
}
