//! The best luck thresholds of the simple strategies.

use std::fmt::Write;

use budget::Budget;
use fighting_fantasy::drawing::histogram_svg;
use fighting_fantasy::{HeuristicMap, Strategy};
use serde::Serialize;

use super::args::HeuristicsArgs;
use crate::fighting_fantasy::maps::{MOST_LUCK, MapFormat, paper_extents, staminas};
use crate::output::{self, Failure};

/// The least gain with which a strategy's fight is counted.
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
    /// The number of fights in which no other strategy beats this one, and it gains enough.
    fights: u32,
    /// The share of them in which the best threshold is 1, 2, ... 12; ties share a fight.
    thresholds: Vec<f64>,
}

/// The frequency of each best threshold, over all fights in which a strategy gains enough.
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

pub(super) fn run(args: &HeuristicsArgs, budget: &Budget<'_>) -> Result<(), Failure> {
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
            let labels: Vec<String> = (1..=MOST_LUCK).map(|threshold| threshold.to_string()).collect();
            let series = strategies.map(|s| (format!("{} {}", s.number, s.name), s.thresholds));
            output::print(&histogram_svg(
                "The best threshold of the simple strategies",
                "use luck while it is at least ...",
                &labels,
                &series,
            ))
        }
    }
}
