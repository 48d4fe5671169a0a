//! `bestplay slay-the-spire advise`.

mod args;
mod follow;

use std::fmt::Write;

use mdp::fraction_text;
use slay_the_spire::{
    Advice, CommunicationMessage, CommunicationPosition, PlaysAnswer, Position, PositionFile, unknown_plays,
};

use super::fights::amount_text;
use super::input::read_json;
use super::simulated;
use crate::ending::PrintIfEnded;
use crate::output::{self, Failure, Format};
use args::{RIGHT, Source, refused};

pub use args::AdviseArgs;

pub const EXAMPLES: &str = "\
The position is one JSON object; what is left out is empty or 0, and energy is 3:

  {\"hp\": 68, \"max_hp\": 75, \"ascension\": 17,
   \"enemies\": [{\"kind\": \"cultist\", \"hp\": 35, \"intent\": \"dark_strike\"}],
   \"hand\": {\"bash\": 1, \"strike\": 2, \"defend\": 1, \"ascenders-bane\": 1},
   \"draw\": {\"defend\": 1}, \"discard\": {\"strike\": 3, \"defend\": 2}}

Examples:
  bestplay slay-the-spire advise position.json
  bestplay slay-the-spire advise position.json --objective survival --format json
  bestplay slay-the-spire advise position.json --exact
  bestplay slay-the-spire advise --from communication-mod message.json
  bestplay slay-the-spire advise --from communication-mod --follow --format json";

/// Reads the position and prints every way to spend the turn.
pub fn run(args: &AdviseArgs) -> Result<(), Failure> {
    if args.follow {
        return follow::follow(args);
    }
    match args.from {
        Source::Position => {
            let file: PositionFile = read_json(&args.position, RIGHT)?;
            advise(args, &file.position().map_err(|error| Failure::bad_input(error, RIGHT))?, None)
        }
        Source::CommunicationMod => {
            let message: CommunicationMessage = read_json(&args.position, RIGHT)?;
            let read = message.position().map_err(|error| Failure::bad_input(error, RIGHT))?;
            for assumed in &read.assumed {
                output::note(&format!("  assumed: {assumed}"));
            }
            advise(args, &read.position, Some(&read))
        }
    }
}

fn advise(args: &AdviseArgs, position: &Position, read: Option<&CommunicationPosition>) -> Result<(), Failure> {
    let objective = args.goal.objective.objective();
    let (asked, style) = (position.clone(), Style { format: args.format, fraction: args.engine.exact });
    let knowing = PrintIfEnded::new(move |stopped| {
        style.print(&unknown_plays(&asked, objective, stopped).map_err(refused)?, None)
    });
    let advice = args.engine.run(|run| args.advice(position, run))?;
    drop(knowing);
    style.print(&advice, read)?;
    advice.stopped.map_or(Ok(()), |stopped| Err(stopped.into()))
}

/// How an answer is printed.
#[derive(Clone, Copy)]
struct Style {
    format: Format,
    /// Whether fractions are printed beside decimals.
    fraction: bool,
}

impl Style {
    fn print(self, advice: &Advice, read: Option<&CommunicationPosition>) -> Result<(), Failure> {
        match self.format {
            Format::Text => output::print(&self.text(advice)),
            Format::Json => {
                let Some(answer) = PlaysAnswer::new(advice) else { return Ok(()) };
                let answer = match read {
                    Some(read) => answer.to_message(advice, read),
                    None => answer,
                };
                output::print_json(&answer)
            }
        }
    }

    fn text(self, advice: &Advice) -> String {
        let mut out = format!("{:>24}  Turn\n", "Value");
        for (steps, worth) in &advice.turns {
            let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
            let turn = if steps.is_empty() { "end the turn".into() } else { steps.join(", ") };
            let exact = worth.exact.as_ref().filter(|_| self.fraction);
            let exact = exact.map_or_else(String::new, |exact| format!("  ({})", fraction_text(exact)));
            let _ = writeln!(out, "{:>24}  {turn}{exact}", amount_text(&worth.amount()));
        }
        let gains = advice.simulated.iter().map(|own| (&own.play, &own.simulated));
        out + &simulated::table(gains, "Gains are over ending the turn.\n", "First play")
    }
}
