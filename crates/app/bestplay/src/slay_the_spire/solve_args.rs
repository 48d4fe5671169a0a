//! Arguments of `bestplay slay-the-spire solve`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use slay_the_spire::act1::FightSaid;
use slay_the_spire::{HIGHEST_HEALTH, HealthRange, Pile, Setup};

use super::fights::FightArgs;
use super::goal::Goal;
use crate::engine_args::EngineArgs;
use crate::export::ExportArgs;
use crate::output::Format;

/// Arguments of `solve`. The defaults are the fight of the talk.
#[derive(Args)]
pub struct SolveArgs {
    /// The Cultist's health: a number, or a range in which every health is equally likely
    #[arg(long, value_name = "HP", default_value_t = Setup::default().cultist_hp, conflicts_with = "enemy")]
    pub cultist_hp: HealthRange,
    /// Fight these enemies of Act 1 instead: kinds separated by commas, or an encounter (small-slimes) or a pool
    /// (weak-pool, strong-pool, elites)
    #[arg(long, value_name = "ENEMIES", value_delimiter = ',', help_heading = "Fights of Act 1")]
    pub enemy: Vec<String>,
    #[command(flatten)]
    pub fight: FightArgs,
    /// The Ironclad's health [default: 68; with --enemy as --max-hp]
    #[arg(long, value_name = "HP", value_parser = clap::value_parser!(u16).range(1..=i64::from(HIGHEST_HEALTH)))]
    pub hp: Option<u16>,
    /// The deck: cards with their counts, such as bash=1,strike+=2 [default: the Ironclad's starting deck, with
    /// Ascender's Bane]
    #[arg(long, value_name = "CARDS", value_parser = deck_text)]
    pub deck: Option<String>,
    /// What to play for
    #[arg(long, value_enum, default_value_t)]
    pub objective: Goal,
    /// Also show what the fight is worth against each of the Cultist's healths, or with each health of one's own
    #[arg(long, value_enum)]
    pub by: Option<By>,
    /// Also play one fight by best play, with dice that this number determines, and tell it
    #[arg(long, value_name = "NUMBER", help_heading = "Fights of Act 1")]
    pub seed: Option<u64>,
    /// Write the solution to a file, for `advise --solution`
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    pub export: ExportArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// What an answer is split by.
#[derive(Clone, Copy, ValueEnum)]
pub enum By {
    /// The Cultist's health
    CultistHp,
    /// The Ironclad's health at the start, from 1 to --max-hp; with --enemy
    Health,
}

/// A deck of either kind of fight.
fn deck_text(text: &str) -> Result<String, String> {
    let is_of_act_1 = || FightSaid { deck: Some(text.into()), ..FightSaid::default() }.hero().is_ok();
    match text.parse::<Pile>() {
        Err(error) if !is_of_act_1() => Err(error.to_string()),
        _ => Ok(text.into()),
    }
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay slay-the-spire solve
  bestplay slay-the-spire solve --by cultist-hp
  bestplay slay-the-spire solve --deck strike=5,defend=4,bash+=1 --cultist-hp 53
  bestplay slay-the-spire solve --hp 15 --objective survival --format json
  bestplay slay-the-spire solve --save cultist.solution
  bestplay slay-the-spire solve --enemy jaw-worm --hp 60
  bestplay slay-the-spire solve --enemy red-louse,green-louse --objective loss
  bestplay slay-the-spire solve --enemy gremlin-nob --ascension 18 --relics anchor --potions fear --by health";
