//! `advise --follow`: a play for each message, line by line.

use std::io::{BufRead, Read};

use mdp::Number;
use serde::Serialize;
use slay_the_spire::{CommunicationMessage, Named, PositionFile, number};

use super::args::{AdviseArgs, RIGHT, Source};
use crate::output::{self, Failure, Format};
use crate::signal::Signal;

/// A longer message is none.
const LONGEST_LINE: u64 = 4 << 20;

/// Answers line by line: the best first play, or why there is none. What is wrong with one message ends nothing.
pub fn follow(args: &AdviseArgs) -> Result<(), Failure> {
    let mut messages = std::io::stdin().lock();
    let mut line = String::new();
    loop {
        line.clear();
        let read = (&mut messages).take(LONGEST_LINE).read_line(&mut line);
        let read = read.map_err(|error| Failure::bad_input(format_args!("standard input: {error}"), RIGHT))?;
        if read == 0 {
            return Ok(());
        }
        if read as u64 == LONGEST_LINE && !line.ends_with('\n') {
            return Err(Failure::bad_input(format_args!("a message of more than {LONGEST_LINE} bytes"), RIGHT));
        }
        if line.trim().is_empty() {
            continue;
        }
        let answer = match answered(args, &line) {
            Ok(answer) => answer,
            Err(Unanswered::Refused(refused)) => {
                LineAnswer { format: 1, refused: Some(refused), ..LineAnswer::default() }
            }
            Err(Unanswered::Failed(failure)) => return Err(failure),
        };
        if let Some(signal) = Signal::came() {
            return Err(Failure::Interrupted(signal));
        }
        match args.format {
            Format::Json => {
                let text =
                    serde_json::to_string(&answer).map_err(|error| Failure::failed(error, "please report this"))?;
                output::print(&text)?;
            }
            Format::Text => output::print(&answer.text())?,
        }
    }
}

/// Why a message has no answer.
enum Unanswered {
    Refused(String),
    Failed(Failure),
}

fn answered(args: &AdviseArgs, line: &str) -> Result<LineAnswer, Unanswered> {
    let refused = |error: &dyn std::fmt::Display| Unanswered::Refused(error.to_string());
    let (position, read) = match args.from {
        Source::Position => {
            let file: PositionFile = serde_json::from_str(line).map_err(|error| refused(&error))?;
            (file.position().map_err(|error| refused(&error))?, None)
        }
        Source::CommunicationMod => {
            let message: CommunicationMessage = serde_json::from_str(line).map_err(|error| refused(&error))?;
            let read = message.position().map_err(|error| refused(&error))?;
            (read.position.clone(), Some(read))
        }
    };
    let advice = args.engine.run_one_of_many(|run| args.advice(&position, run)).map_err(Unanswered::Failed)?;
    let (Some(play), Some((_, worth))) = (advice.to_play(), advice.first.first()) else {
        return Err(Unanswered::Refused("there is nothing to play".into()));
    };
    Ok(LineAnswer {
        format: 1,
        command: read.as_ref().and_then(|read| read.command(play)),
        play: Some(play.clone()),
        value: Some(number(worth.value)),
        assumed: read.map(|read| read.assumed).unwrap_or_default(),
        refused: None,
        stopped: advice.stopped.map(|stopped| stopped.to_string()),
    })
}

/// The answer to one message.
#[derive(Default, Serialize)]
struct LineAnswer {
    format: u32,
    /// The play as `CommunicationMod` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    play: Option<Named>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Number>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assumed: Vec<String>,
    /// Why there is no play.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
}

impl LineAnswer {
    fn text(&self) -> String {
        if let Some(refused) = &self.refused {
            return format!("no play: {refused}");
        }
        let play = self.play.as_ref().map(ToString::to_string).unwrap_or_default();
        let value = self.value.as_ref().map(|own| format!("{:.3}", own.decimal)).unwrap_or_default();
        let command = self.command.clone().unwrap_or_else(|| play.clone());
        format!("{command}  ({play}, worth {value})")
    }
}
