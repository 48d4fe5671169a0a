//! What `bestplay` says of itself: alone, in completions and in manual pages.

use std::fs;

use super::common::{command, stdout};

#[test]
fn alone_it_shows_what_to_try() {
    let output = command("", "").assert().success();
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let tried: Vec<&str> = text.lines().filter(|line| line.starts_with("  bestplay ")).collect();
    assert_eq!(tried.len(), 4, "{text}");
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = stdout("completions", shell);
        assert!(script.contains("sensitivity") && script.contains("certificate"), "{shell}: {script}");
    }
}

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man1");
    stdout("man", &pages.display().to_string());
    let page = |name: &str| fs::read_to_string(pages.join(name)).expect("a page");
    assert!(page("bestplay.1").contains("Exact best play"));
    assert!(page("bestplay-gamebook-solve.1").contains("fire\\-on\\-the\\-water"));
    assert!(page("bestplay-mdp-verify.1").contains("certificate"));
}
