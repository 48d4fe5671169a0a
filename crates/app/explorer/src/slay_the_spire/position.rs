//! A position of a fight of Act 1, as files of the command have it: what to play now.

use serde::Deserialize;
use serde_json::Value;
use slay_the_spire::{Exactness, FightRequest, Goal, PlaysAnswer, Position, PositionFile, advise};

use super::fight::{RIGHT, is_patient, not_modelled, within};
use crate::question::{Problem, Question, Run};

/// What to play in a position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionQuestion {
    /// As in a file.
    position: Value,
    #[serde(default)]
    objective: Goal,
    #[serde(default)]
    seconds: Option<u64>,
}

impl PositionQuestion {
    fn position(&self) -> Result<Position, Problem> {
        let file: PositionFile =
            serde_json::from_value(self.position.clone()).map_err(|error| Problem::impossible(error, RIGHT))?;
        file.position().map_err(|error| Problem::impossible(error, RIGHT))
    }
}

impl Question for PositionQuestion {
    type Context = ();
    type Answer = PlaysAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        is_patient(self.seconds)?;
        self.position().map(|_| ())
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<PlaysAnswer, Problem> {
        let position = self.position()?;
        let said = FightRequest { objective: self.objective, ..FightRequest::default() };
        let objective = said.objective().map_err(|error| Problem::impossible(error, RIGHT))?;
        within(self.seconds, run, |budget| {
            let advice = advise(&position, objective, Exactness::Bounds, budget).map_err(not_modelled)?;
            let nothing = || Problem::internal("a position without plays");
            Ok((PlaysAnswer::new(&advice).ok_or_else(nothing)?, advice.stopped))
        })
    }
}
