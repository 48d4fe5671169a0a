//! `bestplay slay-the-spire solve`.

use std::fmt::Write;

use mdp::{Dice, Distribution, Rational, fraction_text, nearest};
use slay_the_spire::{
    Encounters, Exactness, FightAnswer, FightError, FightOptions, FightRequest, Foe, Goal, Hero, Objective, Solved,
    Worth, fight_model, play_out, solve_each_health_of_the_enemy, solve_or_simulate, unknown_fights,
};

use super::fights::{amount_text, bad_request, interval_text, not_modelled};
use super::simulated;
use super::solve_args::{By, SolveArgs};
use crate::arguments::engine_args::Run;
use crate::bar::bar;
use crate::ending::PrintIfEnded;
use crate::numbers::{percent, percent_near};
use crate::output::{self, Failure, Format};

/// Solves the fight and prints the answer.
pub fn run(args: &SolveArgs) -> Result<(), Failure> {
    let asked = Fight::asked(args)?;
    let style = Style { format: args.format, goal: args.goal.objective, fraction: args.engine.exact, by: args.by };
    let knowing = {
        let (fight, style) = (asked.clone(), style.clone());
        PrintIfEnded::new(move |stopped| {
            let known = unknown_fights(&fight.hero, &fight.encounters, &fight.healths, fight.objective, stopped);
            style.print(&Answer::of(&fight, known.map_err(not_modelled)?))
        })
    };
    let mut answer = args.engine.run(|run| asked.solve(args, run))?;
    drop(knowing);
    let log = match args.seed.filter(|_| answer.solved.stopped.is_none()) {
        Some(seed) => {
            let (known, style) = (answer.clone(), style.clone());
            let _printing = PrintIfEnded::new(move |_| style.print(&known));
            args.engine.run(|run| asked.log(seed, run))
        }
        None => Ok(Vec::new()),
    };
    let unlogged = log.map(|log| answer.log = log);
    style.print(&answer)?;
    // The bounds found so far were printed; stopping early is still a failure.
    answer.solved.stopped.map_or(unlogged, |stopped| Err(stopped.into()))
}

/// The fight in question.
#[derive(Clone)]
struct Fight {
    /// The heading, for the fight that the arguments do not name.
    title: Option<String>,
    hero: Hero,
    encounters: Encounters,
    objective: Objective,
    /// The initial health values; others are listed besides.
    healths: Vec<i16>,
    exact: Exactness,
}

impl Fight {
    fn asked(args: &SolveArgs) -> Result<Self, Failure> {
        let names_enemies = !args.enemy.is_empty() || args.fight.encounters.is_some();
        let base = if names_enemies { FightRequest::default() } else { FightRequest::of_the_talk() };
        let request = args.request(base);
        let (hero, encounters) = (request.hero().map_err(bad_request)?, args.fight.encounters(&request)?);
        if args.seed.is_some() && encounters.len() != 1 {
            return Err(Failure::bad_input("--seed plays against one group of enemies", "name them: --enemy jaw-worm"));
        }
        if args.export.is_asked() && encounters.len() != 1 {
            return Err(Failure::bad_input("one group of enemies is a model", "name them: --enemy jaw-worm"));
        }
        if args.by == Some(By::EnemyHp) && !matches!(&encounters[..], [(_, foes)] if foes.len() == 1) {
            return Err(Failure::bad_input("--by enemy-hp is for one enemy", "name one: --enemy jaw-worm"));
        }
        if request.hp.is_some_and(|hp| hp > hero.max_health) {
            let right = format!("at most --max-hp, which is {} here", hero.max_health);
            return Err(Failure::bad_input("--hp is more than the Ironclad can have", right));
        }
        let objective = request.objective().map_err(bad_request)?;
        let others = (1..=hero.max_health).rev().filter(|_| args.by == Some(By::Health));
        let health = request.hp.unwrap_or(hero.max_health);
        let exact = match (names_enemies, args.engine.exact) {
            // It is a small fight.
            (false, _) => Exactness::Everything,
            (true, true) => Exactness::Value,
            (true, false) => Exactness::Bounds,
        };
        let title = (!names_enemies).then(|| title(&request, health));
        let healths = [health].into_iter().chain(others).collect();
        Ok(Self { title, hero, encounters, objective, healths, exact })
    }

