//! `advise`: use luck now?

use std::fmt::Write;

use clap::{Args, ValueEnum};
use fighting_fantasy::{Decision, Player, analyse, lucky_rolls};
use mdp::{ExploreOptions, Number, nearest, ratio};
use serde::Serialize;

use super::fighters::{FightersArgs, failed};
use super::percent::percent;
use crate::output::{self, Failure, Format};

pub(super) const EXAMPLES: &str = "\
Give the figures as they were before the wound. The gain is the increase of the objective's value by using luck.

Examples:
  bestplay fighting-fantasy advise --skill 12 --stamina 10 --luck 9 --enemy 14/4 --round won
  bestplay fighting-fantasy advise --skill 12 --stamina 3 --luck 9 --enemy 14/8 --round lost --format json
  bestplay fighting-fantasy advise --skill 10 --stamina 12 --luck 8 --enemy 9/6 --round lost --keep-luck 6";

/// Arguments of `advise`.
#[derive(Args)]
pub struct AdviseArgs {
    #[command(flatten)]
    fighters: FightersArgs,
    /// The result of the round
    #[arg(long, value_enum)]
    round: Round,
}

/// The result of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Round {
    /// The hero has wounded the (first) enemy
    Won,
    /// The (first) enemy has wounded the hero
    Lost,
}

#[derive(Serialize)]
struct AdviceJson {
    format: u32,
    round: &'static str,
    decision: &'static str,
    objective: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    use_luck: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keep: Option<Number>,
    /// The gain of using luck; negative where luck harms.
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<Number>,
    luck_succeeds: Number,
}

/// Prints whether to use luck now.
pub fn run(args: &AdviseArgs) -> Result<(), Failure> {
    args.fighters.encounter.engine.run(|run| advise(args, run.options))
}

fn advise(args: &AdviseArgs, options: &ExploreOptions<'_>) -> Result<(), Failure> {
    let fighters = &args.fighters;
    let fight = fighters.fight(fighters.encounter.rules(), Player::Free)?;
    let analysis = analyse(&fight, options).map_err(|error| failed(&error))?;
    let (round, question) = match args.round {
        Round::Won => ("won", &analysis.on_won_round),
        Round::Lost => ("lost", &analysis.on_lost_round),
    };
    let gain = question.use_luck.as_ref().zip(question.keep.as_ref()).map(|(use_luck, keep)| use_luck - keep);
    let luck_succeeds = ratio(lucky_rolls(fighters.luck).into(), 36);
    if fighters.encounter.format == Format::Json {
        return output::print_json(&AdviceJson {
            format: 1,
            round,
            decision: question.decision.name(),
            objective: fighters.encounter.objective().name(),
            use_luck: question.use_luck.as_ref().map(Number::from),
            keep: question.keep.as_ref().map(Number::from),
            gain: gain.as_ref().map(Number::from),
            luck_succeeds: (&luck_succeeds).into(),
        });
    }
    let answer = match question.decision {
        Decision::UseLuck => "Use luck.",
        Decision::Keep => "Keep your luck.",
        Decision::Either => "Use luck or keep it: both are worth exactly the same.",
    };
    let mut text = format!("{answer}\n\n{}\n", fighters.encounter.objective().name());
    for (name, value) in [("with luck", &question.use_luck), ("without", &question.keep)] {
        if let Some(value) = value {
            let _ = writeln!(text, "  {name:<12}{:>18}", fighters.encounter.show(value));
            if fighters.encounter.engine.exact {
                let _ = writeln!(text, "  {:<12}exactly {value}", "");
            }
        }
    }
    if let Some(gain) = gain {
        let _ = writeln!(text, "  {:<12}{:>+18.6e}", "gain", nearest(&gain));
    }
    let chance = percent(nearest(&luck_succeeds));
    let _ = writeln!(text, "\nA test of luck at {} succeeds with {chance}.", fighters.luck);
    output::print(&text)
}
