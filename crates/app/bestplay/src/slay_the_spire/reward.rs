//! `bestplay slay-the-spire reward`.

use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use budget::{Budget, Stopped};
use clap::{Args, ValueEnum};
use mdp::Number;
use serde::Serialize;
use slay_the_spire::{
    ChangedDeck, DeckChange, FightRequest, Foe, Interval, Objective, Reward, RewardAnswer, RewardWorth, RulesError,
    RunFile, RunRequest, changed_decks, compare_decks, offered_cards, reward_worth, unknown_reward,
};
use solved_table::{Bounds, Cell, Layout, write_csv};

use super::fights::{FightArgs, GoalArgs, bad_request, interval_text, not_modelled};
use super::kept_fights::KeptFights;
use super::simulated::{self, SimulatedArgs};
use crate::arguments::engine_args::EngineArgs;
use crate::ending::PrintIfEnded;
use crate::output::{self, Failure, Format};

/// Arguments of `reward`.
#[derive(Args)]
pub struct RewardArgs {
    /// The cards that are offered, separated by commas; `each`: every attack, skill and power, not upgraded
    #[arg(long, value_name = "CARDS", value_delimiter = ',', required_unless_present = "also")]
    cards: Vec<String>,
    /// A file of the game with the deck, the relics, the health and the fights so far; - for standard input
    #[arg(value_name = "FILE", requires = "from")]
    file: Option<PathBuf>,
    /// The kind of the file
    #[arg(long, value_enum, requires = "file")]
    from: Option<Source>,
    /// Leave out cards and relics of the file that are not modelled, and name them
    #[arg(long, requires = "from")]
    leave_out: bool,
    /// The fights to come: a pool, an encounter, or enemies of one group separated by commas; next or next-elite for what can
    /// come after --met [default: weak-pool; next after --met or with --from]
    #[arg(long, value_name = "ENEMIES", value_delimiter = ',')]
    against: Vec<String>,
    /// Also show the gain of removing or upgrading one card of the deck, or the value of each relic
    #[arg(long, value_enum, value_delimiter = ',')]
    also: Vec<Also>,
    /// The deck: cards with their counts [default: the Ironclad's starting deck]
    #[arg(long, value_name = "CARDS")]
    deck: Option<String>,
    /// The Ironclad's health [default: as --max-hp]
    #[arg(long, value_name = "HP", value_parser = clap::value_parser!(i16).range(1..=250))]
    hp: Option<i16>,
    #[command(flatten)]
    goal: GoalArgs,
    #[command(flatten)]
    fight: FightArgs,
    #[command(flatten)]
    simulated: SimulatedArgs,
    /// Keep solved fights in this file, and take those that it already has from there
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
    /// One relic is missing
    Relics,
}

/// What kind of file a deck is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Source {
    /// The record of a run (.run), or a save (.autosave)
    #[value(alias = "save")]
    Run,
}

impl From<Also> for DeckChange {
    fn from(also: Also) -> Self {
        match also {
            Also::Remove => Self::Remove,
            Also::Upgrade => Self::Upgrade,
            Also::Relics => Self::Relics,
        }
    }
}

pub const EXAMPLES: &str = "\
Examples:
  bestplay slay-the-spire reward --cards pommel-strike,shrug-it-off,anger
  bestplay slay-the-spire reward --cards cleave,battle-trance --deck strike=5,defend=4,bash,pommel-strike --max-time 60s
  bestplay slay-the-spire reward --cards inflame --against elites --hp 60 --burning-blood
  bestplay slay-the-spire reward --cards cleave,twin-strike --also remove,upgrade --resume fights.txt
  bestplay slay-the-spire reward --cards each --against jaw-worm --resume fights.txt --csv cards.csv
  bestplay slay-the-spire reward --also relics --relics vajra,anchor,bronze-scales --against gremlin-nob
  bestplay slay-the-spire reward --cards cleave,anger --met jaw-worm,two-louses,small-slimes --max-time 60s
  bestplay slay-the-spire reward --from run IRONCLAD.autosave --cards cleave,anger --max-time 60s";

