//! `bestplay slay-the-spire solve`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mdp::{Rational, SaveError, fraction_text, nearest};
use slay_the_spire::{HIGHEST_HEALTH, HealthRange, Odds, OddsAnswer, Pile, Plays, Setup, SolvedFight};

use super::goal::{Goal, unsolved};
use crate::bar::bar;
use crate::engine_args::EngineArgs;
use crate::export::ExportArgs;
use crate::numbers::percent;
use crate::output::{self, Failure, Format};

/// Arguments of `solve`. The defaults are the fight of the talk.
#[derive(Args)]
pub struct SolveArgs {
    /// The Cultist's health: a number, or a range in which every health is equally likely
    #[arg(long, value_name = "HP", default_value_t = Setup::default().cultist_hp)]
    cultist_hp: HealthRange,
    /// The Ironclad's health
    #[arg(long, value_name = "HP", default_value_t = Setup::default().hp,
        value_parser = clap::value_parser!(u16).range(1..=i64::from(HIGHEST_HEALTH)))]
    hp: u16,
    /// The deck: cards with their counts (bash, strike, defend, ascenders-bane; upgraded bash+,
    /// strike+, defend+)
    #[arg(long, value_name = "CARDS", default_value_t = Setup::default().deck)]
    deck: Pile,
    /// What to play for
    #[arg(long, value_enum, default_value_t)]
    objective: Goal,
    /// Also show what the fight is worth against each of the Cultist's healths
    #[arg(long, value_enum)]
    by: Option<By>,
    /// Write the solution to a file, for `advise --solution`
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    export: ExportArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// What an answer is split by.
#[derive(Clone, Copy, ValueEnum)]
enum By {
    /// The Cultist's health
    CultistHp,
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay slay-the-spire solve
  bestplay slay-the-spire solve --by cultist-hp
  bestplay slay-the-spire solve --deck strike=5,defend=4,bash+=1 --cultist-hp 53
  bestplay slay-the-spire solve --hp 15 --objective survival --format json
  bestplay slay-the-spire solve --save cultist.solution";

/// Solves the fight and prints the answer.
pub fn run(args: &SolveArgs) -> Result<(), Failure> {
    let setup = Setup { cultist_hp: args.cultist_hp, hp: args.hp, deck: args.deck };
    let objective = args.objective.into();
    let plays = if args.save.is_some() { Plays::All } else { Plays::Promising };
    let odds = args.engine.run(|options, budget| -> Result<Odds, Failure> {
        let solved = SolvedFight::new(&setup, objective, plays, options).map_err(|error| unsolved(&error))?;
        let odds = solved.odds(Some(budget)).map_err(|error| unsolved(&error))?;
        args.export.write(solved.game(), solved.space(), solved.solution(), budget)?;
        if let Some(path) = &args.save {
            solved.save(path, Some(budget)).map_err(|error| match error {
                SaveError::Stopped(stopped) => stopped.into(),
                error => output::unwritten(path, &error),
            })?;
        }
        Ok(odds)
    })?;
    match args.format {
        Format::Text => output::print(&text(args, &odds)),
        Format::Json => output::print_json(&OddsAnswer::new(&odds, objective, args.by.is_some())),
    }
}

fn text(args: &SolveArgs, odds: &Odds) -> String {
    let exactly =
        |value: &Rational| if args.engine.exact { format!("  {}", fraction_text(value)) } else { String::new() };
    let mut out = String::new();
    let _ = writeln!(out, "The Ironclad with {} health against a Cultist with {}", args.hp, args.cultist_hp);
    let _ = writeln!(out, "Deck: {}\n", if args.deck.is_empty() { "no cards".into() } else { args.deck.to_string() });
    let worth = &odds.worth;
    let health = nearest(&worth.health);
    let _ = writeln!(out, "Expected health  {health}{}", exactly(&worth.health));
    let _ = writeln!(out, "Survival         {}{}\n", percent(&worth.survival), exactly(&worth.survival));

    if args.by.is_some() {
        let _ = writeln!(out, "{:>7}  {:>10}  Expected health", "Cultist", "Survival");
        for (hp, worth) in &odds.by_cultist_hp {
            let survival = percent(&worth.survival);
            let health = nearest(&worth.health);
            let line = format!("{hp:>7}  {survival:>10}  {health:<18}{}", exactly(&worth.health));
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out.push('\n');
    }

    let _ = writeln!(out, "Final health");
    let most = odds.final_health.iter().map(|(_, probability)| nearest(probability)).fold(0.0, f64::max);
    for (health, probability) in &odds.final_health {
        let health = if *health == 0 { "dead".into() } else { health.to_string() };
        let line = format!(
            "{health:>6}  {:>10}  {}{}",
            percent(probability),
            bar(40.0 * nearest(probability) / most),
            exactly(probability)
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}
