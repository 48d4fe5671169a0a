//! Arguments of `bestplay fighting-fantasy heuristics`.

use clap::Args;

use crate::arguments::engine_args::RunArgs;
use crate::fighting_fantasy::maps::{AmplifyArg, MapFormat};

pub const EXAMPLES: &str = "\
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
    pub(super) skill_difference: Option<i32>,
    /// The hero's luck
    #[arg(long, value_name = "LUCK", required_unless_present_any = ["all", "thresholds"],
          value_parser = clap::value_parser!(u32).range(0..=40))]
    pub(super) luck: Option<u32>,
    /// Only the fight that begins with this stamina of the hero
    #[arg(long, value_name = "STAMINA", requires = "enemy_stamina", value_parser = clap::value_parser!(u32).range(1..=99))]
    pub(super) stamina: Option<u32>,
    /// Only the fight that begins with this stamina of the enemy
    #[arg(long, value_name = "STAMINA", requires = "stamina", value_parser = clap::value_parser!(u32).range(1..=99))]
    pub(super) enemy_stamina: Option<u32>,
    /// All skill differences from -10 to 10 and every luck from 0 to 12
    #[arg(long, conflicts_with_all = ["skill_difference", "luck", "stamina", "thresholds"])]
    pub(super) all: bool,
    /// How often each threshold is best for the strategies 1 to 3, over the same fights
    #[arg(long, conflicts_with_all = ["skill_difference", "luck", "stamina"])]
    pub(super) thresholds: bool,
    /// The highest stamina of a map
    #[arg(long, value_name = "STAMINA", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=99))]
    pub(super) max_stamina: u32,
    /// The stamina that a lucky blow costs the enemy
    #[arg(long, value_enum, default_value = "4")]
    pub(super) amplify: AmplifyArg,
    /// How the answer is written
    #[arg(long, value_enum, default_value = "text")]
    pub(super) format: MapFormat,
    #[command(flatten)]
    pub(super) run: RunArgs,
}
