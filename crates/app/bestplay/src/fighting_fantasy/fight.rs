//! `fight`: the odds of one fight.

use std::fmt::Write;

use clap::{Args, ValueEnum};
use fighting_fantasy::{
    Analysis, Chance, Decision, Fight, FightAnswer, Moment, Player, RoundOdds, Simulated, SpecialRules, Strategy,
    analyse, lucky_rolls, play, win_with_constant_defensive_luck, win_with_constant_luck, win_without_luck,
};
use mdp::{Number, Rational, SolveOptions, explore, nearest, solve};
use serde::Serialize;

use super::fighters::{FightersArgs, failed};
use super::percent::percent;
use crate::arguments::engine_args::Run;
use crate::export::ExportArgs;
use crate::output::{self, Failure, Format};

pub(super) const EXAMPLES: &str = "\
A Hell Demon, and a White Dragon against whom only luck helps:
  bestplay fighting-fantasy fight --skill 12 --stamina 24 --luck 12 --enemy 14/12
  bestplay fighting-fantasy fight --skill 12 --stamina 24 --luck 12 --enemy 15/22 --format json

Razaak of Crypt of the Sorcerer, who kills by winning two rounds in a row:
  bestplay fighting-fantasy fight --skill 12 --stamina 24 --luck 12 --enemy 12/20 --sudden-death 2

Two Orcs, one after the other or both at once:
  bestplay fighting-fantasy fight --skill 9 --stamina 16 --luck 8 --enemy 5/5 --enemy 6/4
  bestplay fighting-fantasy fight --skill 9 --stamina 16 --luck 8 --enemy 5/5 --enemy 6/4 --together

Win with stamina and luck left for the rest of the book:
  bestplay fighting-fantasy fight --skill 10 --stamina 20 --luck 9 --enemy 9/10 --keep-stamina 10 --keep-luck 6
  bestplay fighting-fantasy fight --skill 10 --stamina 20 --luck 9 --enemy 9/10 --objective stamina

A rule of thumb instead of the best play, and a check by dice:
  bestplay fighting-fantasy fight --skill 10 --stamina 20 --luck 9 --enemy 11/10 --strategy on-win --threshold 6
  bestplay fighting-fantasy fight --skill 10 --stamina 20 --luck 9 --enemy 11/10 --simulate 100000 --seed 1

The model and the play, for other programs to check:
  bestplay fighting-fantasy fight --skill 9 --stamina 16 --luck 8 --enemy 5/5 --export-model orc.drn --export-policy orc.csv
  bestplay mdp solve orc.drn --goal goal --exact

Where choices are equally good, luck is kept, the first enemy is fought and the hero does not run. The value
of the objective does not depend on this rule; how fights end and how long they last can.";

const PLAY: &str = "The play";

/// Arguments of `fight`.
#[derive(Args)]
pub struct FightArgs {
    #[command(flatten)]
    fighters: FightersArgs,
    /// How luck is used: optimal, a strategy by number or name (see `heuristics --help`), or composite
    #[arg(long, value_name = "STRATEGY", default_value = "optimal", value_parser = parse_play, help_heading = PLAY)]
    strategy: Play,
    /// With a strategy: keep luck when there is less than this
    #[arg(
        long,
        value_name = "LUCK",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..),
        requires = "strategy",
        help_heading = PLAY
    )]
    threshold: u32,
    /// Luck never runs down and is used by a fixed rule: a luck score, or a chance such as 7/12
    #[arg(long, value_name = "LUCK", value_parser = parse_constant_luck, help_heading = PLAY, conflicts_with_all = [
        "strategy", "threshold", "simulate", "together", "no_luck", "sudden_death", "instant_death",
        "instant_death_on_loss", "damage", "enemy_damage", "armour", "escape_cost", "objective", "keep_stamina",
        "keep_luck", "amplify", "export_model", "export_policy",
    ])]
    constant_luck: Option<Chance>,
    /// With --constant-luck: the rounds after which luck is tested
    #[arg(long, value_enum, default_value = "offensive", requires = "constant_luck", help_heading = PLAY)]
    constant_luck_use: ConstantLuckUse,
    /// Also simulate the fight this many times
    #[arg(
        long,
        value_name = "FIGHTS",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000_000),
        help_heading = PLAY
    )]
    simulate: Option<u32>,
    /// The seed of the dice: the same seed gives the same fights
    #[arg(long, value_name = "SEED", default_value_t = 0, requires = "simulate", help_heading = PLAY)]
    seed: u64,
    #[command(flatten)]
    export: ExportArgs,
}

/// After which rounds constant luck is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ConstantLuckUse {
    /// After every won round
    Offensive,
    /// After every lost round
    Defensive,
}

/// Who decides about luck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Play {
    Optimal,
    Composite,
    Strategy(Strategy),
}

