//! What to play in a position of a fight of Act 1, in the formats that the command reads.

use serde::Deserialize;
use serde_json::Value;
use slay_the_spire::{
    CommunicationMessage, CommunicationPosition, Exactness, FightRequest, Goal, PlaysAnswer, Position, PositionFile,
    Simulating, advise_or_simulate,
};

use super::fight::{NAMES_HELP, check_seconds, not_modelled, within};
use crate::question::{Problem, Question, Run};

/// Asks what to play in a position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionQuestion {
    /// The content of a position file, or a message of `CommunicationMod`.
    position: Value,
    #[serde(default)]
    objective: Goal,
    #[serde(default)]
    seconds: Option<u64>,
}

/// The position of a position file, or of a message of `CommunicationMod` with what else that says.
pub(super) fn read(position: &Value) -> Result<(Position, Option<CommunicationPosition>), String> {
    let is_message = ["game_state", "combat_state"].into_iter().any(|field| position.get(field).is_some());
    if !is_message {
        let file = PositionFile::deserialize(position).map_err(|error| error.to_string())?;
        return Ok((file.position()?, None));
    }
    let message = CommunicationMessage::deserialize(position).map_err(|error| error.to_string())?;
    let read = message.position()?;
    Ok((read.position.clone(), Some(read)))
}

impl PositionQuestion {
    fn read(&self) -> Result<(Position, Option<CommunicationPosition>), Problem> {
        read(&self.position).map_err(|error| Problem::impossible(error, NAMES_HELP))
    }
}

impl Question for PositionQuestion {
    type Context = ();
    type Answer = PlaysAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        check_seconds(self.seconds)?;
        self.read().map(|_| ())
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<PlaysAnswer, Problem> {
        let (position, message) = self.read()?;
        let request = FightRequest { objective: self.objective, ..FightRequest::default() };
        let objective = request.objective().map_err(|error| Problem::impossible(error, NAMES_HELP))?;
        within(self.seconds, run, |budget| {
            let simulating = Simulating::default();
            let advice = advise_or_simulate(&position, objective, Exactness::Bounds, simulating, budget);
            let advice = advice.map_err(not_modelled)?;
            let no_plays = || Problem::internal("a position without plays");
            let answer = PlaysAnswer::new(&advice).ok_or_else(no_plays)?;
            let answer = match &message {
                Some(read) => answer.to_message(&advice, read),
                None => answer,
            };
            Ok((answer, advice.stopped))
        })
    }
}
