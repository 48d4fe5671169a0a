//! `bestplay lone-wolf`: the gamebooks' combat.

mod fight;

use clap::Subcommand;

use crate::output::Failure;

/// What can be asked about Lone Wolf.
#[derive(Subcommand)]
pub enum Verb {
    /// The odds of a fight, what is left after it, and when to run
    #[command(after_long_help = fight::EXAMPLES)]
    Fight(fight::FightArgs),
}

/// Runs a verb.
pub fn run(verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Fight(args) => fight::run(args),
    }
}
