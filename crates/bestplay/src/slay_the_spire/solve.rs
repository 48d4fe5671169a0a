//! `bestplay slay-the-spire solve`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mdp::{Rational, fraction_text, nearest};
use slay_the_spire::act1::FightSaid;
use slay_the_spire::{HIGHEST_HEALTH, HealthRange, Odds, OddsAnswer, Pile, Plays, Setup, SolvedFight};

use super::fights::FightArgs;
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
    #[arg(long, value_name = "HP", default_value_t = Setup::default().cultist_hp, conflicts_with = "enemy")]
    pub(super) cultist_hp: HealthRange,
    /// Fight these enemies of Act 1 instead: kinds separated by commas, or an encounter (small-slimes) or a pool
    /// (weak-pool, strong-pool, elites)
    #[arg(long, value_name = "ENEMIES", value_delimiter = ',', help_heading = "Fights of Act 1")]
    pub(super) enemy: Vec<String>,
    #[command(flatten)]
    pub(super) fight: FightArgs,
    /// The Ironclad's health [default: 68; with --enemy as --max-hp]
    #[arg(long, value_name = "HP", value_parser = clap::value_parser!(u16).range(1..=i64::from(HIGHEST_HEALTH)))]
    pub(super) hp: Option<u16>,
    /// The deck: cards with their counts, such as bash=1,strike+=2 [default: the Ironclad's starting deck, with
    /// Ascender's Bane]
    #[arg(long, value_name = "CARDS", value_parser = deck_text)]
    pub(super) deck: Option<String>,
    /// What to play for
    #[arg(long, value_enum, default_value_t)]
    pub(super) objective: Goal,
    /// Also show what the fight is worth against each of the Cultist's healths, or with each health of one's own
    #[arg(long, value_enum)]
    pub(super) by: Option<By>,
    /// Also play one fight by best play, with dice that this number determines, and tell it
    #[arg(long, value_name = "NUMBER", help_heading = "Fights of Act 1")]
    pub(super) seed: Option<u64>,
    /// Write the solution to a file, for `advise --solution`
    #[arg(long, value_name = "FILE")]
    pub(super) save: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) export: ExportArgs,
    #[command(flatten)]
    pub(super) engine: EngineArgs,
}

/// What an answer is split by.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum By {
    /// The Cultist's health
    CultistHp,
    /// The Ironclad's health at the start, from 1 to --max-hp; with --enemy
    Health,
}

/// A deck of either kind of fight.
fn deck_text(text: &str) -> Result<String, String> {
    let is_of_act_1 = || FightSaid { deck: Some(text.into()), ..FightSaid::default() }.hero().is_ok();
    match text.parse::<Pile>() {
        Err(error) if !is_of_act_1() => Err(error.to_string()),
        _ => Ok(text.into()),
    }
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay slay-the-spire solve
  bestplay slay-the-spire solve --by cultist-hp
  bestplay slay-the-spire solve --deck strike=5,defend=4,bash+=1 --cultist-hp 53
  bestplay slay-the-spire solve --hp 15 --objective survival --format json
  bestplay slay-the-spire solve --save cultist.solution
  bestplay slay-the-spire solve --enemy jaw-worm --hp 60
  bestplay slay-the-spire solve --enemy red-louse,green-louse --objective loss
  bestplay slay-the-spire solve --enemy gremlin-nob --ascension 18 --relics anchor --potions fear --by health";

/// Solves the fight and prints the answer.
pub fn run(args: &SolveArgs) -> Result<(), Failure> {
    if !args.enemy.is_empty() || args.fight.encounters.is_some() {
        return super::solve_act1::run(args);
    }
    let setup = setup(args)?;
    let objective = args.objective.of_the_talk()?;
    let plays = if args.save.is_some() { Plays::All } else { Plays::Promising };
    let odds = args.engine.run(|options, budget| -> Result<Odds, Failure> {
        let solved = SolvedFight::new(&setup, objective, plays, options).map_err(|error| unsolved(&error))?;
        let odds = solved.odds(Some(budget)).map_err(|error| unsolved(&error))?;
        args.export.write(solved.game(), solved.space(), solved.solution(), budget)?;
        if let Some(path) = &args.save {
            output::write_binary(path, |file| Ok(solved.save(file, Some(budget))?))?;
        }
        Ok(odds)
    })?;
    match args.format {
        Format::Text => output::print(&text(args, &setup, &odds)),
        Format::Json => output::print_json(&OddsAnswer::new(&odds, objective, args.by.is_some())),
    }
}

/// The Cultist's fight that the arguments ask about.
fn setup(args: &SolveArgs) -> Result<Setup, Failure> {
    let right = "name the enemies: --enemy jaw-worm";
    if args.fight.is_asked() || args.seed.is_some() {
        return Err(Failure::bad_input(
            "ascensions, relics, potions, --seed and the like are for fights of Act 1",
            right,
        ));
    }
    if matches!(args.by, Some(By::Health)) {
        return Err(Failure::bad_input("--by health is for fights of Act 1", right));
    }
    let start = Setup::default();
    let deck = match &args.deck {
        Some(text) => text.parse::<Pile>().map_err(|error| Failure::bad_input(error, right))?,
        None => start.deck,
    };
    Ok(Setup { cultist_hp: args.cultist_hp, hp: args.hp.unwrap_or(start.hp), deck })
}

fn text(args: &SolveArgs, setup: &Setup, odds: &Odds) -> String {
    let exactly =
        |value: &Rational| if args.engine.exact { format!("  {}", fraction_text(value)) } else { String::new() };
    let mut out = String::new();
    let _ = writeln!(out, "The Ironclad with {} health against a Cultist with {}", setup.hp, setup.cultist_hp);
    let _ = writeln!(out, "Deck: {}\n", if setup.deck.is_empty() { "no cards".into() } else { setup.deck.to_string() });
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