fn parse_play(text: &str) -> Result<Play, String> {
    match text {
        "optimal" => Ok(Play::Optimal),
        "composite" => Ok(Play::Composite),
        _ => text.parse().map(Play::Strategy).map_err(|error| format!("{error}, optimal, composite")),
    }
}

/// A luck score, or a chance written as a fraction.
fn parse_constant_luck(text: &str) -> Result<Chance, String> {
    if text.contains('/') {
        return text.parse().map_err(|error| format!("{error}"));
    }
    let luck: u32 = text.parse().map_err(|_| "write a luck score such as 9, or a chance such as 7/12".to_string())?;
    Ok(Chance { of_them: lucky_rolls(luck).into(), all: 36 })
}

/// Prints the odds of a fight.
pub fn run(args: &FightArgs) -> Result<(), Failure> {
    args.fighters.encounter.engine.run(|run| fight(args, run))
}

fn fight(args: &FightArgs, run: Run<'_>) -> Result<(), Failure> {
    if let Some(luck) = args.constant_luck {
        return constant_luck(args, luck);
    }
    let fighters = &args.fighters;
    // Checks the numbers first.
    fighters.fight(fighters.encounter.rules(), Player::Free)?;
    let strategy = match args.strategy {
        Play::Optimal => None,
        Play::Strategy(strategy) => Some(strategy),
        Play::Composite => {
            let enemy_stamina = fighters.encounter.enemies.first().map_or(0, |enemy| enemy.stamina);
            Some(Strategy::composite(fighters.skill_difference(), fighters.luck, fighters.stamina, enemy_stamina))
        }
    };
    let threshold = args.threshold;
    let rule = move |moment: Moment| {
        strategy.is_some_and(|strategy| {
            moment.luck >= threshold && strategy.uses_luck(moment.outcome, moment.hero_stamina, moment.enemy_stamina)
        })
    };
    let player = if strategy.is_some() { Player::Rule(&rule) } else { Player::Free };
    let fight = fighters.fight(fighters.encounter.rules(), player)?;
    let without = fighters.fight(SpecialRules { luck_allowed: false, ..fighters.encounter.rules() }, player)?;
    let analysis = analyse(&fight, run.options).map_err(|error| failed(&error))?;
    let without = analyse(&without, run.options).map_err(|error| failed(&error))?.value;
    let simulated = match args.simulate {
        Some(fights) => Some(play(&fight, run.options, fights, args.seed).map_err(|error| failed(&error))?),
        None => None,
    };
    if args.export.is_asked() {
        export(args, &fight, run)?;
    }
    match fighters.encounter.format {
        Format::Text => output::print(&text(args, strategy, &analysis, &without, simulated)),
        Format::Json => output::print_json(&json(args, &analysis, &without, simulated)),
    }
}

/// Exports the fight as solved by the engine: its first start is the fight itself.
fn export(args: &FightArgs, fight: &Fight<'_>, run: Run<'_>) -> Result<(), Failure> {
    let space = explore(fight, run.options).map_err(|error| failed(&error.into()))?;
    let solution = solve(space.model(), &SolveOptions::from(*run.options).with_exact(true));
    let solution = solution.map_err(|error| failed(&error.into()))?;
    args.export.write(fight, &space, &solution, run.budget)
}

/// The answer, and the simulation if there was one.
#[derive(Serialize)]
struct FightJson {
    #[serde(flatten)]
    answer: FightAnswer,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulation: Option<SimulationJson>,
}

#[derive(Serialize)]
struct SimulationJson {
    fights: u64,
    seed: u64,
    mean: f64,
    standard_error: f64,
}

fn json(args: &FightArgs, analysis: &Analysis, without: &Rational, simulated: Option<Simulated>) -> FightJson {
    FightJson {
        answer: FightAnswer::new(&args.fighters.encounter.objective(), analysis, without),
        simulation: simulated.map(|simulated| SimulationJson {
            fights: simulated.fights,
            seed: args.seed,
            mean: simulated.mean,
            standard_error: simulated.standard_error,
        }),
    }
}

