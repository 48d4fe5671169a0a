//! The command as it is called: what it runs, and what it refuses.

use std::process::{Command, Output};

fn fuzz(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fuzz")).args(arguments).output().expect("the program runs")
}

#[test]
fn targets_are_listed_run_and_refused() {
    let listed = fuzz(&[]);
    let names = String::from_utf8_lossy(&listed.stdout);
    assert!(listed.status.success() && names.contains("hero-table"), "{names}");
    let run = fuzz(&["expression", "--inputs", "50"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(String::from_utf8_lossy(&run.stdout).contains("50 inputs"));
    let wrong = fuzz(&["nothing"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&wrong.stderr), "no target `nothing`\n");
}
