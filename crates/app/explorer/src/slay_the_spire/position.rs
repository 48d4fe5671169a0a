//! What to play in a position of a fight of Act 1, in the format of the command's position files.

use serde::Deserialize;
use serde_json::Value;
use slay_the_spire::{
    Exactness, FightRequest, Goal, PlaysAnswer, Position, PositionFile, Simulating, advise_or_simulate,
};

use super::fight::{NAMES_HELP, check_seconds, not_modelled, within};
use crate::question::{Problem, Question, Run};

/// Asks what to play in a position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionQuestion {
    /// The content of a position file.
    position: Value,
    #[serde(default)]
    objective: Goal,
    #[serde(default)]
    seconds: Option<u64>,
}

impl PositionQuestion {
    fn position(&self) -> Result<Position, Problem> {
        let file: PositionFile =
            serde_json::from_value(self.position.clone()).map_err(|error| Problem::impossible(error, NAMES_HELP))?;
        file.position().map_err(|error| Problem::impossible(error, NAMES_HELP))
    }
}

impl Question for PositionQuestion {
    type Context = ();
    type Answer = PlaysAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        check_seconds(self.seconds)?;
        self.position().map(|_| ())
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<PlaysAnswer, Problem> {
        let position = self.position()?;
        let request = FightRequest { objective: self.objective, ..FightRequest::default() };
        let objective = request.objective().map_err(|error| Problem::impossible(error, NAMES_HELP))?;
        within(self.seconds, run, |budget| {
            let simulating = Simulating::default();
            let advice = advise_or_simulate(&position, objective, Exactness::Bounds, simulating, budget);
            let advice = advice.map_err(not_modelled)?;
            let no_plays = || Problem::internal("a position without plays");
            Ok((PlaysAnswer::new(&advice).ok_or_else(no_plays)?, advice.stopped))
        })
    }
}