fn text(
    args: &FightArgs,
    strategy: Option<Strategy>,
    analysis: &Analysis,
    without: &Rational,
    simulated: Option<Simulated>,
) -> String {
    let fighters = &args.fighters;
    let mut text = format!("{}\n", fighters.show_fighters());
    if let Some(strategy) = strategy {
        let _ = writeln!(text, "Strategy {} ({strategy}) while luck is {} or more", strategy.number(), args.threshold);
    }
    let (value, plain) = (fighters.encounter.show(&analysis.value), fighters.encounter.show(without));
    let _ = writeln!(text, "\n{}: {value}   (without luck {plain})\n", fighters.encounter.objective().name());
    if fighters.encounter.engine.exact {
        let _ = writeln!(text, "exactly: {}\n", analysis.value);
    }
    let first = if fighters.encounter.enemies.len() > 1 { " (against the first enemy)" } else { "" };
    for (round, question) in [("lost", &analysis.on_lost_round), ("won", &analysis.on_won_round)] {
        let _ = write!(text, "If the first round is {round}{first}: {}", advice(question.decision));
        if let (Some(keep), Some(use_luck)) = (&question.keep, &question.use_luck)
            && question.decision != Decision::Either
        {
            let _ = write!(
                text,
                "   ({} with luck, {} without)",
                fighters.encounter.show(use_luck),
                fighters.encounter.show(keep)
            );
        }
        text.push('\n');
    }
    if !analysis.opening.is_empty() {
        text.push_str("\nBefore the first round (* = best):\n");
        for opening in &analysis.opening {
            let star = if opening.best { "*" } else { " " };
            let _ = writeln!(text, "{star} {:<28}{:>16}", opening.name, fighters.encounter.show(&opening.value));
        }
    }
    text.push('\n');
    let ends = &analysis.ends;
    for (name, chance) in [
        ("wins", &ends.won),
        ("escapes", &ends.escaped),
        ("dies of wounds", &ends.no_stamina),
        ("dies of rounds lost in a row", &ends.sudden_death),
        ("dies at once", &ends.instant_death),
    ] {
        if *chance > Rational::ZERO {
            let _ = writeln!(text, "{name:<30}{:>16}", percent(nearest(chance)));
        }
    }
    let _ = writeln!(
        text,
        "{:<30}{:>14.3}     (0 after a defeat)\n{:<30}{:>14.3}\n{:<30}{:>14.3}     (drawn rounds not counted)",
        "expected stamina left",
        nearest(&analysis.expected_stamina_left),
        "expected luck left",
        nearest(&analysis.expected_luck_left),
        "expected rounds",
        analysis.mean_rounds()
    );
    if let Some(simulated) = simulated {
        let _ = writeln!(
            text,
            "\n{} fights with dice (seed {}): {:.6} ± {:.6}; exactly {:.6}",
            simulated.fights,
            args.seed,
            simulated.mean,
            simulated.standard_error,
            nearest(&analysis.value)
        );
    }
    text
}

fn advice(decision: Decision) -> &'static str {
    match decision {
        Decision::UseLuck => "use luck",
        Decision::Keep => "keep your luck",
        Decision::Either => "luck makes no difference",
    }
}

#[derive(Serialize)]
struct ConstantLuckJson {
    format: u32,
    win: Number,
    win_without_luck: Number,
    on_lost_round: &'static str,
    on_won_round: &'static str,
    luck_succeeds: Number,
    /// By the enemy's stamina before the last blow: 1, 2, 3, 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_enemy_stamina_before_last_blow: Option<Vec<Number>>,
}

/// Luck that never runs down: the paper's closed form.
fn constant_luck(args: &FightArgs, luck: Chance) -> Result<(), Failure> {
    let fighters = &args.fighters;
    // Checks the numbers.
    fighters.fight(fighters.encounter.rules(), Player::Free)?;
    let [enemy] = fighters.encounter.enemies[..] else {
        return Err(Failure::bad_input("constant luck has a formula for one enemy only", "name one --enemy"));
    };
    let chance = luck.exact();
    let win = RoundOdds::new(fighters.skill_difference()).decisive_win();
    let offensive = args.constant_luck_use == ConstantLuckUse::Offensive;
    let (value, split) = if offensive {
        let split = win_with_constant_luck(&win, &chance, fighters.stamina, enemy.stamina);
        (split.iter().fold(Rational::ZERO, |sum, part| sum + part), Some(split))
    } else {
        (win_with_constant_defensive_luck(&win, &chance, fighters.stamina, enemy.stamina), None)
    };
    let without = win_without_luck(&win, fighters.stamina, enemy.stamina);
    if fighters.encounter.format == Format::Json {
        return output::print_json(&ConstantLuckJson {
            format: 1,
            win: (&value).into(),
            win_without_luck: (&without).into(),
            on_lost_round: if offensive { "keep" } else { "use-luck" },
            on_won_round: if offensive { "use-luck" } else { "keep" },
            luck_succeeds: (&chance).into(),
            by_enemy_stamina_before_last_blow: split.map(|split| split.iter().map(Number::from).collect()),
        });
    }
    let mut text = format!(
        "Skill {}, stamina {} against skill {}, stamina {}\n\
         Luck never runs down, succeeds with {} and is tested after every {} round\n\n\
         chance to win: {}   (without luck {})\n",
        fighters.skill,
        fighters.stamina,
        enemy.skill,
        enemy.stamina,
        percent(nearest(&chance)),
        if offensive { "won" } else { "lost" },
        percent(nearest(&value)),
        percent(nearest(&without))
    );
    if fighters.encounter.engine.exact {
        let _ = writeln!(text, "exactly: {value}");
    }
    if let Some(split) = split {
        text.push_str("\nby the enemy's stamina before the last blow\n");
        for (stamina, part) in (1..).zip(&split) {
            let _ = writeln!(text, "{stamina:>6}   {:>16}", percent(nearest(part)));
        }
    }
    output::print(&text)
}
