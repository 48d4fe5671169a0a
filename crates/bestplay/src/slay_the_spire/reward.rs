//! `bestplay slay-the-spire reward`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use budget::{Budget, Stopped};
use clap::{Args, ValueEnum};
use mdp::Number;
use rayon::prelude::*;
use slay_the_spire::act1::{
    ChangedDeck, DeckChange, Encounters, Interval, Objective, Reward, RewardAnswer, RewardFound, RulesError,
    changed_decks, offered_cards, solve,
};
use solved_table::{Bounds, Cell, Layout, write_csv};

use super::fights::{FightArgs, told};
use super::goal::Goal;
use super::input::read_json;
use crate::engine_args::EngineArgs;
use crate::output::{self, Failure, Format};

/// Arguments of `reward`.
#[derive(Args)]
pub struct RewardArgs {
    /// The cards that are offered, separated by commas; `each`: every attack, skill and power, not upgraded
    #[arg(long, value_name = "CARDS", value_delimiter = ',', required = true)]
    cards: Vec<String>,
    /// What will be met: a pool, an encounter, or enemies of one group separated by commas
    #[arg(long, value_name = "ENEMIES", value_delimiter = ',', default_value = "weak-pool")]
    against: Vec<String>,
    /// Also what it would give to remove or to upgrade one card of the deck
    #[arg(long, value_enum, value_delimiter = ',')]
    also: Vec<Also>,
    /// The deck: cards with their counts [default: the Ironclad's starting deck]
    #[arg(long, value_name = "CARDS")]
    deck: Option<String>,
    /// The Ironclad's health [default: as --max-hp]
    #[arg(long, value_name = "HP", value_parser = clap::value_parser!(i16).range(1..=250))]
    hp: Option<i16>,
    /// What to play for
    #[arg(long, value_enum, default_value_t)]
    objective: Goal,
    #[command(flatten)]
    fight: FightArgs,
    /// Keeps the fights that are solved in this file, and begins with those that it has
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Write the table as CSV
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

/// What else can be done with a deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Also {
    /// One card is removed
    Remove,
    /// One card is upgraded
    Upgrade,
}

impl From<Also> for DeckChange {
    fn from(also: Also) -> Self {
        match also {
            Also::Remove => Self::Remove,
            Also::Upgrade => Self::Upgrade,
        }
    }
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay slay-the-spire reward --cards pommel-strike,shrug-it-off,anger
  bestplay slay-the-spire reward --cards inflame --against elites --hp 60 --burning-blood
  bestplay slay-the-spire reward --cards cleave,twin-strike --also remove,upgrade --resume table.json
  bestplay slay-the-spire reward --cards each --against jaw-worm --resume table.json --csv cards.csv";

/// Solves every fight with every deck and prints the table.
pub fn run(args: &RewardArgs) -> Result<(), Failure> {
    let hero = args.fight.hero(args.deck.as_deref())?;
    let encounters = args.fight.encounters(&args.against)?;
    let objective = args.fight.objective(args.objective)?;
    let health = args.hp.unwrap_or(hero.max_health);
    if health > hero.max_health {
        let right = format!("at most --max-hp, which is {} here", hero.max_health);
        return Err(Failure::bad_input("--hp is more than the Ironclad can have", right));
    }
    let cards = offered_cards(&args.cards).map_err(|error| {
        Failure::bad_input(error, "see docs/slay-the-spire-act-1.md for the cards that are modelled")
    })?;
    let also: Vec<DeckChange> = args.also.iter().map(|also| (*also).into()).collect();
    let decks = changed_decks(&hero, &cards, &also);
    let known: BTreeMap<String, RewardFound> = match &args.resume {
        Some(path) if path.exists() => read_json(path, "a file that --resume wrote")?,
        _ => BTreeMap::new(),
    };
    let table = Table { decks: &decks, encounters: &encounters, health, objective, known: Mutex::new(known) };
    let solved = args.engine.run(|_, budget| table.solve(budget, args.resume.as_deref()));
    let answer = solved?;
    if let Some(file) = &args.csv {
        output::write_file(file, |out| csv(&answer.rewards, out))?;
    }
    match args.format {
        Format::Text => output::print(&text(&answer.rewards)),
        Format::Json => output::print_json(&answer),
    }
}

/// The fights to be solved, and those that are.
struct Table<'a> {
    decks: &'a [ChangedDeck],
    encounters: &'a Encounters,
    health: i16,
    objective: Objective,
    known: Mutex<BTreeMap<String, RewardFound>>,
}

