//! Arguments of `bestplay slay-the-spire advise`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use slay_the_spire::{Advice, Exactness, Position, advise_or_simulate};

use crate::arguments::engine_args::{EngineArgs, Run};
use crate::output::{Failure, Format};
use crate::slay_the_spire::fights::GoalArgs;
use crate::slay_the_spire::simulated::SimulatedArgs;

/// What would be right where a position is wrong.
pub const RIGHT: &str =
    "docs/slay-the-spire-turn.md has a whole position, docs/slay-the-spire-rules.md what is modelled";

/// Arguments of `advise`.
#[derive(Args)]
pub struct AdviseArgs {
    /// The position, a JSON file; - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub position: PathBuf,
    /// The kind of the file
    #[arg(long, value_enum, default_value_t)]
    pub from: Source,
    /// Answer line by line: each line of standard input is a message, each line of the answer a play
    #[arg(long, conflicts_with = "position")]
    pub follow: bool,
    #[command(flatten)]
    pub goal: GoalArgs,
    #[command(flatten)]
    pub simulated: SimulatedArgs,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// What a position is read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Source {
    /// A position as docs/slay-the-spire-turn.md describes it
    #[default]
    Position,
    /// A message of `CommunicationMod`, or its `game_state` alone
    CommunicationMod,
}

impl AdviseArgs {
    /// What to play in a position.
    pub fn advice(&self, position: &Position, run: Run<'_>) -> Result<Advice, Failure> {
        let exact = if self.engine.exact { Exactness::Everything } else { Exactness::Bounds };
        let (objective, simulating) = (self.goal.objective.objective(), self.simulated.simulating());
        advise_or_simulate(position, objective, exact, simulating, run.budget).map_err(refused)
    }
}

/// The failure of an objective that does not suit a fight.
pub fn refused(error: impl std::fmt::Display) -> Failure {
    Failure::bad_input(error, "--objective health, or survival")
}
