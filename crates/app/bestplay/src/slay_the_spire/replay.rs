//! `bestplay slay-the-spire replay`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use mdp::fraction_text;
use slay_the_spire::{Exactness, FightRecord, FightReplay, FightReplayAnswer, Goal, PlayLoss, replay_fight};

use super::fights::amount_text;
use super::input::read_json;
use super::simulated::{self, SimulatedArgs};
use crate::arguments::engine_args::EngineArgs;
use crate::output::{self, Failure, Format};

/// Arguments of `replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// The fight, a JSON file; - for standard input
    #[arg(value_name = "FILE")]
    fight: PathBuf,
    /// The objective of the player [default: that of the file, or health]
    #[arg(long, value_name = "OBJECTIVE")]
    objective: Option<Goal>,
    #[command(flatten)]
    simulated: SimulatedArgs,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
The fight is one JSON object: the fight as it was known before, and what came and what was done, one after another. What
is certain is not a step:

  {\"fight\": {\"enemies\": [\"cultist\"], \"enemy_hp\": \"50..=56\", \"hp\": 68, \"ascension\": 17},
   \"steps\": [\"cultist (53)\", \"3 strike, 2 defend\", \"strike\", \"strike\", {\"play\": \"strike\"}, \"end the turn\"]}

Examples:
  bestplay slay-the-spire replay fight.json
  bestplay slay-the-spire replay fight.json --exact
  bestplay slay-the-spire replay fight.json --format json
  bestplay slay-the-spire replay fight.json --max-time 60s --precision 0.5";

/// Replays a fight and prints its steps.
pub fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let right = "write the fight down as it was played; docs/slay-the-spire-turn.md has one";
    let mut record: FightRecord = read_json(&args.fight, right)?;
    if let Some(goal) = args.objective {
        record.fight.objective = goal;
    }
    let exact = if args.engine.exact { Exactness::Everything } else { Exactness::Bounds };
    let simulating = args.simulated.simulating();
    let replayed = args.engine.run(|run| replay_fight(&record, exact, simulating, run.budget)).map_err(|error| {
        let message = format!("{}: {error}", output::name_of(&args.fight));
        Failure::bad_input(message, right)
    })?;
    match args.format {
        Format::Text => output::print(&text(&replayed))?,
        Format::Json => output::print_json(&FightReplayAnswer::new(&replayed))?,
    }
    replayed.stopped.map_or(Ok(()), |stopped| Err(stopped.into()))
}

fn text(replayed: &FightReplay) -> String {
    let mut out = format!("{:>24}  {:>24}  What happened\n", "Value", "Change");
    let each = replayed.steps.iter().zip(&replayed.worths).zip(replayed.changes().into_iter().zip(&replayed.losses));
    for (((step, _), worth), (change, loss)) in each {
        let change = change.as_ref().map(amount_text).unwrap_or_default();
        let exact = worth.exact.as_ref().map_or_else(String::new, |exact| format!("  ({})", fraction_text(exact)));
        let better = loss.as_ref().map(|loss| better(step, loss)).unwrap_or_default();
        let _ = writeln!(out, "{:>24}  {change:>24}  {step}{exact}{better}", amount_text(worth));
    }
    let (luck, mistakes) = replayed.luck_and_mistakes();
    let _ = writeln!(out, "\nLuck {}, mistakes {}", amount_text(&luck), amount_text(&mistakes));
    out + &simulated_losses(replayed)
}

/// What would have been better than a play, and its value; nothing where bounds leave open whether anything was.
fn better(made: &str, own: &PlayLoss) -> String {
    let best = own.best.to_string();
    let is_known = own.loss.bounds.lower > 0.0 || own.loss.exact.is_some();
    if best == made || !is_known {
        return String::new();
    }
    format!("; better: {best}, {}", amount_text(&own.best_value))
}

/// What plays lost in simulations, apart from what is proved.
fn simulated_losses(replayed: &FightReplay) -> String {
    let Some((sum, error)) = replayed.simulated_loss() else { return String::new() };
    let mut out = format!("\nSimulated: {}.\n\n{:>16}  What was played\n", simulated::error_of(error), "Lost");
    for ((step, _), loss) in replayed.steps.iter().zip(&replayed.losses) {
        let Some(own) = loss.as_ref().and_then(|loss| loss.simulated.as_ref()) else { continue };
        let best = own.best.to_string();
        let better = if best == *step { String::new() } else { format!("; better: {best}") };
        let _ = writeln!(out, "{:>16}  {step}{better}", simulated::bounds_text(own.loss));
    }
    let _ = writeln!(out, "{:>16}  all plays", simulated::bounds_text(sum));
    out
}
