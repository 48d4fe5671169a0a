//! Arguments of `bestplay slay-the-spire solve`.

use clap::{Args, ValueEnum};
use slay_the_spire::FightRequest;

use super::fights::{FightArgs, GoalArgs};
use super::simulated::SimulatedArgs;
use crate::arguments::engine_args::EngineArgs;
use crate::export::ExportArgs;
use crate::output::Format;

/// Arguments of `solve`. The defaults are the fight of the talk.
#[derive(Args)]
pub struct SolveArgs {
    /// The enemies: kinds separated by commas, or an encounter (small-slimes) or a pool (weak-pool, strong-pool, elites)
    /// [default: the Cultist of the talk, with the other defaults of that fight]
    #[arg(long, value_name = "ENEMIES", value_delimiter = ',')]
    pub enemy: Vec<String>,
    #[command(flatten)]
    pub fight: FightArgs,
    /// The Ironclad's health [default: as --max-hp; in the talk 68]
    #[arg(long, value_name = "HP", value_parser = clap::value_parser!(i16).range(1..=250))]
    pub hp: Option<i16>,
    /// The deck: cards with their counts, such as bash=1,strike+=2 [default: the Ironclad's starting deck]
    #[arg(long, value_name = "CARDS")]
    pub deck: Option<String>,
    #[command(flatten)]
    pub goal: GoalArgs,
    /// Also show the value of the fight for each health of the one enemy, or of the Ironclad
    #[arg(long, value_enum)]
    pub by: Option<By>,
    /// Also play one fight by best play, with dice that this number determines, and print it
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub simulated: SimulatedArgs,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    pub export: ExportArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// What an answer is split by.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// The enemy's health
    #[value(alias = "cultist-hp")]
    EnemyHp,
    /// The Ironclad's health at the start, from 1 to --max-hp
    Health,
}

impl SolveArgs {
    /// The request with these options; what they leave out is as in `base`.
    pub(super) fn request(&self, base: FightRequest) -> FightRequest {
        let request = self.fight.request(base);
        FightRequest {
            hp: self.hp.or(request.hp),
            deck: self.deck.clone().or(request.deck),
            enemies: if self.enemy.is_empty() { request.enemies } else { self.enemy.clone() },
            objective: self.goal.objective,
            ..request
        }
    }
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay slay-the-spire solve
  bestplay slay-the-spire solve --by enemy-hp
  bestplay slay-the-spire solve --deck strike=5,defend=4,bash+=1 --enemy-hp 53
  bestplay slay-the-spire solve --hp 15 --objective survival --format json
  bestplay slay-the-spire solve --enemy jaw-worm --hp 60
  bestplay slay-the-spire solve --enemy gremlin-nob --deck strike=5,defend=4,bash,pommel-strike,battle-trance --precision 2
  bestplay slay-the-spire solve --enemy red-louse,green-louse --objective loss
  bestplay slay-the-spire solve --enemy gremlin-nob --objective \"at-least 40\"
  bestplay slay-the-spire solve --enemy jaw-worm --objective turns
  bestplay slay-the-spire solve --enemy gremlin-nob --ascension 18 --relics anchor --potions fear --by health";
