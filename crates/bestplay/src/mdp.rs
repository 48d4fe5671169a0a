//! `bestplay mdp`: models in the files of other tools.

mod answer;
mod certificate;
mod graph;
mod input;
mod reach;
mod solve;
mod unfold;
mod verify;

use budget::Budget;
use clap::{Subcommand, ValueEnum};
use mdp::Sense;

use crate::output::Failure;

/// What can be done with models in files.
#[derive(Subcommand)]
pub enum Verb {
    /// The best probability of reaching a goal, or the best expected reward until then
    #[command(after_long_help = SOLVE_EXAMPLES)]
    Solve(Box<solve::SolveArgs>),
    /// Check a certificate: are its values the optimal ones? Exit code 0: yes, 1: no
    #[command(after_long_help = VERIFY_EXAMPLES)]
    Verify(verify::VerifyArgs),
}

const SOLVE_EXAMPLES: &str = "\
Examples:
  bestplay mdp solve coin.drn --goal 'finished & !agree'
  bestplay mdp solve coin.drn --goal finished --reward steps --sense min --exact
  bestplay mdp solve coin.drn --goal finished --steps 20 --all-states values.csv
  bestplay mdp solve coin.umb --goal '\"all heads\" | stuck' --certificate proof.txt --format json
  bestplay mdp solve coin.prism --const N=4,K=2 --goal 'counter=0 & \"finished\"'";

const VERIFY_EXAMPLES: &str = "\
Examples:
  bestplay mdp solve coin.drn --goal finished --certificate proof.txt
  bestplay mdp verify coin.drn proof.txt --goal finished --sense max";

/// Largest or smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SenseArg {
    /// The largest value that any policy attains
    Max,
    /// The smallest
    Min,
}

impl From<SenseArg> for Sense {
    fn from(sense: SenseArg) -> Self {
        match sense {
            SenseArg::Max => Self::Max,
            SenseArg::Min => Self::Min,
        }
    }
}

/// Runs a verb.
pub fn run(verb: Verb) -> Result<(), Failure> {
    match verb {
        Verb::Solve(args) => args.engine.run(|options| solve::solve(&args, options)),
        Verb::Verify(args) => args.run.run(|options| {
            let own = Budget::default();
            verify::verify(&args, options.budget.unwrap_or(&own))
        }),
    }
}
