//! `heuristics`: how good the rules of thumb are.

use std::fmt::Write;

use budget::Budget;
use clap::Args;
use fighting_fantasy::drawing::{Maps, histogram_svg};
use fighting_fantasy::{Extent, Fighters, HeuristicMap, LuckMap, Score, Strategy, win_with_strategy};
use mdp::Number;
use serde::Serialize;

use super::maps::{AmplifyArg, MOST_LUCK, MapFormat, grid, map_titles, paper_extents, signed, staminas};
use super::percent::percent;
use crate::engine_args::RunArgs;
use crate::output::{self, Failure};

pub(super) const EXAMPLES: &str = "\
The strategies, by the paper's numbers; the staminas are those before the wound:
  0 never                     3 on-win                    6 either-if-hero-below-6
  1 always                    4 on-loss-if-hero-below-6   7 either-if-hero-below-4
  2 on-loss                   5 on-win-if-enemy-above-6   8 either-if-enemy-above-hero
Each is combined with every threshold: luck below it is kept. `composite` is the paper's advice which of
the strategies 1, 2 and 3 to adopt from how a fight begins.

Examples:
  bestplay fighting-fantasy heuristics --skill-difference -2 --luck 12 --stamina 24 --enemy-stamina 12
  bestplay fighting-fantasy heuristics --skill-difference -2 --luck 12
  bestplay fighting-fantasy heuristics --skill-difference -2 --luck 12 --format svg > figure7.svg
  bestplay fighting-fantasy heuristics --all
  bestplay fighting-fantasy heuristics --all --format csv > heuristics.csv
  bestplay fighting-fantasy heuristics --thresholds --format svg > figure8.svg";

/// Arguments of `heuristics`.
#[derive(Args)]
pub struct HeuristicsArgs {
    /// The hero's skill minus the enemy's
    #[arg(long, value_name = "K", allow_negative_numbers = true, required_unless_present_any = ["all", "thresholds"])]
    skill_difference: Option<i32>,
    /// The hero's luck
    #[arg(long, value_name = "LUCK", required_unless_present_any = ["all", "thresholds"],
          value_parser = clap::value_parser!(u32).range(0..=40))]
    luck: Option<u32>,
    /// Only the fight that begins with this stamina of the hero
    #[arg(long, value_name = "STAMINA", requires = "enemy_stamina", value_parser = clap::value_parser!(u32).range(1..=99))]
    stamina: Option<u32>,
    /// Only the fight that begins with this stamina of the enemy
    #[arg(long, value_name = "STAMINA", requires = "stamina", value_parser = clap::value_parser!(u32).range(1..=99))]
    enemy_stamina: Option<u32>,
    /// All skill differences from -10 to 10 and every luck from 0 to 12
    #[arg(long, conflicts_with_all = ["skill_difference", "luck", "stamina", "thresholds"])]
    all: bool,
    /// How often each threshold is best for the strategies 1 to 3, over the same fights
    #[arg(long, conflicts_with_all = ["skill_difference", "luck", "stamina"])]
    thresholds: bool,
    /// The highest stamina of a map
    #[arg(long, value_name = "STAMINA", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=99))]
    max_stamina: u32,
    /// The stamina that a lucky blow costs the enemy
    #[arg(long, value_enum, default_value = "4")]
    amplify: AmplifyArg,
    /// How the answer is written
    #[arg(long, value_enum, default_value = "text")]
    format: MapFormat,
    #[command(flatten)]
    run: RunArgs,
}

/// Prints how good the strategies are.
pub fn run(args: &HeuristicsArgs) -> Result<(), Failure> {
    args.run.run(|_, budget| heuristics(args, budget))
}

fn heuristics(args: &HeuristicsArgs, budget: &Budget<'_>) -> Result<(), Failure> {
    if args.all {
        return all(args, budget);
    }
    let (Some(skill_difference), Some(luck)) = (args.skill_difference, args.luck) else {
        return thresholds(args, budget);
    };
    if let (Some(hero_stamina), Some(enemy_stamina)) = (args.stamina, args.enemy_stamina) {
        return one_fight(args, Fighters { skill_difference, luck, hero_stamina, enemy_stamina }, budget);
    }
    one_map(args, skill_difference, luck, budget)
}

