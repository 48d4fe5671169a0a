//! `bestplay slay-the-spire advise`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use mdp::{SaveError, fraction_text};
use slay_the_spire::act1::{self, Advice, PlaysAnswer, PositionFile};
use slay_the_spire::{AdviceAnswer, Objective, Play, Position, SavedFight, advise, attack, describe_play};

use super::fights::told;
use super::goal::{Goal, change, unsolved};
use super::input::parse_json;
use crate::ending::Knowing;
use crate::engine_args::EngineArgs;
use crate::numbers::{amounts, percents};
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
    let contents = output::read_text(&args.position)?;
    if is_of_act_1(&contents) {
        return run_fight(args, &contents);
    }
    let position: Position = parse_json(&args.position, &contents, right)?;
    let (objective, plays) = match &args.solution {
        None => {
            let objective = args.objective.unwrap_or_default().of_the_talk()?;
            let plays = args.engine.run(|run| advise(&position, objective, run.options));
            (objective, plays.map_err(|error| unsolved(&error))?)
        }
        Some(path) => look_up(path, args, &position)?,
    };
    match args.format {
        Format::Text => output::print(&text(&position, objective, &plays, args.engine.exact)),
        Format::Json => output::print_json(&AdviceAnswer::new(&plays, objective)),
    }
}

/// Whether a file has the enemies of Act 1 in it. What is no JSON is told by who reads it.
fn is_of_act_1(text: &str) -> bool {
    let value: Result<serde_json::Value, _> = serde_json::from_str(text);
    value.is_ok_and(|value| value.get("enemies").is_some())
}

/// Reads a position of Act 1 and prints every play.
fn run_fight(args: &AdviseArgs, text: &str) -> Result<(), Failure> {
    let right = "docs/slay-the-spire-act-1.md has a whole position";
    if args.solution.is_some() {
        return Err(Failure::bad_input("--solution is for the Cultist's fight", "ask without it"));
    }
    let file: PositionFile = parse_json(&args.position, text, right)?;
    let position = file.position().map_err(|error| Failure::bad_input(error, right))?;
    let objective = match args.objective.unwrap_or_default() {
        Goal::Health => act1::Objective::Health,
        Goal::Survival => act1::Objective::Survival,
        Goal::Loss => act1::Objective::Loss,
    };
    let refused = |error| Failure::bad_input(error, "--objective health, or survival");
    let (asked, format) = (position.clone(), args.format);
    let knowing = Knowing::that(move |stopped| {
        print_fight(&act1::unknown_plays(&asked, objective, stopped).map_err(refused)?, format)
    });
    let advice = args.engine.run(|run| act1::advise(&position, objective, run.budget)).map_err(refused)?;
    drop(knowing);
    print_fight(&advice, args.format)?;
    advice.stopped.map_or(Ok(()), |stopped| Err(stopped.into()))
}

fn print_fight(advice: &Advice, format: Format) -> Result<(), Failure> {
    match format {
        Format::Text => output::print(&fight_text(advice)),
        Format::Json => PlaysAnswer::new(advice).map_or(Ok(()), |answer| output::print_json(&answer)),
    }
}

fn fight_text(advice: &Advice) -> String {
    let mut out = format!("{:>24}  Turn\n", "Value");
    for (steps, worth) in &advice.turns {
        let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
        let turn = if steps.is_empty() { "end the turn".into() } else { steps.join(", ") };
        let _ = writeln!(out, "{:>24}  {turn}", told(worth.value));
    }
    out
}

/// The plays of a position in a saved fight.
fn look_up(path: &Path, args: &AdviseArgs, position: &Position) -> Result<(Objective, Vec<Play>), Failure> {
    let fight = args.engine.run(|run| SavedFight::load(path, Some(run.budget))).map_err(|error| match error {
        SaveError::Stopped(stopped) => stopped.into(),
        error => {
            let right = "a solution is a file that `bestplay slay-the-spire solve --save FILE` wrote";
            Failure::bad_input(format_args!("{}: {error}", path.display()), right)
        }
    })?;
    if args.objective.is_some_and(|goal| goal.of_the_talk().ok() != Some(fight.objective())) {
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
    let healths = amounts(plays.iter().map(|play| &play.worth.health));
    let survivals = percents(plays.iter().map(|play| &play.worth.survival));
    for (play, (health, survival)) in plays.iter().zip(healths.into_iter().zip(survivals)) {
        let loses = best.map(|best| change(&(play.worth.value(objective) - best), objective)).unwrap_or_default();
        let _ = write!(out, "{health:>15}  {survival:>10}  {loses:>9}  {}", describe_play(&play.cards));
        if exact {
            let _ = write!(out, "  ({})", fraction_text(play.worth.value(objective)));
        }
        out.push('\n');
    }
    out
}