/// Why a fight of the table has no value.
enum Missing {
    NotModelled(RulesError),
    Stopped(Stopped),
    Unwritten(Failure),
}

impl Table<'_> {
    fn solve(&self, budget: &Budget<'_>, resume: Option<&Path>) -> Result<RewardAnswer, Failure> {
        let fights: Vec<(usize, usize)> = (0..self.decks.len())
            .flat_map(|deck| (0..self.encounters.len()).map(move |encounter| (deck, encounter)))
            .collect();
        let found: Result<Vec<RewardFound>, Missing> =
            fights.par_iter().map(|(deck, encounter)| self.fight(*deck, *encounter, budget, resume)).collect();
        let found = found.map_err(|missing| match missing {
            Missing::NotModelled(error) => {
                Failure::bad_input(error, "see docs/slay-the-spire-act-1.md for what is modelled")
            }
            Missing::Stopped(stopped) => stopped.into(),
            Missing::Unwritten(failure) => failure,
        })?;
        Ok(RewardAnswer::new(self.decks, self.encounters, self.objective, &found, None))
    }

    /// One fight, from the file if it is there.
    fn fight(
        &self,
        deck: usize,
        encounter: usize,
        budget: &Budget<'_>,
        resume: Option<&Path>,
    ) -> Result<RewardFound, Missing> {
        let (hero, foes) = (&self.decks[deck].hero, &self.encounters[encounter].1);
        let key = format!("{hero:?} {foes:?} {} {:?}", self.health, self.objective);
        let lock = || self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(found) = lock().get(&key) {
            return Ok(*found);
        }
        let solved = solve(hero, foes, &[self.health], self.objective, budget).map_err(Missing::NotModelled)?;
        if let Some(stopped) = solved.stopped {
            return Err(Missing::Stopped(stopped));
        }
        let found = RewardFound::new(&solved.worths[0]);
        let mut known = lock();
        known.insert(key, found);
        if let Some(path) = resume {
            output::write_file(path, |out| Ok(serde_json::to_writer(out, &*known)?)).map_err(Missing::Unwritten)?;
        }
        Ok(found)
    }
}

/// The table as CSV, best first.
fn csv(rewards: &[Reward], out: &mut dyn io::Write) -> io::Result<()> {
    let layout = Layout {
        lines: "decks",
        cells: vec!["take".into()],
        values: vec!["gain", "value", "survival", "survival_gain"],
        exact: false,
    };
    let bounds = |number: &Number| Bounds { value: number.decimal, lower: number.lower, upper: number.upper };
    let line = |own: &Reward| {
        let bounds = [&own.gain, &own.value, &own.survival, &own.survival_gain].map(bounds).to_vec();
        (vec![Cell::Names(own.take.clone())], solved_table::Found { bounds, exact: None })
    };
    let lines: Vec<solved_table::Solved> = rewards.iter().map(line).collect();
    write_csv(&layout, lines.iter().map(|(cells, found)| (&cells[..], found)), out)
}

fn text(rewards: &[Reward]) -> String {
    let mut out = format!("{:>12}  {:>12}  {:>10}  Take\n", "Gain", "Value", "Survival");
    for reward in rewards {
        let shown = |number: &Number| told(Interval { lower: number.lower, upper: number.upper });
        let survival = format!("{:.5}", reward.survival.decimal);
        let _ =
            writeln!(out, "{:>12}  {:>12}  {survival:>10}  {}", shown(&reward.gain), shown(&reward.value), reward.take);
    }
    out
}