// One fight.

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
    /// For threshold 1, 2, ... up to the luck at hand.
    by_threshold: Vec<Number>,
}

fn one_fight(args: &HeuristicsArgs, fighters: Fighters, budget: &Budget<'_>) -> Result<(), Failure> {
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
        // A threshold above the luck at hand is never using it.
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

/// The best thresholds as people read them.
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

// One map, or all.

/// How a strategy fares over many situations.
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

fn one_map(args: &HeuristicsArgs, difference: i32, luck: u32, budget: &Budget<'_>) -> Result<(), Failure> {
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

fn all(args: &HeuristicsArgs, budget: &Budget<'_>) -> Result<(), Failure> {
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

// Thresholds.

/// A fight counts for the histogram where a strategy gains more than this.
const WORTH_WHILE: f64 = 0.01;

#[derive(Serialize)]
struct ThresholdsJson {
    format: u32,
    strategies: Vec<SharesJson>,
}

#[derive(Serialize)]
struct SharesJson {
    number: usize,
    name: &'static str,
    /// In how many fights no other strategy beats this one, and it is worth while.
    fights: u32,
    /// In which share of them the best threshold is 1, 2, ... 12; equally good ones share a fight.
    thresholds: Vec<f64>,
}

/// How often each threshold is best, over all fights in which a strategy is.
fn shares(maps: &[HeuristicMap], strategy: Strategy, side: u32) -> SharesJson {
    let mut thresholds = vec![0.0; MOST_LUCK as usize];
    let mut fights = 0;
    for map in maps {
        for luck in 0..=MOST_LUCK {
            for (hero, enemy) in staminas(side) {
                let scores = map.scores(luck, hero, enemy);
                let score = scores.strategies[strategy.number()];
                let wins = scores.winners >> strategy.number() & 1 == 1;
                if wins && score.win - scores.strategies[0].win > WORTH_WHILE {
                    fights += 1;
                    let share = 1.0 / f64::from(score.thresholds.count_ones());
                    score.best_thresholds().for_each(|threshold| thresholds[threshold as usize - 1] += share);
                }
            }
        }
    }
    for share in &mut thresholds {
        *share /= f64::from(fights.max(1));
    }
    SharesJson { number: strategy.number(), name: strategy.name(), fights, thresholds }
}

fn thresholds(args: &HeuristicsArgs, budget: &Budget<'_>) -> Result<(), Failure> {
    let side = args.max_stamina;
    let maps = HeuristicMap::several(paper_extents(side, args.amplify.into()), budget)?;
    let strategies =
        [Strategy::Always, Strategy::OnLoss, Strategy::OnWin].map(|strategy| shares(&maps, strategy, side));
    match args.format {
        MapFormat::Json => output::print_json(&ThresholdsJson { format: 1, strategies: strategies.into() }),
        MapFormat::Csv => {
            let mut csv = String::from("strategy,name,threshold,share\n");
            for strategy in &strategies {
                for (threshold, share) in (1..).zip(&strategy.thresholds) {
                    let _ = writeln!(csv, "{},{},{threshold},{share}", strategy.number, strategy.name);
                }
            }
            output::print(&csv)
        }
        MapFormat::Text => {
            let mut text = String::from(
                "How often each threshold is best, over all fights in which no strategy beats this one and it adds\n\
                 more than 1 % to the chance to win; equally good thresholds share a fight\n\n\
                 use while luck is at least",
            );
            for threshold in 1..=MOST_LUCK {
                let _ = write!(text, "{threshold:>7}");
            }
            text.push('\n');
            for strategy in &strategies {
                let _ = write!(text, "{} {:<24}", strategy.number, strategy.name);
                for share in &strategy.thresholds {
                    let _ = write!(text, "{:>5.1} %", share * 100.0);
                }
                let _ = writeln!(text, "   of {} fights", strategy.fights);
            }
            output::print(&text)
        }
        MapFormat::Svg => {
            let places: Vec<String> = (1..=MOST_LUCK).map(|threshold| threshold.to_string()).collect();
            let series = strategies.map(|s| (format!("{} {}", s.number, s.name), s.thresholds));
            output::print(&histogram_svg(
                "The best threshold of the simple strategies",
                "use luck while it is at least ...",
                &places,
                &series,
            ))
        }
    }
}
