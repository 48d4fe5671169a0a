//! `bestplay slay-the-spire replay`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use mdp::{Rational, fraction_text};
use slay_the_spire::{
    Event, Objective, Record, ReplayAnswer, ReplayError, Step, changes, describe_play, luck_and_mistakes, replay,
};

use super::goal::{Goal, change, unsolved, value_in_words};
use super::input::{name_of, read_json};
use crate::engine_args::EngineArgs;
use crate::output::{self, Failure, Format};

/// Arguments of `replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// The fight, a JSON file; - for standard input
    #[arg(value_name = "FILE")]
    fight: PathBuf,
    /// What was played for
    #[arg(long, value_enum, default_value_t)]
    objective: Goal,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

pub const EXAMPLES: &str = "\
The fight is one JSON object: what was known before, the health with which the Cultist appeared, and
for each turn the hand that was drawn and the cards that were played, in order:

  {\"start\": {\"cultist_hp\": \"50..=56\", \"hp\": 68,
             \"deck\": {\"strike\": 5, \"defend\": 4, \"bash\": 1, \"ascenders-bane\": 1}},
   \"cultist_hp\": 53,
   \"turns\": [{\"draw\": {\"strike\": 3, \"defend\": 2}, \"play\": [\"strike\", \"strike\", \"strike\"]}]}

Examples:
  bestplay slay-the-spire replay fight.json
  bestplay slay-the-spire replay fight.json --format json";

/// Reads the fight and prints its steps.
pub fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let right = "see `bestplay slay-the-spire replay --help` for a whole fight";
    let record: Record = read_json(&args.fight, right)?;
    let objective = args.objective.of_the_talk()?;
    let steps = args.engine.run(|options, _| replay(&record, objective, options)).map_err(|error| match error {
        ReplayError::Fight(error) => unsolved(&error),
        ReplayError::Record(error) => {
            let message = format!("{}: {error}", name_of(&args.fight));
            Failure::bad_input(message, "write the fight down as it was played; turns count from 0")
        }
    })?;
    match args.format {
        Format::Text => output::print(&text(&steps, objective, args.engine.exact)),
        Format::Json => output::print_json(&ReplayAnswer::new(&steps, objective)),
    }
}

fn text(steps: &[Step], objective: Objective, exact: bool) -> String {
    let labels: Vec<String> = steps.iter().map(|step| label(&step.event)).collect();
    let width = labels.iter().map(String::len).max().unwrap_or(0);
    let value = match objective {
        Objective::Health => "Expected health",
        Objective::Survival => "Survival",
    };
    let mut out = String::new();
    let _ = writeln!(out, "{:width$}  {value:>15}  {:>10}", "", "Change");
    for ((label, step), by) in labels.iter().zip(steps).zip(changes(steps, objective)) {
        let shown = by.as_ref().map(|by| change(by, objective)).unwrap_or_default();
        let mut line = format!("{label:width$}  {:>15}  {shown:>10}", value_in_words(&step.worth, objective));
        if exact {
            let _ = write!(line, "  {}", fraction_text(step.worth.value(objective)));
        }
        if let (Event::Play { best, .. }, Some(by)) = (&step.event, by)
            && by < Rational::ZERO
        {
            let _ = write!(line, "  best was: {}", describe_play(&best.cards));
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let (luck, mistakes) = luck_and_mistakes(steps, objective);
    let _ = writeln!(out, "\nLuck {}, mistakes {}", change(&luck, objective), change(&mistakes, objective));
    out
}

/// What happened, in words. People count turns from 1.
fn label(event: &Event) -> String {
    match event {
        Event::Start => "Baseline".into(),
        Event::Appears(health) => format!("Cultist has {health} HP"),
        Event::Draw { turn, hand } => format!("Turn {} draw  {hand}", turn + 1),
        Event::Play { turn, cards, .. } => format!("Turn {} play  {}", turn + 1, describe_play(cards)),
    }
}
