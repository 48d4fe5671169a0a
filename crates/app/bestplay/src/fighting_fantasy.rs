//! `bestplay fighting-fantasy`: from arguments to odds and advice.

mod advise;
mod fight;
mod fighters;
mod heroes;
mod heuristics;
mod maps;
mod percent;
mod policy;

use clap::Subcommand;

use crate::output::Failure;

/// What can be asked about Fighting Fantasy.
#[derive(Subcommand)]
pub enum Verb {
    /// The odds of a fight with the best use of luck
    #[command(after_long_help = fight::EXAMPLES)]
    Fight(fight::FightArgs),
    /// Use luck on this round, or keep it? The one question asked at the table
    #[command(after_long_help = advise::EXAMPLES)]
    Advise(advise::AdviseArgs),
    /// The odds of a fight for every hero that the dice can make
    #[command(after_long_help = heroes::EXAMPLES)]
    Heroes(heroes::HeroesArgs),
    /// The map of the best use of luck: the paper's figure 4 and supplementary figure 6
    #[command(after_long_help = policy::EXAMPLES)]
    Policy(policy::PolicyArgs),
    /// How good the rules of thumb are: the paper's supplementary figures 7 and 8
    #[command(after_long_help = heuristics::EXAMPLES)]
    Heuristics(heuristics::HeuristicsArgs),
}

/// Runs a verb.
pub fn run(verb: Verb) -> Result<(), Failure> {
    match verb {
        Verb::Fight(args) => fight::run(&args),
        Verb::Advise(args) => advise::run(&args),
        Verb::Heroes(args) => heroes::run(&args),
        Verb::Policy(args) => policy::run(&args),
        Verb::Heuristics(args) => heuristics::run(&args),
    }
}
