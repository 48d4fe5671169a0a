//! `bestplay slay-the-spire`: the Ironclad against the enemies of Act 1.

mod advise;
mod fights;
mod input;
mod kept_fights;
mod replay;
mod reward;
mod simulated;
mod solve;
mod solve_args;

use clap::Subcommand;

use crate::output::Failure;

/// What can be asked.
#[derive(Subcommand)]
pub enum Verb {
    /// How much health best play keeps, and how a fight ends
    #[command(after_help = solve_args::EXAMPLES)]
    Solve(solve_args::SolveArgs),
    /// A fight that was played: what luck gave, and what mistakes cost
    #[command(after_help = replay::EXAMPLES)]
    Replay(replay::ReplayArgs),
    /// Which card to take: what each adds to the fights, best first
    #[command(after_help = reward::EXAMPLES)]
    Reward(reward::RewardArgs),
    /// What to play now: every way to spend the rest of a turn, best first
    #[command(after_help = advise::EXAMPLES)]
    Advise(advise::AdviseArgs),
}

/// Runs a verb.
pub fn run(verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Solve(args) => solve::run(args),
        Verb::Replay(args) => replay::run(args),
        Verb::Reward(args) => reward::run(args),
        Verb::Advise(args) => advise::run(args),
    }
}
