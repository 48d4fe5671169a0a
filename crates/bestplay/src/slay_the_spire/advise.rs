//! `bestplay slay-the-spire advise`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use mdp::{SaveError, fraction_text, nearest};
use slay_the_spire::{AdviceAnswer, Objective, Play, Position, SavedFight, advise, attack, describe_play};

use super::goal::{Goal, change, unsolved};
use super::input::read_json;
use crate::engine_args::EngineArgs;
use crate::numbers::percent;
use crate::output::{self, Failure, Format};

/// Arguments of `advise`.
#[derive(Args)]
pub struct AdviseArgs {
    /// The position, a JSON file; - for standard input
    #[arg(value_name = "FILE")]
    position: PathBuf,
    /// What to play for [default: health, or what the solution was made for]
    #[arg(long, value_enum)]
    objective: Option<Goal>,
    /// Look the answer up in a solution that `solve --save` wrote, instead of solving
    #[arg(long, value_name = "FILE")]
    solution: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
The position is one JSON object. Turns count from 0; what is left out is empty or 0, and energy is 3:

  {\"turn\": 1, \"energy\": 3, \"health\": 68, \"block\": 0,
   \"enemy\": {\"health\": 35, \"vulnerable\": 0},
   \"hand\": {\"bash\": 1, \"strike\": 2, \"defend\": 1, \"ascenders-bane\": 1},
   \"draw\": {\"defend\": 1}, \"discard\": {\"strike\": 3, \"defend\": 2}}

Examples:
  bestplay slay-the-spire advise position.json
  bestplay slay-the-spire advise position.json --objective survival --format json
  bestplay slay-the-spire advise position.json --solution cultist.solution
  echo '{\"turn\":3,\"health\":66,\"enemy\":{\"health\":18},\"hand\":{\"strike\":3}}' | bestplay slay-the-spire advise -";

/// Reads the position and prints every play.
pub fn run(args: &AdviseArgs) -> Result<(), Failure> {
    let right = "see `bestplay slay-the-spire advise --help` for a whole position";
    let position: Position = read_json(&args.position, right)?;
    let (objective, plays) = match &args.solution {
        None => {
            let objective = args.objective.unwrap_or_default().into();
            let plays = args.engine.run(|options, _| advise(&position, objective, options));
            (objective, plays.map_err(|error| unsolved(&error))?)
        }
        Some(path) => look_up(path, args, &position)?,
    };
    match args.format {
        Format::Text => output::print(&text(&position, objective, &plays, args.engine.exact)),
        Format::Json => output::print_json(&AdviceAnswer::new(&plays, objective)),
    }
}

/// The plays of a position in a saved fight.
fn look_up(path: &Path, args: &AdviseArgs, position: &Position) -> Result<(Objective, Vec<Play>), Failure> {
    let fight = args.engine.run(|_, budget| SavedFight::load(path, Some(budget))).map_err(|error| match error {
        SaveError::Stopped(stopped) => stopped.into(),
        error => {
            let right = "a solution is a file that `bestplay slay-the-spire solve --save FILE` wrote";
            Failure::bad_input(format_args!("{}: {error}", path.display()), right)
        }
    })?;
    if args.objective.is_some_and(|objective| Objective::from(objective) != fight.objective()) {
        let right = format!("leave --objective out, or save a solution for it ({})", fight.parameters());
        return Err(Failure::bad_input(format_args!("{} was made for another objective", path.display()), right));
    }
    let plays = fight.advise(position).map_err(|error| {
        let right = format!("ask without --solution, or save the right fight; this one: {}", fight.parameters());
        Failure::bad_input(format_args!("{}: {error}", path.display()), right)
    })?;
    Ok((fight.objective(), plays))
}

fn text(position: &Position, objective: Objective, plays: &[Play], exact: bool) -> String {
    let mut out = String::new();
    let Position { turn, energy, health, block, enemy, vulnerable, hand, .. } = position;
    // People count turns from 1.
    let _ = writeln!(out, "Turn {}: {energy} energy, {health} health, {block} block", turn + 1);
    let _ = write!(out, "The Cultist has {enemy} health, ");
    if *vulnerable > 0 {
        let _ = write!(out, "is vulnerable for {vulnerable} turn{}, ", if *vulnerable == 1 { "" } else { "s" });
    }
    match attack(*turn) {
        0 => out.push_str("and does not attack this turn\n"),
        damage => {
            let _ = writeln!(out, "and attacks for {damage}");
        }
    }
    let _ = writeln!(out, "Hand: {}\n", if hand.is_empty() { "empty".into() } else { hand.to_string() });

    let _ = writeln!(out, "{:>15}  {:>10}  {:>9}  Play", "Expected health", "Survival", "Loses");
    let best = plays.first().map(|play| play.worth.value(objective));
    for play in plays {
        let loses = best.map(|best| change(&(play.worth.value(objective) - best), objective)).unwrap_or_default();
        let _ = write!(
            out,
            "{:>15.3}  {:>10}  {loses:>9}  {}",
            nearest(&play.worth.health),
            percent(&play.worth.survival),
            describe_play(&play.cards)
        );
        if exact {
            let _ = write!(out, "  ({})", fraction_text(play.worth.value(objective)));
        }
        out.push('\n');
    }
    out
}
