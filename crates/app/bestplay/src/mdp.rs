//! `bestplay mdp`: models in the files of other tools.

mod advise;
mod answer;
pub mod input;
mod method;
mod sense;
mod solve;
mod solve_args;
mod unanswered;
mod verify;

use clap::Subcommand;

use crate::output::Failure;

/// What can be done with models in files.
#[derive(Subcommand)]
pub enum Verb {
    /// The best probability of reaching a goal, or the best expected reward until then
    #[command(after_long_help = SOLVE_EXAMPLES)]
    Solve(Box<solve_args::SolveArgs>),
    /// The value of every choice of a state; ties of the best are proven
    #[command(after_long_help = ADVISE_EXAMPLES)]
    Advise(Box<advise::AdviseArgs>),
    /// Check a certificate: are its values the optimal ones? Exit code 0: yes, 1: no
    #[command(after_long_help = VERIFY_EXAMPLES)]
    Verify(verify::VerifyArgs),
}

const SOLVE_EXAMPLES: &str = "\
Examples:
  bestplay mdp solve coin.drn --goal 'finished & !agree'
  bestplay mdp solve coin.drn --goal finished --reward steps --sense min --exact
  bestplay mdp solve coin.drn --goal finished --precision 1e-13
  bestplay mdp solve coin.drn --goal finished --steps 20 --all-states values.csv
  bestplay mdp solve coin.umb --goal '\"all heads\" | stuck' --certificate proof.txt --format json
  bestplay mdp solve coin.prism --const K=2 --goal 'counter=0 & \"finished\"'";

const ADVISE_EXAMPLES: &str = "\
Examples:
  bestplay mdp advise coin.drn --goal 'finished & !agree'
  bestplay mdp advise coin.drn --goal finished --reward steps --sense min --at 17 --exact";

const VERIFY_EXAMPLES: &str = "\
Examples:
  bestplay mdp solve coin.drn --goal finished --certificate proof.txt
  bestplay mdp verify coin.drn proof.txt --goal finished --sense max";

/// Runs a verb.
pub fn run(verb: Verb) -> Result<(), Failure> {
    match verb {
        Verb::Solve(args) => args.engine.run(|run| solve::solve(&args, run)),
        Verb::Advise(args) => args.engine.run(|run| advise::advise(&args, run)),
        Verb::Verify(args) => args.run.run(|run| verify::verify(&args, run.budget)),
    }
}
