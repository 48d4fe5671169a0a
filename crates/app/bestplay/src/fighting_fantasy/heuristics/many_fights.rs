//! The rules of thumb on a map of fights, or on all of them.

use std::fmt::Write;

use budget::Budget;
use fighting_fantasy::drawing::Maps;
use fighting_fantasy::{Extent, HeuristicMap, Score, Strategy};
use serde::Serialize;

use super::args::HeuristicsArgs;
use crate::fighting_fantasy::maps::{MOST_LUCK, MapFormat, grid, map_titles, paper_extents, signed, staminas};
use crate::fighting_fantasy::percent::percent;
use crate::output::{self, Failure};

/// The totals of a strategy over many situations.
#[derive(Clone, Copy, Default)]
struct Total {
    sum: f64,
    worst: f64,
    best: u32,
}

/// The strategies of [`Strategy::ALL`], then the composite advice.
#[derive(Default)]
struct Totals {
    rows: [Total; 10],
    situations: u32,
}

impl Totals {
    fn add(&mut self, map: &HeuristicMap, luck: u32, side: u32) {
        for hero in 1..=side {
            for enemy in 1..=side {
                self.situations += 1;
                let scores = map.scores(luck, hero, enemy);
                let composite = Strategy::composite(map.skill_difference(), luck, hero, enemy).number();
                for (number, total) in self.rows.iter_mut().enumerate() {
                    let strategy = if number == 9 { composite } else { number };
                    let loss = scores.strategies[strategy].loss;
                    total.sum += loss;
                    total.worst = total.worst.max(loss);
                    total.best += u32::from(scores.winners >> strategy & 1);
                }
            }
        }
    }

    fn names() -> impl Iterator<Item = String> {
        Strategy::ALL
            .into_iter()
            .map(|strategy| format!("{} {strategy}", strategy.number()))
            .chain(["  composite".to_string()])
    }

    fn text(&self) -> String {
        let mut text = format!(
            "Loss against the best play over {} fights, each strategy with its best threshold in each fight\n\n\
             strategy                               mean loss      worst loss   beaten by no other strategy\n",
            self.situations
        );
        for (name, total) in Self::names().zip(&self.rows) {
            let count = f64::from(self.situations);
            let _ = writeln!(
                text,
                "{name:<32}{:>16}{:>16}   {:.1} %",
                percent(total.sum / count),
                percent(total.worst),
                f64::from(total.best) / count * 100.0
            );
        }
        text
    }
}

const LEGEND: [&str; 3] = [
    "1 always; 2 on loss; 3 on win; 4 on loss if hero < 6;",
    "5 on win if enemy > 6; 6 if hero < 6; 7 if hero < 4;",
    "8 if enemy > hero (the first that no other beats)",
];
const HEADER: &str = "skill_difference,luck,stamina,enemy_stamina,best_play,best_strategy,win,loss,threshold";

#[derive(Serialize)]
struct MapJson {
    format: u32,
    skill_difference: i32,
    luck: u32,
    max_stamina: u32,
    states: Vec<StateJson>,
}

#[derive(Serialize)]
struct StateJson {
    stamina: u32,
    enemy_stamina: u32,
    best_play: f64,
    /// The strategies that no other beats.
    best_strategies: Vec<usize>,
    strategies: Vec<ScoreJson>,
}

#[derive(Serialize)]
struct ScoreJson {
    win: f64,
    loss: f64,
    best_thresholds: Vec<u32>,
}

pub(super) fn one_map(args: &HeuristicsArgs, difference: i32, luck: u32, budget: &Budget<'_>) -> Result<(), Failure> {
    let side = args.max_stamina;
    let amplify = args.amplify.into();
    let extent = Extent { skill_difference: difference, max_luck: luck, max_stamina: side, amplify };
    let map = HeuristicMap::new(extent, budget)?;
    let number = |hero, enemy| map.scores(luck, hero, enemy).figure_number();
    match args.format {
        MapFormat::Text => {
            let mut totals = Totals::default();
            totals.add(&map, luck, side);
            let mut text = format!(
                "The best strategy at skill difference {} and luck {luck}, . where none helps\n\n",
                signed(difference)
            );
            grid(&mut text, side, number);
            let _ = write!(text, "\n{}", totals.text());
            output::print(&text)
        }
        MapFormat::Csv => output::print(&csv(&[map], luck, side)),
        MapFormat::Svg => {
            let cell = |_, _, hero, enemy| (map.scores(luck, hero, enemy).best_play, number(hero, enemy));
            let title = format!("Best rule of thumb: skill difference {}, luck {luck}", signed(difference));
            let titles = vec![vec![String::new()]];
            output::print(&Maps { title, legend: &LEGEND, max_stamina: side, titles, cell: &cell }.to_svg())
        }
        MapFormat::Json => {
            let states = staminas(side).map(|(stamina, enemy_stamina)| {
                let scores = map.scores(luck, stamina, enemy_stamina);
                let score = |score: &Score| ScoreJson {
                    win: score.win,
                    loss: score.loss,
                    best_thresholds: score.best_thresholds().collect(),
                };
                StateJson {
                    stamina,
                    enemy_stamina,
                    best_play: scores.best_play,
                    best_strategies: (0..9).filter(|number| scores.winners >> number & 1 == 1).collect(),
                    strategies: scores.strategies.iter().map(score).collect(),
                }
            });
            let states = states.collect();
            output::print_json(&MapJson { format: 1, skill_difference: difference, luck, max_stamina: side, states })
        }
    }
}

fn csv(maps: &[HeuristicMap], least_luck: u32, side: u32) -> String {
    let mut csv = format!("{HEADER}\n");
    for map in maps {
        for luck in least_luck..=map.max_luck() {
            for (hero, enemy) in staminas(side) {
                let scores = map.scores(luck, hero, enemy);
                let best = scores.figure_number();
                let score = scores.strategies[usize::from(best)];
                let threshold = score.best_thresholds().next().map_or_else(String::new, |t| t.to_string());
                let _ = writeln!(
                    csv,
                    "{},{luck},{hero},{enemy},{:.16e},{best},{:.16e},{:.16e},{threshold}",
                    map.skill_difference(),
                    scores.best_play,
                    score.win,
                    score.loss
                );
            }
        }
    }
    csv
}

pub(super) fn all(args: &HeuristicsArgs, budget: &Budget<'_>) -> Result<(), Failure> {
    let side = args.max_stamina;
    let maps = HeuristicMap::several(paper_extents(side, args.amplify.into()), budget)?;
    match args.format {
        MapFormat::Text => {
            let mut totals = Totals::default();
            for map in &maps {
                for luck in 0..=MOST_LUCK {
                    totals.add(map, luck, side);
                }
            }
            output::print(&format!(
                "Skill differences -10 to 10, luck 0 to 12, staminas 1 to {side}\n\n{}",
                totals.text()
            ))
        }
        MapFormat::Csv => output::print(&csv(&maps, 0, side)),
        MapFormat::Svg => output::print(&figure7(&maps, side)),
        MapFormat::Json => Err(Failure::bad_input(
            "all maps are written as text, csv or svg",
            "add --format csv, or name one map with --skill-difference and --luck",
        )),
    }
}

fn figure7(maps: &[HeuristicMap], max_stamina: u32) -> String {
    let cell = |map: usize, luck, hero, enemy| {
        let scores = maps[map].scores(luck, hero, enemy);
        (scores.best_play, scores.figure_number())
    };
    let title = "Best rule of thumb in every fight".into();
    Maps { title, legend: &LEGEND, max_stamina, titles: map_titles(), cell: &cell }.to_svg()
}
