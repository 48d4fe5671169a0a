//! `policy`: where luck is best used.

use std::fmt::Write;

use budget::Budget;
use clap::Args;
use fighting_fantasy::drawing::Maps;
use fighting_fantasy::{Extent, LuckMap};
use mdp::Number;
use serde::Serialize;

use super::maps::{AmplifyArg, MapFormat, grid, map_titles, paper_extents, signed, staminas};
use crate::arguments::engine_args::RunArgs;
use crate::output::{self, Failure};

pub(super) const EXAMPLES: &str = "\
The numbers in the map are the paper's: 1 = use luck whatever the outcome of the round, 2 = after a lost
round, 3 = after a won round, nothing = after neither. An exact tie counts as not using luck; the CSV and
the JSON show ties (use-luck, keep, either).

Examples:
  bestplay fighting-fantasy policy --skill-difference -2 --luck 12
  bestplay fighting-fantasy policy --skill-difference 0 --luck 6 --format svg > map.svg
  bestplay fighting-fantasy policy --skill-difference 0 --luck 6 --amplify 3 --format csv
  bestplay fighting-fantasy policy --all --format csv > policy.csv
  bestplay fighting-fantasy policy --all --format svg > figure6.svg";

/// Arguments of `policy`.
#[derive(Args)]
pub struct PolicyArgs {
    /// The hero's skill minus the enemy's
    #[arg(long, value_name = "K", allow_negative_numbers = true, required_unless_present = "all")]
    skill_difference: Option<i32>,
    /// The hero's luck
    #[arg(long, value_name = "LUCK", required_unless_present = "all",
          value_parser = clap::value_parser!(u32).range(0..=100_000))]
    luck: Option<u32>,
    /// All skill differences from -10 to 10 and every luck from 0 to 12
    #[arg(long, conflicts_with_all = ["skill_difference", "luck"])]
    all: bool,
    /// The highest stamina of the map
    #[arg(long, value_name = "STAMINA", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=99))]
    max_stamina: u32,
    /// The stamina that a lucky blow costs the enemy
    #[arg(long, value_enum, default_value = "4")]
    amplify: AmplifyArg,
    /// How the map is written [default: text; csv with --all]
    #[arg(long, value_enum)]
    format: Option<MapFormat>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Serialize)]
struct MapJson {
    format: u32,
    skill_difference: i32,
    luck: u32,
    max_stamina: u32,
    amplify: u32,
    states: Vec<StateJson>,
}

#[derive(Serialize)]
struct StateJson {
    stamina: u32,
    enemy_stamina: u32,
    win: Number,
    win_without_luck: Number,
    on_lost_round: &'static str,
    on_won_round: &'static str,
    figure_number: u8,
}

const LEGEND: [&str; 3] =
    ["1  use luck after every round", "2  use luck after a lost round", "3  use luck after a won round"];

/// Prints the best use of luck.
pub fn run(args: &PolicyArgs) -> Result<(), Failure> {
    args.run.run(|run| policy(args, run.budget))
}

fn policy(args: &PolicyArgs, budget: &Budget<'_>) -> Result<(), Failure> {
    let amplify = args.amplify.into();
    let (Some(difference), Some(luck)) = (args.skill_difference, args.luck) else {
        let maps = LuckMap::several(paper_extents(args.max_stamina, amplify), budget)?;
        return match args.format {
            None | Some(MapFormat::Csv) => output::print(&csv(&maps, 0)),
            Some(MapFormat::Svg) => output::print(&figure6(&maps, args.max_stamina)),
            Some(MapFormat::Text | MapFormat::Json) => Err(Failure::bad_input(
                "all maps are written as csv or svg",
                "add --format csv or --format svg, or name one map with --skill-difference and --luck",
            )),
        };
    };
    let extent = Extent { skill_difference: difference, max_luck: luck, max_stamina: args.max_stamina, amplify };
    let map = LuckMap::new(extent, budget)?;
    match args.format.unwrap_or(MapFormat::Text) {
        MapFormat::Text => output::print(&text(&map, luck)),
        MapFormat::Csv => output::print(&csv(&[map], luck)),
        MapFormat::Svg => output::print(&figure4(&map, luck)),
        MapFormat::Json => output::print_json(&MapJson {
            format: 1,
            skill_difference: difference,
            luck,
            max_stamina: args.max_stamina,
            amplify: amplify.damage(),
            states: staminas(args.max_stamina)
                .map(|(stamina, enemy_stamina)| {
                    let decisions = map.decisions(luck, stamina, enemy_stamina);
                    StateJson {
                        stamina,
                        enemy_stamina,
                        win: (&map.win_exact(luck, stamina, enemy_stamina)).into(),
                        win_without_luck: (&map.win_without_luck_exact(stamina, enemy_stamina)).into(),
                        on_lost_round: decisions.on_lost_round.name(),
                        on_won_round: decisions.on_won_round.name(),
                        figure_number: decisions.figure_number(),
                    }
                })
                .collect(),
        }),
    }
}

/// All situations of some maps, from a luck on.
fn csv(maps: &[LuckMap], least_luck: u32) -> String {
    let mut csv = String::from("skill_difference,luck,stamina,enemy_stamina,win,on_lost_round,on_won_round\n");
    for map in maps {
        for luck in least_luck..=map.max_luck() {
            for (hero, enemy) in staminas(map.max_stamina()) {
                let decisions = map.decisions(luck, hero, enemy);
                let _ = writeln!(
                    csv,
                    "{},{luck},{hero},{enemy},{:.16e},{},{}",
                    map.skill_difference(),
                    map.win(luck, hero, enemy),
                    decisions.on_lost_round,
                    decisions.on_won_round
                );
            }
        }
    }
    csv
}

fn figure4(map: &LuckMap, luck: u32) -> String {
    let title = format!("Best use of luck: skill difference {}, luck {luck}", signed(map.skill_difference()));
    let cell = |_, _, hero, enemy| (map.win(luck, hero, enemy), map.decisions(luck, hero, enemy).figure_number());
    let titles = vec![vec![String::new()]];
    Maps { title, legend: &LEGEND, max_stamina: map.max_stamina(), titles, cell: &cell }.to_svg()
}

fn figure6(maps: &[LuckMap], max_stamina: u32) -> String {
    let cell = |map: usize, luck, hero, enemy| {
        let map = &maps[map];
        (map.win(luck, hero, enemy), map.decisions(luck, hero, enemy).figure_number())
    };
    let title = "Best use of luck in every fight".into();
    Maps { title, legend: &LEGEND, max_stamina, titles: map_titles(), cell: &cell }.to_svg()
}

fn text(map: &LuckMap, luck: u32) -> String {
    let mut text = format!(
        "Best use of luck at skill difference {} and luck {luck}, before a round is rolled\n\n\
         1 use luck whatever happens   2 if the round is lost   3 if it is won   . keep it\n\n",
        signed(map.skill_difference())
    );
    grid(&mut text, map.max_stamina(), |hero, enemy| map.decisions(luck, hero, enemy).figure_number());
    text
}
