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
use serde::{Deserialize, Serialize};
use slay_the_spire::act1::{Card, CardKind, Encounters, Hero, Interval, Objective, RulesError, number, solve};
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

pub const EXAMPLES: &str = "\
Examples:
  bestplay slay-the-spire reward --cards pommel-strike,shrug-it-off,anger
  bestplay slay-the-spire reward --cards inflame --against elites --hp 60 --burning-blood
  bestplay slay-the-spire reward --cards cleave,twin-strike --also remove,upgrade --resume table.json
  bestplay slay-the-spire reward --cards each --against jaw-worm --resume table.json --csv cards.csv";

/// A deck after a choice.
struct Changed {
    name: String,
    hero: Hero,
}

/// What a fight is worth: value and survival.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Found {
    value: [f64; 2],
    survival: [f64; 2],
}

#[derive(Serialize)]
struct RewardAnswer {
    format: u32,
    rewards: Vec<Reward>,
}

#[derive(Serialize)]
struct Reward {
    take: String,
    value: Number,
    survival: Number,
    gain: Number,
    survival_gain: Number,
    encounters: Vec<Share>,
}

#[derive(Serialize)]
struct Share {
    enemies: Vec<String>,
    weight: f64,
    value: Number,
    survival: Number,
    gain: Number,
}

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
    let decks = decks(args, &hero)?;
    let known: BTreeMap<String, Found> = match &args.resume {
        Some(path) if path.exists() => read_json(path, "a file that --resume wrote")?,
        _ => BTreeMap::new(),
    };
    let table = Table { decks: &decks, encounters: &encounters, health, objective, known: Mutex::new(known) };
    let solved = args.engine.run(|_, budget| table.solve(budget, args.resume.as_deref()));
    let rows = solved?;
    if let Some(file) = &args.csv {
        output::write_file(file, |out| csv(&rows, out))?;
    }
    match args.format {
        Format::Text => output::print(&text(&rows)),
        Format::Json => output::print_json(&RewardAnswer { format: 1, rewards: rows }),
    }
}

/// The cards that are offered.
fn cards(names: &[String]) -> Result<Vec<Card>, Failure> {
    let mut cards: Vec<Card> = Vec::new();
    for name in names {
        if name == "each" {
            let is_offered = |card: &Card| {
                let is_played = matches!(card.data().kind, CardKind::Attack | CardKind::Skill | CardKind::Power);
                is_played && card.upgraded() != *card
            };
            cards.extend(Card::all().filter(is_offered));
            continue;
        }
        cards.push(name.parse().map_err(|error| {
            Failure::bad_input(error, "see docs/slay-the-spire-act-1.md for the cards that are modelled")
        })?);
    }
    Ok(cards)
}

/// The decks to compare; the first one is the deck as it is.
fn decks(args: &RewardArgs, hero: &Hero) -> Result<Vec<Changed>, Failure> {
    let mut decks = vec![Changed { name: "none".into(), hero: hero.clone() }];
    for card in cards(&args.cards)? {
        let mut taken = hero.clone();
        taken.deck.push(card);
        decks.push(Changed { name: card.to_string(), hero: taken });
    }
    let mut kinds = hero.deck.clone();
    kinds.sort_unstable();
    kinds.dedup();
    for (what, card) in args.also.iter().flat_map(|what| kinds.iter().map(move |card| (*what, *card))) {
        let mut changed = hero.clone();
        let Some(place) = changed.deck.iter().position(|other| *other == card) else { continue };
        let name = match what {
            Also::Remove => {
                changed.deck.remove(place);
                format!("remove {card}")
            }
            Also::Upgrade if card.upgraded() == card => continue,
            Also::Upgrade => {
                changed.deck[place] = card.upgraded();
                format!("upgrade {card}")
            }
        };
        decks.push(Changed { name, hero: changed });
    }
    Ok(decks)
}

