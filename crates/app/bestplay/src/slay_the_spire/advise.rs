//! `bestplay slay-the-spire advise`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use mdp::fraction_text;
use slay_the_spire::{Advice, Exactness, PlaysAnswer, PositionFile, advise_or_simulate, unknown_plays};

use super::fights::amount_text;
use super::goal::Goal;
use super::input::read_json;
use super::simulated::{self, SimulatedArgs};
use crate::arguments::engine_args::{EngineArgs, Run};
use crate::ending::Knowing;
use crate::output::{self, Failure, Format};

/// Arguments of `advise`.
#[derive(Args)]
pub struct AdviseArgs {
    /// The position, a JSON file; - for standard input
    #[arg(value_name = "FILE")]
    position: PathBuf,
    /// What to play for
    #[arg(long, value_enum, default_value_t)]
    objective: Goal,
    #[command(flatten)]
    simulated: SimulatedArgs,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
The position is one JSON object; what is left out is empty or 0, and energy is 3:

  {\"hp\": 68, \"max_hp\": 75, \"ascension\": 17,
   \"enemies\": [{\"kind\": \"cultist\", \"hp\": 35, \"intent\": \"dark_strike\"}],
   \"hand\": {\"bash\": 1, \"strike\": 2, \"defend\": 1, \"ascenders-bane\": 1},
   \"draw\": {\"defend\": 1}, \"discard\": {\"strike\": 3, \"defend\": 2}}

Examples:
  bestplay slay-the-spire advise position.json
  bestplay slay-the-spire advise position.json --objective survival --format json
  bestplay slay-the-spire advise position.json --exact";

/// Reads the position and prints every way to spend the turn.
pub fn run(args: &AdviseArgs) -> Result<(), Failure> {
    let right = "docs/slay-the-spire-turn.md has a whole position, docs/slay-the-spire-rules.md what is modelled";
    let file: PositionFile = read_json(&args.position, right)?;
    let position = file.position().map_err(|error| Failure::bad_input(error, right))?;
    let objective = args.objective.objective();
    let refused = |error| Failure::bad_input(error, "--objective health, or survival");
    let (asked, style) = (position.clone(), Style { format: args.format, fraction: args.engine.exact });
    let knowing =
        Knowing::that(move |stopped| style.print(&unknown_plays(&asked, objective, stopped).map_err(refused)?));
    let exact = if args.engine.exact { Exactness::Everything } else { Exactness::Bounds };
    let simulating = args.simulated.simulating();
    let work = |run: Run<'_>| advise_or_simulate(&position, objective, exact, simulating, run.budget);
    let advice = args.engine.run(work).map_err(refused)?;
    drop(knowing);
    style.print(&advice)?;
    advice.stopped.map_or(Ok(()), |stopped| Err(stopped.into()))
}

/// How an answer is printed.
#[derive(Clone, Copy)]
struct Style {
    format: Format,
    /// Whether fractions are printed beside decimals.
    fraction: bool,
}

impl Style {
    fn print(self, advice: &Advice) -> Result<(), Failure> {
        match self.format {
            Format::Text => output::print(&self.text(advice)),
            Format::Json => PlaysAnswer::new(advice).map_or(Ok(()), |answer| output::print_json(&answer)),
        }
    }

    fn text(self, advice: &Advice) -> String {
        let mut out = format!("{:>24}  Turn\n", "Value");
        for (steps, worth) in &advice.turns {
            let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
            let turn = if steps.is_empty() { "end the turn".into() } else { steps.join(", ") };
            let exact = worth.exact.as_ref().filter(|_| self.fraction);
            let exact = exact.map_or_else(String::new, |exact| format!("  ({})", fraction_text(exact)));
            let _ = writeln!(out, "{:>24}  {turn}{exact}", amount_text(&worth.amount()));
        }
        let gains = advice.simulated.iter().map(|own| (&own.play, &own.simulated));
        out + &simulated::table(gains, "Gains are over ending the turn.\n", "First play")
    }
}
