//! `bestplay gamebook`: books of numbered sections.

mod advise;
pub mod book_file;
mod check;
mod compile;
mod hero_args;
mod map;
mod play;
mod solve;

use clap::Subcommand;
use gamebook::{CompileError, SolveBookError};
use mdp::{Value, decimal_text, fraction_text};

use crate::engine_args::EngineArgs;
use crate::numbers::percent_near as percent;
use crate::output::Failure;

/// What can be asked.
#[derive(Subcommand)]
pub enum Verb {
    /// Can the book be won, with which odds, and where do heroes die?
    #[command(after_help = solve::EXAMPLES)]
    Solve(solve::SolveArgs),
    /// What is wrong with a book file, and what its author may want to know about it
    #[command(after_long_help = check::EXAMPLES)]
    Check(check::CheckArgs),
    /// What to do now, in this section: every choice with its odds
    #[command(after_help = advise::EXAMPLES)]
    Advise(advise::AdviseArgs),
    /// Play it: with rolled or typed numbers, and hints on request
    #[command(after_help = play::EXAMPLES)]
    Play(play::PlayArgs),
    /// The sections as a graph: a picture or a file for Graphviz, coloured by the odds of best play
    #[command(after_help = map::EXAMPLES)]
    Map(map::MapArgs),
    /// The steps over registers that a book is compiled to, for those who want to know how it is solved
    #[command(after_help = compile::EXAMPLES)]
    Compile(compile::CompileArgs),
}

/// Runs a verb.
pub fn run(verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Solve(args) => solve::run(args),
        Verb::Check(args) => check::run(args),
        Verb::Advise(args) => advise::run(args),
        Verb::Play(args) => play::run(args),
        Verb::Map(args) => map::run(args),
        Verb::Compile(args) => compile::run(args),
    }
}

/// The failure of a book that was not solved.
fn unsolved(error: &SolveBookError) -> Failure {
    match error {
        SolveBookError::Stopped(stopped) => EngineArgs::stopped(stopped),
        SolveBookError::StoppedWithBounds { stopped, win } => {
            EngineArgs::stopped(stopped).knowing(&format!("the probability to win is {}", bounds_text(win)))
        }
        SolveBookError::Engine(_) => Failure::failed(error, "please report this book"),
        SolveBookError::Hero(_) => Failure::bad_input(error, "see --help for what a hero can be"),
        SolveBookError::NoSection(_) => Failure::bad_input(error, "name a section of the book"),
        SolveBookError::Endurance { .. } => {
            Failure::bad_input(error, "say --max-endurance for a hero who began with more")
        }
        SolveBookError::Compile(CompileError::TooMuchToRemember(_)) => {
            Failure::bad_input(error, "declare fewer items, flags and counters")
        }
        SolveBookError::Compile(_) => Failure::bad_input(error, "let the section do less"),
    }
}

/// The bounds of a value, with as many digits as they agree in and a few more.
fn bounds_text(value: &Value) -> String {
    match &value.exact {
        Some(exact) => fraction_text(exact),
        None => format!("between {} and {}", decimal_text(value.lower), decimal_text(value.upper)),
    }
}
