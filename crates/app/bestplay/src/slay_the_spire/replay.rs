//! `bestplay slay-the-spire replay`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use mdp::{Rational, fraction_text};
use slay_the_spire::act1::{FightRecord, FightReplay, FightReplayAnswer, replay_fight};
use slay_the_spire::{
    Event, Objective, Record, ReplayAnswer, ReplayError, Step, changes, describe_play, luck_and_mistakes, replay,
};

use super::fights::told;
use super::goal::{Goal, change, unsolved, value_in_words};
use super::input::parse_json;
use crate::engine_args::EngineArgs;
use crate::output::{self, Failure, Format};

/// Arguments of `replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// The fight, a JSON file; - for standard input
    #[arg(value_name = "FILE")]
    fight: PathBuf,
    /// What was played for [default: health, or what the file says]
    #[arg(long, value_enum)]
    objective: Option<Goal>,
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

A fight of Act 1 has the fight as it was known before, and what came and what was done, one after another:

  {\"fight\": {\"enemies\": [\"jaw-worm\"], \"enemy_hp\": \"42\", \"hp\": 60},
   \"steps\": [\"3 strike, 2 defend\", {\"play\": \"strike\"}, \"defend\", \"end the turn\"]}

Examples:
  bestplay slay-the-spire replay fight.json
  bestplay slay-the-spire replay fight.json --format json";

/// Reads the fight and prints its steps.
pub fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let right = "see `bestplay slay-the-spire replay --help` for a whole fight";
    let contents = output::read_text(&args.fight)?;
    if is_of_act_1(&contents) {
        return run_fight(args, parse_json(&args.fight, &contents, "docs/slay-the-spire-act-1.md has a whole fight")?);
    }
    let record: Record = parse_json(&args.fight, &contents, right)?;
    let objective = args.objective.unwrap_or_default().of_the_talk()?;
    let steps = args.engine.run(|run| replay(&record, objective, run.options)).map_err(|error| match error {
        ReplayError::Fight(error) => unsolved(&error),
        ReplayError::Record(error) => {
            let message = format!("{}: {error}", output::name_of(&args.fight));
            Failure::bad_input(message, "write the fight down as it was played; turns count from 0")
        }
    })?;
    match args.format {
        Format::Text => output::print(&text(&steps, objective, args.engine.exact)),
        Format::Json => output::print_json(&ReplayAnswer::new(&steps, objective)),
    }
}

/// Whether a file tells of a fight of Act 1. What is no JSON is told by who reads it.
fn is_of_act_1(text: &str) -> bool {
    let value: Result<serde_json::Value, _> = serde_json::from_str(text);
    value.is_ok_and(|value| value.get("fight").is_some())
}

/// Goes through a fight of Act 1 again and prints its steps.
fn run_fight(args: &ReplayArgs, mut record: FightRecord) -> Result<(), Failure> {
    if let Some(goal) = args.objective {
        record.fight.objective = goal.said();
    }
    let replayed = args.engine.run(|run| replay_fight(&record, run.budget)).map_err(|error| {
        let message = format!("{}: {error}", output::name_of(&args.fight));
        Failure::bad_input(message, "write the fight down as it was played; docs/slay-the-spire-act-1.md has one")
    })?;
    match args.format {
        Format::Text => output::print(&fight_text(&replayed))?,
        Format::Json => output::print_json(&FightReplayAnswer::new(&replayed))?,
    }
    replayed.stopped.map_or(Ok(()), |stopped| Err(stopped.into()))
}

fn fight_text(replayed: &FightReplay) -> String {
    let mut out = format!("{:>24}  {:>24}  What happened\n", "Value", "Change");
    for (((step, _), worth), change) in replayed.steps.iter().zip(&replayed.worths).zip(replayed.changes()) {
        let change = change.map(told).unwrap_or_default();
        let _ = writeln!(out, "{:>24}  {change:>24}  {step}", told(*worth));
    }
    let (luck, mistakes) = replayed.luck_and_mistakes();
    let _ = writeln!(out, "\nLuck {}, mistakes {}", told(luck), told(mistakes));
    out
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
