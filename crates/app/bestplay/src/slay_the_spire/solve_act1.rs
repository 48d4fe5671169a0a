//! `bestplay slay-the-spire solve --enemy`: fights of Act 1.

use std::fmt::Write;

use mdp::{Dice, fraction_text};
use slay_the_spire::act1::{
    Asked, FightAnswer, Foe, Hero, LogError, Objective, Solved, play_out, solve_several, unknown_fights,
};

use super::fights::{not_modelled, told};
use super::goal::Goal;
use super::solve_args::{By, SolveArgs};
use crate::bar::bar;
use crate::ending::Knowing;
use crate::numbers::percent_near;
use crate::output::{self, Failure, Format};

/// Solves a fight of Act 1 and prints the answer.
pub(super) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let hero = args.fight.hero(args.deck.as_deref())?;
    let encounters = args.fight.encounters(&args.enemy)?;
    let objective = args.fight.objective(args.objective)?;
    if args.save.is_some() || args.export.is_asked() || matches!(args.by, Some(By::CultistHp)) {
        let message = "--save, --export-... and --by cultist-hp are for the Cultist's fight without --enemy";
        return Err(Failure::bad_input(message, "ask without them; --by health shows every health at the start"));
    }
    if args.seed.is_some() && encounters.len() != 1 {
        return Err(Failure::bad_input("--seed plays against one group of enemies", "name them: --enemy jaw-worm"));
    }
    let health = args.hp.map_or(Ok(hero.max_health), i16::try_from).ok().filter(|hp| *hp <= hero.max_health);
    let Some(health) = health else {
        let right = format!("at most --max-hp, which is {} here", hero.max_health);
        return Err(Failure::bad_input("--hp is more than the Ironclad can have", right));
    };
    let by_health = args.by.is_some();
    let mut healths = vec![health];
    if by_health {
        healths.extend((1..=hero.max_health).rev());
    }
    let asked = Asked { exact: args.engine.exact, ends: true };
    let told = Told { format: args.format, goal: args.objective, by_health };
    let knowing = {
        let asked = (hero.clone(), encounters.clone(), healths.clone());
        Knowing::that(move |stopped| {
            let known = unknown_fights(&asked.0, &asked.1, &asked.2, objective, stopped);
            told.print(&known.map_err(not_modelled)?, Vec::new())
        })
    };
    let solved = args.engine.run(|run| solve_several(&hero, &encounters, &healths, objective, asked, run.budget));
    let solved = solved.map_err(not_modelled)?;
    drop(knowing);
    let log = match args.seed.filter(|_| solved.stopped.is_none()) {
        Some(seed) => {
            let known = solved.clone();
            let _knowing = Knowing::that(move |_| told.print(&known, Vec::new()));
            log(args, &hero, &encounters[0].1, health, objective, seed)
        }
        None => Ok(Vec::new()),
    };
    let (log, unlogged) = match log {
        Ok(log) => (log, Ok(())),
        Err(failure) => (Vec::new(), Err(failure)),
    };
    told.print(&solved, log)?;
    // The bounds found so far were shown; that there are better ones is still a failure.
    solved.stopped.map_or(unlogged, |stopped| Err(stopped.into()))
}

/// How an answer is told.
#[derive(Clone, Copy)]
struct Told {
    format: Format,
    goal: Goal,
    by_health: bool,
}

impl Told {
    fn print(self, solved: &Solved, log: Vec<String>) -> Result<(), Failure> {
        match self.format {
            Format::Text => output::print(&text(self, solved, &log)),
            Format::Json => output::print_json(&FightAnswer::new(solved, self.by_health, log)),
        }
    }
}

fn text(how: Told, solved: &Solved, log: &[String]) -> String {
    let mut out = String::new();
    let worth = &solved.worths[0];
    let name = match how.goal {
        Goal::Loss => "Expected loss",
        _ => "Value",
    };
    let exact = worth.exact.as_ref().map_or_else(String::new, |exact| format!("  {}", fraction_text(exact)));
    let _ = writeln!(out, "{name:<15}  {}{exact}", told(worth.value));
    if let Some(health) = worth.expected_health {
        let _ = writeln!(out, "Expected health  {}", told(health));
        let _ = writeln!(out, "Survival         {}", told(worth.survival));
    }
    if how.by_health {
        let _ = writeln!(out, "\n{:>6}  {:>24}  Survival", "Health", "Value");
        for worth in solved.worths.iter().skip(1) {
            let _ = writeln!(out, "{:>6}  {:>24}  {}", worth.health, told(worth.value), told(worth.survival));
        }
    }
    if !worth.final_health.is_empty() {
        let _ = writeln!(out, "\nFinal health");
    }
    let most = worth.final_health.iter().map(|(_, chance)| chance.middle()).fold(0.0, f64::max);
    for (health, chance) in &worth.final_health {
        let health = if *health == 0 { "dead".into() } else { health.to_string() };
        let line =
            format!("{health:>6}  {:>10}  {}", percent_near(chance.middle()), bar(40.0 * chance.middle() / most));
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if !log.is_empty() {
        let _ = writeln!(out, "\nA fight\n{}", log.join("\n"));
    }
    out
}

/// One fight with dice, line by line.
fn log(
    args: &SolveArgs,
    hero: &Hero,
    foes: &[Foe],
    health: i16,
    objective: Objective,
    seed: u64,
) -> Result<Vec<String>, Failure> {
    let dice = &mut Dice::new(seed, 0);
    args.engine.run(|run| play_out(hero, foes, health, objective, dice, run.budget)).map_err(|error| match error {
        LogError::Rules(error) => not_modelled(error),
        LogError::Stopped(stopped) => stopped.into(),
    })
}
