//! `bestplay slay-the-spire`: the Ironclad against a Cultist, and against the enemies of Act 1.

mod advise;
mod fights;
mod replay;
mod reward;
mod solve;

use std::path::Path;

use clap::{Subcommand, ValueEnum};
use mdp::{Rational, nearest};
use serde::de::DeserializeOwned;
use slay_the_spire::{FightError, Objective, Worth};

use crate::engine_args::EngineArgs;
use crate::numbers::percent;
use crate::output::{self, Failure};

/// What can be asked.
#[derive(Subcommand)]
pub enum Verb {
    /// How much health best play keeps, and how a fight ends
    #[command(after_help = solve::EXAMPLES)]
    Solve(solve::SolveArgs),
    /// A fight that was played: what luck gave, and what mistakes cost
    #[command(after_help = replay::EXAMPLES)]
    Replay(replay::ReplayArgs),
    /// Which card to take: what each adds to the fights of Act 1, best first
    #[command(after_help = reward::EXAMPLES)]
    Reward(reward::RewardArgs),
    /// What to play now: every way to spend the rest of a turn, best first
    #[command(after_help = advise::EXAMPLES)]
    Advise(advise::AdviseArgs),
}

/// Runs a verb.
pub fn run(verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Solve(args) => solve::run(args),
        Verb::Replay(args) => replay::run(args),
        Verb::Reward(args) => reward::run(args),
        Verb::Advise(args) => advise::run(args),
    }
}

/// What the Ironclad plays for.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Goal {
    /// Expected health after the fight; if equal, the chance to survive
    #[default]
    Health,
    /// The chance to survive; if equal, expected health
    Survival,
    /// The least loss of health by who cannot die; in fights of Act 1
    Loss,
}

impl Goal {
    /// The same for the Cultist's fight of the talk.
    fn of_the_talk(self) -> Result<Objective, Failure> {
        match self {
            Self::Health => Ok(Objective::Health),
            Self::Survival => Ok(Objective::Survival),
            Self::Loss => {
                Err(Failure::bad_input("--objective loss is for fights of Act 1", "name the enemies: --enemy cultist"))
            }
        }
    }
}

/// A change of health, or of the chance to survive, with its sign.
fn change(difference: &Rational, objective: Objective) -> String {
    let difference = nearest(difference);
    match objective {
        Objective::Health if difference.abs() < 0.0005 => "0.000".into(),
        Objective::Health => format!("{difference:+.3}"),
        Objective::Survival if difference.abs() < 0.000_005 => "0.000 %".into(),
        Objective::Survival => format!("{:+.3} %", 100.0 * difference),
    }
}

/// What the player plays for, in words for a table.
fn value_in_words(worth: &Worth, objective: Objective) -> String {
    match objective {
        Objective::Health => format!("{:.3}", nearest(&worth.health)),
        Objective::Survival => percent(&worth.survival),
    }
}

/// Reads a JSON file. An error says where it is wrong and what would be right.
fn read_json<T: DeserializeOwned>(path: &Path, right: &str) -> Result<T, Failure> {
    parse_json(path, &output::read_text(path)?, right)
}

/// The same for a file that was read.
fn parse_json<T: DeserializeOwned>(path: &Path, text: &str, right: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| {
        Failure::bad_input(format_args!("{}: {}", name_of(path), shortened(&error.to_string())), right)
    })
}

/// What a file is called in messages.
fn name_of(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() }
}

/// A message that quotes its input, without control characters and not too long. What it says of
/// the place stands at its end.
fn shortened(message: &str) -> String {
    const MOST: usize = 400;
    let shown: Vec<char> = message.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if shown.len() <= MOST {
        return shown.into_iter().collect();
    }
    let (head, tail) = (&shown[..MOST / 2], &shown[shown.len() - MOST / 2..]);
    head.iter().chain(&[' ', '…', ' ']).chain(tail).collect()
}

/// The failure of fights that could not be solved.
fn unsolved(error: &FightError) -> Failure {
    match error.stopped() {
        Some(stopped) => EngineArgs::stopped(stopped),
        None => Failure::failed(error, "ask about a smaller deck"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_keep_their_place() {
        let message = format!("unknown field `{}\u{1b}` at line 3 column 5", "x".repeat(10_000));
        let shown = shortened(&message);
        assert!(shown.starts_with("unknown field") && shown.ends_with("at line 3 column 5"));
        assert!(shown.chars().count() < 410 && !shown.contains('\u{1b}'));
    }
}
