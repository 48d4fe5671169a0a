//! `bestplay gamebook compile` as a user meets it.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, starts_with};

fn compile(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    command.args(["gamebook", "compile", "fire-on-the-water"]).args(arguments);
    command
}

#[test]
fn a_section_as_steps() {
    let output = compile(&["--section", "225"]).assert().success();
    let text = String::from_utf8(output.get_output().stdout.clone()).expect("text");
    assert!(text.starts_with("section 225\n"), "{text}");
    assert_eq!(text.matches("section ").count(), 1, "{text}");
    assert!(text.contains("enter ->") && text.contains("leave for"), "{text}");
}

#[test]
fn the_whole_book_as_steps() {
    let output = compile(&[]).assert().success();
    let text = String::from_utf8(output.get_output().stdout.clone()).expect("text");
    for step in
        ["(play begins here)", "chance\n", "ask the weapon", "if endurance <= 0 ->", "step by step ->", "victory"]
    {
        assert!(text.contains(step), "{step}");
    }
}

#[test]
fn a_section_that_is_not_there() {
    compile(&["--section", "999"]).assert().code(2).stderr(contains("there is no section 999"));
}

#[test]
fn a_section_with_a_name() {
    let file = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("compile-named.kdl");
    let text = "book \"Names\" format=1 system=\"none\"\nstart \"Gate\"\n\
        section \"Gate\" { roll d6 { when 1 { death \"a fall\"; }; else { goto \"Road\"; }; }; }\n\
        section \"Road\" { victory; }\n";
    std::fs::write(&file, text).expect("written");
    let listed = |section: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
        command.args(["gamebook", "compile"]).arg(&file).args(["--section", section]).assert()
    };
    listed("Gate").success().stdout(starts_with("section Gate\n").and(contains("leave for Road ->")));
    listed("Rood").code(2).stderr(contains("there is no section Rood"));
}