/// Solves every fight with every deck and prints the table.
pub fn run(args: &RewardArgs) -> Result<(), Failure> {
    let (request, assumed) = args.request()?;
    for assumed in &assumed {
        output::note(&format!("  assumed: {assumed}"));
    }
    let (hero, encounters) = (request.hero().map_err(bad_request)?, args.fight.encounters(&request)?);
    let (objective, health) = (request.objective().map_err(bad_request)?, request.health(&hero).map_err(bad_request)?);
    let cards = offered_cards(&args.cards).map_err(|error| {
        Failure::bad_input(error, "see docs/slay-the-spire-rules.md for the cards that are modelled")
    })?;
    let also: Vec<DeckChange> = args.also.iter().map(|also| (*also).into()).collect();
    let decks = changed_decks(&hero, &cards, &also);
    let kept = Mutex::new(KeptFights::open(args.resume.as_deref())?);
    let format = args.format;
    let knowing = {
        let (asked, known_assumed) = ((decks.clone(), encounters.clone()), assumed.clone());
        PrintIfEnded::new(move |stopped| {
            let unknown =
                |deck: &ChangedDeck, foes: &[Foe]| unknown_reward(&deck.hero, foes, (health, objective), stopped);
            let each = asked.0.iter().flat_map(|deck| asked.1.iter().map(move |(_, foes)| unknown(deck, foes)));
            let found = each.collect::<Result<Vec<_>, _>>().map_err(not_modelled)?;
            let answer = RewardAnswer::new(&asked.0, &asked.1, objective, &found, Some(stopped.to_string()));
            print(&answer, &known_assumed, format)
        })
    };
    let simulating = args.simulated.simulating();
    let asked = (health, objective);
    let worth = |deck: &ChangedDeck, foes: &[Foe], budget: &Budget<'_>| worth((deck, foes), asked, &kept, budget);
    let (answer, stopped) = args
        .engine
        .run(|run| compare_decks((&decks, &encounters), asked, simulating, worth, run.budget).map_err(Failure::from))?;
    drop(knowing);
    if let Some(file) = &args.csv {
        output::write_file(file, |out| csv(&answer.rewards, out))?;
    }
    print(&answer, &assumed, format)?;
    // The bounds found so far were printed; stopping early is still a failure.
    stopped.map_or(Ok(()), |stopped| Err(stopped.into()))
}

impl RewardArgs {
    /// The fights in question, and what was assumed to read them.
    fn request(&self) -> Result<(FightRequest, Vec<String>), Failure> {
        let (base, assumed) = match &self.file {
            None => (FightRequest::default(), Vec::new()),
            Some(file) => {
                let wrong = |error: String| {
                    let message = format_args!("{}: {error}", output::name_of(file)).to_string();
                    Failure::bad_input(
                        message,
                        "a file of the folders runs or saves of the game; --leave-out for a part of it",
                    )
                };
                let read = RunFile::read(&output::read_text(file)?).and_then(|run| run.request(self.leave_out));
                let RunRequest { request, assumed } = read.map_err(wrong)?;
                (request, assumed)
            }
        };
        let request = self.fight.request(base);
        let enemies = match (self.against.is_empty(), request.met.is_empty() && self.file.is_none()) {
            (false, _) => self.against.clone(),
            (true, true) => vec!["weak-pool".into()],
            (true, false) => vec!["next".into()],
        };
        let deck = self.deck.clone().or(request.deck);
        let hp = self.hp.or(request.hp);
        Ok((FightRequest { deck, hp, enemies, objective: self.goal.objective, ..request }, assumed))
    }
}

/// The answer, with what was assumed to read a file.
#[derive(Serialize)]
struct RewardJson<'a> {
    #[serde(flatten)]
    answer: &'a RewardAnswer,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    assumed: &'a [String],
}

fn print(answer: &RewardAnswer, assumed: &[String], format: Format) -> Result<(), Failure> {
    match format {
        Format::Text => output::print(&text(&answer.rewards)),
        Format::Json => output::print_json(&RewardJson { answer, assumed }),
    }
}

/// Why a fight of the table has no value.
enum Missing {
    NotModelled(RulesError),
    Unwritten(Failure),
}

impl From<RulesError> for Missing {
    fn from(error: RulesError) -> Self {
        Self::NotModelled(error)
    }
}

impl From<Missing> for Failure {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::NotModelled(error) => not_modelled(error),
            Missing::Unwritten(failure) => failure,
        }
    }
}

/// The value of a fight: from the file if it is there, else kept there once it is solved.
fn worth(
    (deck, foes): (&ChangedDeck, &[Foe]),
    (health, objective): (i16, Objective),
    kept: &Mutex<KeptFights>,
    budget: &Budget<'_>,
) -> Result<(RewardWorth, Option<Stopped>), Missing> {
    let key = format!("{:?} {foes:?} {health} {objective:?}", deck.hero);
    let lock = || kept.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = lock().get(&key) {
        return Ok((found, None));
    }
    let (found, stopped) = reward_worth(&deck.hero, foes, (health, objective), budget)?;
    if stopped.is_none() {
        lock().add(key, found).map_err(Missing::Unwritten)?;
    }
    Ok((found, stopped))
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
        (vec![Cell::Names(own.take.clone())], solved_table::LineValues { bounds, exact: None })
    };
    let lines: Vec<solved_table::Solved> = rewards.iter().map(line).collect();
    write_csv(&layout, lines.iter().map(|(cells, found)| (&cells[..], found)), out)
}

fn text(rewards: &[Reward]) -> String {
    let mut out = format!("{:>12}  {:>12}  {:>10}  Take\n", "Gain", "Value", "Survival");
    for reward in rewards {
        let shown = |number: &Number| interval_text(Interval { lower: number.lower, upper: number.upper });
        let Number { decimal, lower, upper, .. } = reward.survival;
        let survival = if upper - lower < 1e-5 { format!("{decimal:.5}") } else { format!("{lower:.5} to {upper:.5}") };
        let _ =
            writeln!(out, "{:>12}  {:>12}  {survival:>10}  {}", shown(&reward.gain), shown(&reward.value), reward.take);
    }
    let gains = rewards.iter().filter_map(|reward| Some((&reward.take, reward.simulated.as_ref()?)));
    out + &simulated::table(gains, "", "Take")
}
