//! The rules of thumb in one fight.

use std::fmt::Write;

use budget::Budget;
use fighting_fantasy::{Extent, Fighters, HeuristicMap, LuckMap, Score, Strategy, win_with_strategy};
use mdp::Number;
use serde::Serialize;

use super::args::HeuristicsArgs;
use crate::fighting_fantasy::maps::{MapFormat, signed};
use crate::fighting_fantasy::percent::percent;
use crate::output::{self, Failure};

#[derive(Serialize)]
struct FightJson {
    format: u32,
    skill_difference: i32,
    luck: u32,
    stamina: u32,
    enemy_stamina: u32,
    best_play: Number,
    strategies: Vec<StrategyJson>,
    composite: usize,
}

#[derive(Serialize)]
struct StrategyJson {
    number: usize,
    name: &'static str,
    /// With the best threshold.
    win: Number,
    loss: Number,
    best_thresholds: Vec<u32>,
    /// For threshold 1, 2, ... up to the current luck.
    by_threshold: Vec<Number>,
}

pub(super) fn run(args: &HeuristicsArgs, fighters: Fighters, budget: &Budget<'_>) -> Result<(), Failure> {
    let Fighters { skill_difference, luck, hero_stamina, enemy_stamina } = fighters;
    let amplify = args.amplify.into();
    let max_stamina = hero_stamina.max(enemy_stamina);
    let extent = Extent { skill_difference, max_luck: luck, max_stamina, amplify };
    let best_play = LuckMap::new(extent, budget)?;
    let best_play = best_play.win_exact(luck, hero_stamina, enemy_stamina);
    let scores = HeuristicMap::new(extent, budget)?;
    let scores = scores.scores(luck, hero_stamina, enemy_stamina);
    let mut strategies = Vec::new();
    for strategy in Strategy::ALL {
        let score = scores.strategies[strategy.number()];
        let win = |threshold| win_with_strategy(fighters, amplify, strategy, threshold, budget);
        // A threshold above the current luck means never using it.
        let best = win(score.best_thresholds().next().unwrap_or(luck + 1))?;
        let thresholds = if strategy == Strategy::Never { 1..1 } else { 1..luck + 1 };
        strategies.push(StrategyJson {
            number: strategy.number(),
            name: strategy.name(),
            loss: (&(&best_play - &best)).into(),
            win: (&best).into(),
            best_thresholds: score.best_thresholds().collect(),
            by_threshold: thresholds.map(|t| Ok((&win(t)?).into())).collect::<Result<_, Failure>>()?,
        });
    }
    let composite = Strategy::composite(skill_difference, luck, hero_stamina, enemy_stamina).number();
    match args.format {
        MapFormat::Json => output::print_json(&FightJson {
            format: 1,
            skill_difference,
            luck,
            stamina: hero_stamina,
            enemy_stamina,
            best_play: (&best_play).into(),
            strategies,
            composite,
        }),
        MapFormat::Text => {
            let mut text = format!(
                "Skill difference {}, luck {luck}, stamina {hero_stamina} against {enemy_stamina}\n\n\
                 best play                         {:>16}\n\n\
                 strategy                             chance to win            loss   use while luck is at least\n",
                signed(skill_difference),
                percent(scores.best_play)
            );
            for (strategy, score) in strategies.iter().zip(&scores.strategies) {
                let _ = writeln!(
                    text,
                    "{} {:<30}  {:>16}{:>16}   {}",
                    strategy.number,
                    strategy.name,
                    percent(score.win),
                    percent(score.loss),
                    thresholds_text(*score, luck, strategy.number)
                );
            }
            let _ = writeln!(text, "\nThe composite advice picks strategy {composite} here.");
            output::print(&text)
        }
        MapFormat::Csv => {
            let mut csv = String::from("strategy,name,threshold,win,loss\n");
            for strategy in &strategies {
                for (threshold, win) in (1..).zip(&strategy.by_threshold) {
                    let loss = scores.best_play - win.decimal;
                    let _ = writeln!(
                        csv,
                        "{},{},{threshold},{:.16e},{loss:.6e}",
                        strategy.number, strategy.name, win.decimal
                    );
                }
                if strategy.number == 0 {
                    let _ = writeln!(csv, "0,never,,{:.16e},{:.6e}", strategy.win.decimal, strategy.loss.decimal);
                }
            }
            output::print(&csv)
        }
        MapFormat::Svg => Err(Failure::bad_input(
            "one fight has no drawing",
            "leave --stamina and --enemy-stamina away for a map, or write another --format",
        )),
    }
}

/// The best thresholds, formatted.
fn thresholds_text(score: Score, luck: u32, number: usize) -> String {
    let thresholds: Vec<u32> = score.best_thresholds().collect();
    if number == 0 {
        return String::new();
    }
    match (thresholds.first(), thresholds.last()) {
        (Some(1), Some(last)) if *last == luck && thresholds.len() == luck as usize => "any".into(),
        (Some(first), Some(last)) if first != last && (last - first) as usize + 1 == thresholds.len() => {
            format!("{first} to {last}")
        }
        (Some(_), _) => thresholds.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
        _ => "never: it only does harm".into(),
    }
}
