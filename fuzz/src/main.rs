//! `fuzz TARGET...|all`: see the crate's documentation.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use fuzz::run::{Extent, one, run, start_watchdog};
use fuzz::{ONE_IN, TARGETS, Target};

/// Damaged input for every reader of the project. Exit code 1: something was found, and kept in target/fuzz, or a target
/// read fewer than one in a hundred inputs
#[derive(Parser)]
struct Arguments {
    /// The targets, or `all`; without any they are listed
    targets: Vec<String>,
    /// How long all targets together are run
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    seconds: u64,
    /// The most inputs for each target
    #[arg(long, value_name = "COUNT", default_value_t = u64::MAX)]
    inputs: u64,
    /// Decides the inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Check this file only, once
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut targets: Vec<&Target> = Vec::new();
    for name in &arguments.targets {
        match TARGETS.iter().find(|target| target.name == name) {
            Some(target) => targets.push(target),
            None if name == "all" => targets.extend(TARGETS),
            None => {
                eprintln!("no target `{name}`");
                return ExitCode::from(2);
            }
        }
    }
    if targets.is_empty() {
        println!("{}", TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join("\n"));
        return ExitCode::SUCCESS;
    }
    // The finding reports the message of a panic.
    std::panic::set_hook(Box::new(|_| ()));
    start_watchdog();
    let found = match &arguments.replay {
        Some(path) => replay(&targets, path),
        None => fuzz(&targets, &arguments),
    };
    match found {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn replay(targets: &[&Target], path: &PathBuf) -> std::io::Result<bool> {
    let input = std::fs::read(path)?;
    let mut found = false;
    for target in targets {
        let (checked, memory, time) = one(target, &input);
        found |= checked.is_err();
        println!("{}: {checked:?}, {memory} bytes, {:.3} s", target.name, time.as_secs_f64());
    }
    Ok(found)
}

fn fuzz(targets: &[&Target], arguments: &Arguments) -> std::io::Result<bool> {
    let count = u32::try_from(targets.len()).unwrap_or(u32::MAX);
    let time = Duration::from_secs(arguments.seconds) / count;
    let mut found = false;
    for target in targets {
        let report = run(target, Extent { inputs: arguments.inputs, time, seed: arguments.seed })?;
        found |= report.findings > 0 || report.reads_too_little();
        if report.reads_too_little() {
            println!("{}: fewer than one in {ONE_IN} inputs are read: is its corpus of an older format?", target.name);
        }
        println!(
            "{:20} {:>10} inputs, {:>9} read ({:>3}.{} %), {} findings, at most {} MB and {:.3} s",
            target.name,
            report.inputs,
            report.accepted,
            report.per_mille() / 10,
            report.per_mille() % 10,
            report.findings,
            report.memory / 1_000_000,
            report.slowest.as_secs_f64()
        );
    }
    Ok(found)
}
