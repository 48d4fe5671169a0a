//! `bestplay slay-the-spire solve`.

use std::fmt::Write;

use mdp::{Rational, fraction_text, nearest};
use slay_the_spire::{Odds, OddsAnswer, Pile, Plays, Setup, SolvedFight};

use super::goal::unsolved;
use super::solve_act1;
use super::solve_args::{By, SolveArgs};
use crate::bar::bar;
use crate::numbers::percent;
use crate::output::{self, Failure, Format};

/// Solves the fight and prints the answer.
pub fn run(args: &SolveArgs) -> Result<(), Failure> {
    if !args.enemy.is_empty() || args.fight.encounters.is_some() {
        return solve_act1::run(args);
    }
    let setup = setup(args)?;
    let objective = args.objective.of_the_talk()?;
    let plays = if args.save.is_some() { Plays::All } else { Plays::Promising };
    let odds = args.engine.run(|run| -> Result<Odds, Failure> {
        let solved = SolvedFight::new(&setup, objective, plays, run.options).map_err(|error| unsolved(&error))?;
        let odds = solved.odds(Some(run.budget)).map_err(|error| unsolved(&error))?;
        args.export.write(solved.game(), solved.space(), solved.solution(), run.budget)?;
        if let Some(path) = &args.save {
            output::write_binary(path, |file| Ok(solved.save(file, Some(run.budget))?))?;
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