    fn solve(&self, args: &SolveArgs, run: Run<'_>) -> Result<Answer, Failure> {
        let Self { hero, encounters, objective, healths, .. } = self;
        let asked = FightOptions { exact: self.exact, ends: true };
        let simulating = args.simulated.simulating();
        let solved = solve_or_simulate((hero, encounters), healths, *objective, asked, simulating, run.budget);
        let solved = solved.map_err(not_modelled)?;
        let mut answer = Answer::of(self, solved);
        if args.by == Some(By::EnemyHp) {
            let asked = FightOptions { ends: false, ..asked };
            answer.each = solve_each_health_of_the_enemy(hero, encounters, healths[0], *objective, asked, run.budget)
                .map_err(not_modelled)?;
            answer.solved.stopped = answer.solved.stopped.or(answer.each.iter().find_map(|(_, solved)| solved.stopped));
        }
        if args.export.is_asked() {
            let model = fight_model(hero, &encounters[0].1, healths[0], *objective, run.budget).map_err(unfinished)?;
            let model = model.ok_or_else(|| {
                Failure::failed("this fight is no model with numbers that fit", "ask for health or survival")
            })?;
            args.export.write_solution(
                &model.solution,
                &Distribution::certain(model.start),
                |_, _| None,
                run.budget,
            )?;
        }
        Ok(answer)
    }

    /// One simulated fight, line by line.
    fn log(&self, seed: u64, run: Run<'_>) -> Result<Vec<String>, Failure> {
        let (dice, foes): (_, &[Foe]) = (&mut Dice::new(seed, 0), &self.encounters[0].1);
        play_out(&self.hero, foes, self.healths[0], self.objective, dice, run.budget).map_err(unfinished)
    }
}

fn unfinished(error: FightError) -> Failure {
    match error {
        FightError::Rules(error) => not_modelled(error),
        FightError::Stopped(stopped) => stopped.into(),
    }
}

/// The heading for the fight of the talk, or one like it.
fn title(request: &FightRequest, health: i16) -> String {
    let FightRequest { enemy_hp, deck, .. } = request;
    let deck = deck.as_deref().filter(|deck| !deck.is_empty()).unwrap_or("no cards");
    let enemy_hp = enemy_hp.as_deref().unwrap_or("his own");
    format!("The Ironclad with {health} health against a Cultist with {enemy_hp}\nDeck: {deck}\n\n")
}

/// The answer to print.
#[derive(Clone)]
struct Answer {
    title: Option<String>,
    solved: Solved,
    /// For each health that the enemy can have.
    each: Vec<(u16, Solved)>,
    log: Vec<String>,
}

impl Answer {
    fn of(fight: &Fight, solved: Solved) -> Self {
        Self { title: fight.title.clone(), solved, each: Vec::new(), log: Vec::new() }
    }
}

/// How an answer is printed.
#[derive(Clone)]
struct Style {
    format: Format,
    goal: Goal,
    /// Whether fractions are printed beside decimals.
    fraction: bool,
    by: Option<By>,
}

impl Style {
    fn print(&self, answer: &Answer) -> Result<(), Failure> {
        if self.format == Format::Text {
            return output::print(&self.text(answer));
        }
        let fight = FightAnswer::new(&answer.solved).with_log(answer.log.clone());
        output::print_json(&match self.by {
            None => fight,
            Some(By::Health) => fight.by_health(&answer.solved),
            Some(By::EnemyHp) => fight.by_enemy_health(&answer.each),
        })
    }

