//! `bestplay fighting-fantasy`: arguments in, odds and advice out.

mod advise;
mod fight;
mod fighters;
mod heuristics;
mod policy;

use std::fmt::Write;
use std::ops::RangeInclusive;

use budget::Budget;
use clap::{Subcommand, ValueEnum};
use fighting_fantasy::Amplify;
use mdp::ExploreOptions;

use crate::output::Failure;

/// What can be asked about Fighting Fantasy.
#[derive(Subcommand)]
pub enum Verb {
    /// The odds of a fight with the best use of luck
    #[command(after_long_help = fight::EXAMPLES)]
    Fight(fight::FightArgs),
    /// Use luck on this round, or keep it? The one question asked at the table
    #[command(after_long_help = advise::EXAMPLES)]
    Advise(advise::AdviseArgs),
    /// The map of the best use of luck: the paper's figure 4 and supplementary figure 6
    #[command(after_long_help = policy::EXAMPLES)]
    Policy(policy::PolicyArgs),
    /// How good the rules of thumb are: the paper's supplementary figures 7 and 8
    #[command(after_long_help = heuristics::EXAMPLES)]
    Heuristics(heuristics::HeuristicsArgs),
}

/// Runs a verb.
pub fn run(verb: Verb) -> Result<(), Failure> {
    match verb {
        Verb::Fight(args) => fight::run(&args),
        Verb::Advise(args) => advise::run(&args),
        Verb::Policy(args) => policy::run(&args),
        Verb::Heuristics(args) => heuristics::run(&args),
    }
}

/// How a map is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MapFormat {
    /// For people
    Text,
    /// A table, one line for every situation
    Csv,
    /// One JSON object with `"format": 1`
    Json,
    /// A drawing
    Svg,
}

/// What a lucky blow takes from the enemy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AmplifyArg {
    /// 3 points of stamina: the variant of some books
    #[value(name = "3")]
    Three,
    /// 4 points of stamina: the usual rule
    #[value(name = "4")]
    Four,
}

impl From<AmplifyArg> for Amplify {
    fn from(arg: AmplifyArg) -> Self {
        match arg {
            AmplifyArg::Three => Self::Three,
            AmplifyArg::Four => Self::Four,
        }
    }
}

/// A chance as people read it: five significant digits, as a percentage unless it is tiny.
fn percent(chance: f64) -> String {
    if chance == 0.0 || chance >= 1e-4 {
        // As many decimals as make five digits, but never so few that almost certain looks certain.
        let decimals = if chance < 0.01 {
            5
        } else if chance < 0.1 {
            4
        } else {
            3
        };
        let text = format!("{:.decimals$} %", chance * 100.0);
        if text == "100.000 %" && chance < 1.0 { format!("100 % - {:.2e} %", (1.0 - chance) * 100.0) } else { text }
    } else {
        format!("{:.4e} %", chance * 100.0)
    }
}

/// The budget of a run.
fn budget<'a>(options: &ExploreOptions<'a>) -> &'a Budget<'a> {
    options.budget.expect("a command's run has a budget")
}

/// The skill differences of the paper's figures: beyond, one side wins every round.
const DIFFERENCES: RangeInclusive<i32> = -10..=10;
/// The highest luck of the paper's figures.
const MOST_LUCK: u32 = 12;

/// The titles of all maps, a row for each skill difference.
fn map_titles() -> Vec<Vec<String>> {
    let title = |difference, luck| format!("skill difference {}, luck {luck}", signed(difference));
    DIFFERENCES.map(|difference| (0..=MOST_LUCK).map(|luck| title(difference, luck)).collect()).collect()
}

/// A difference with its sign.
fn signed(difference: i32) -> String {
    if difference == 0 { "0".into() } else { format!("{difference:+}") }
}

/// All pairs of staminas, the hero's first.
fn staminas(most: u32) -> impl Iterator<Item = (u32, u32)> {
    (1..=most).flat_map(move |hero| (1..=most).map(move |enemy| (hero, enemy)))
}

/// A map in digits.
fn grid(text: &mut String, side: u32, number: impl Fn(u32, u32) -> u8) {
    let column = |enemy: u32| if enemy == 1 || enemy.is_multiple_of(4) { format!("{enemy:>2}") } else { "  ".into() };
    let columns: Vec<String> = (1..=side).map(column).collect();
    let _ = writeln!(text, "         enemy's stamina\nhero's  {}", columns.join(""));
    for hero in 1..=side {
        let _ = write!(text, "{hero:>6}  ");
        for enemy in 1..=side {
            match number(hero, enemy) {
                0 => text.push_str(" ."),
                number => {
                    let _ = write!(text, " {number}");
                }
            }
        }
        text.push('\n');
    }
}
