//! `bestplay`: exact best play for single-player games of chance.
//!
//! `bestplay <game> <verb>`: this file only knows the games; each has a module that parses its
//! arguments, calls its crate and prints.

mod output;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::output::Failure;

/// Exact best play for single-player games of chance.
#[derive(Parser)]
#[command(name = "bestplay", version, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    game: Game,
}

#[derive(Subcommand)]
enum Game {}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result: Result<(), Failure> = match cli.game {};
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            match &failure {
                Failure::BadInput(report) | Failure::Failed(report) => eprintln!("{report:?}"),
                Failure::Interrupted => eprintln!("interrupted"),
            }
            ExitCode::from(failure.exit_code())
        }
    }
}