    fn text(&self, answer: &Answer) -> String {
        let mut out = answer.title.clone().unwrap_or_default();
        let worth = &answer.solved.worths[0];
        let name = match self.goal {
            Goal::Loss => "Expected loss".to_string(),
            Goal::Turns => "Turns".into(),
            Goal::AtLeast(least) => format!("At least {least}"),
            _ => "Value".into(),
        };
        if worth.exact_ends.is_none() || !matches!(worth.objective, Objective::Health | Objective::Survival) {
            let _ = writeln!(out, "{name:<15}  {}{}", amount_text(&worth.amount()), self.exactly(worth.exact.as_ref()));
        }
        if let Some(simulated) = &worth.simulated {
            let _ = writeln!(out, "Simulated        {}", simulated::text(simulated));
        }
        if worth.expected_health.is_some() {
            let _ = writeln!(out, "Expected health  {}", self.health(worth));
            let exact = self.exactly(worth.exact_ends.as_ref().map(|ends| &ends.survival));
            let _ = writeln!(out, "Survival         {}{exact}", survival(worth));
        }
        match self.by {
            None => {}
            Some(By::Health) => {
                let _ = writeln!(out, "\n{:>6}  {:>24}  Survival", "Health", "Value");
                for worth in answer.solved.worths.iter().skip(1) {
                    let value = amount_text(&worth.amount());
                    let _ = writeln!(out, "{:>6}  {value:>24}  {}", worth.health, survival(worth));
                }
            }
            Some(By::EnemyHp) => {
                let _ = writeln!(out, "\n{:>7}  {:>10}  Value", "Enemy", "Survival");
                for (health, solved) in &answer.each {
                    let worth = &solved.worths[0];
                    let value = format!("{}{}", amount_text(&worth.amount()), self.exactly(worth.exact.as_ref()));
                    let _ = writeln!(out, "{health:>7}  {:>10}  {value}", survival(worth));
                }
            }
        }
        self.ends(worth, &mut out);
        if !answer.log.is_empty() {
            let _ = writeln!(out, "\nA fight\n{}", answer.log.join("\n"));
        }
        out
    }

    fn exactly(&self, exact: Option<&Rational>) -> String {
        exact.filter(|_| self.fraction).map_or_else(String::new, |exact| format!("  {}", fraction_text(exact)))
    }

    fn health(&self, worth: &Worth) -> String {
        match (&worth.exact_ends, worth.expected_health) {
            (Some(ends), _) => {
                format!("{}{}", nearest(&ends.expected_health), self.exactly(Some(&ends.expected_health)))
            }
            (None, health) => health.map(interval_text).unwrap_or_default(),
        }
    }

    /// The possible ends of the fight.
    fn ends(&self, worth: &Worth, out: &mut String) {
        // The health, the least and the greatest probability, and the exact one.
        let ends: Vec<(i16, (f64, f64), Option<&Rational>)> = match &worth.exact_ends {
            Some(ends) => {
                let known = |own| (nearest(own), nearest(own));
                ends.final_health.iter().map(|(health, own)| (*health, known(own), Some(own))).collect()
            }
            None => worth.final_health.iter().map(|(health, own)| (*health, (own.lower, own.upper), None)).collect(),
        };
        if !ends.is_empty() {
            out.push_str("\nFinal health\n");
        }
        let share = |tenths: u8| {
            worth.health_in(f64::from(tenths) / 10.0).map(|health| format!("{health} or more in {tenths} of 10 fights"))
        };
        let shares: Vec<String> = [9, 5, 1].into_iter().filter_map(share).collect();
        if !shares.is_empty() {
            let _ = writeln!(out, "  {}", shares.join(", "));
        }
        let most = ends.iter().map(|(_, (_, greatest), _)| *greatest).fold(f64::MIN_POSITIVE, f64::max);
        for (health, (least, greatest), exact) in ends {
            let health = if health == 0 { "dead".into() } else { health.to_string() };
            let percent = match exact {
                Some(exact) => percent(exact),
                None if greatest - least < KNOWN_WITHIN => percent_near(f64::midpoint(least, greatest)),
                None => format!("{} to {}", percent_near(least).trim_end_matches(" %"), percent_near(greatest)),
            };
            let line = format!("{health:>6}  {percent:>10}  {}{}", bar(40.0 * least / most), self.exactly(exact));
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
}

/// A probability is shown as one number if its bounds are closer than this.
const KNOWN_WITHIN: f64 = 1e-5;

/// The probability of surviving: as a percentage if it is known exactly.
fn survival(worth: &Worth) -> String {
    worth.exact_ends.as_ref().map_or_else(|| interval_text(worth.survival), |ends| percent(&ends.survival))
}