/// The fights to be solved, and those that are.
struct Table<'a> {
    decks: &'a [Changed],
    encounters: &'a Encounters,
    health: i16,
    objective: Objective,
    known: Mutex<BTreeMap<String, Found>>,
}

/// Why a fight of the table has no value.
enum Missing {
    NotModelled(RulesError),
    Stopped(Stopped),
    Unwritten(Failure),
}

impl Table<'_> {
    fn solve(&self, budget: &Budget<'_>, resume: Option<&Path>) -> Result<Vec<Reward>, Failure> {
        let fights: Vec<(usize, usize)> = (0..self.decks.len())
            .flat_map(|deck| (0..self.encounters.len()).map(move |encounter| (deck, encounter)))
            .collect();
        let found: Result<Vec<Found>, Missing> =
            fights.par_iter().map(|(deck, encounter)| self.fight(*deck, *encounter, budget, resume)).collect();
        let found = found.map_err(|missing| match missing {
            Missing::NotModelled(error) => {
                Failure::bad_input(error, "see docs/slay-the-spire-act-1.md for what is modelled")
            }
            Missing::Stopped(stopped) => stopped.into(),
            Missing::Unwritten(failure) => failure,
        })?;
        let rows: Vec<&[Found]> = found.chunks(self.encounters.len()).collect();
        let mut rewards: Vec<Reward> =
            rows.iter().enumerate().map(|(deck, row)| self.reward(deck, row, rows[0])).collect();
        rewards.sort_by(|a, b| b.gain.decimal.total_cmp(&a.gain.decimal));
        Ok(rewards)
    }

    /// One fight, from the file if it is there.
    fn fight(
        &self,
        deck: usize,
        encounter: usize,
        budget: &Budget<'_>,
        resume: Option<&Path>,
    ) -> Result<Found, Missing> {
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
        let worth = &solved.worths[0];
        let bounds = |interval: Interval| [interval.lower, interval.upper];
        let found = Found { value: bounds(worth.value), survival: bounds(worth.survival) };
        let mut known = lock();
        known.insert(key, found);
        if let Some(path) = resume {
            output::write_file(path, |out| Ok(serde_json::to_writer(out, &*known)?)).map_err(Missing::Unwritten)?;
        }
        Ok(found)
    }

    fn reward(&self, deck: usize, row: &[Found], without: &[Found]) -> Reward {
        let interval = |bounds: [f64; 2]| Interval { lower: bounds[0], upper: bounds[1] };
        let sum = |row: &[Found], part: fn(&Found) -> [f64; 2]| {
            self.encounters
                .iter()
                .zip(row)
                .fold(Interval::ZERO, |sum, ((share, _), found)| sum.plus(*share, interval(part(found))))
        };
        // A loss is better when it is smaller.
        let sign = if self.objective == Objective::Loss { -1.0 } else { 1.0 };
        let gain = |with: Interval, without: Interval, sign: f64| {
            if deck == 0 {
                return Interval::ZERO;
            }
            let difference = without.plus(-1.0, with).flipped();
            if sign < 0.0 { difference.flipped() } else { difference }
        };
        let (value, before) = (sum(row, |found| found.value), sum(without, |found| found.value));
        let (survival, survived) = (sum(row, |found| found.survival), sum(without, |found| found.survival));
        let shares = self.encounters.iter().zip(row.iter().zip(without)).map(|((weight, foes), (found, none))| Share {
            enemies: foes.iter().map(|foe| foe.kind.to_string()).collect(),
            weight: *weight,
            value: number(interval(found.value)),
            survival: number(interval(found.survival)),
            gain: number(gain(interval(found.value), interval(none.value), sign)),
        });
        Reward {
            take: self.decks[deck].name.clone(),
            value: number(value),
            survival: number(survival),
            gain: number(gain(value, before, sign)),
            survival_gain: number(gain(survival, survived, 1.0)),
            encounters: shares.collect(),
        }
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
