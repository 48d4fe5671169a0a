//! The way from a question to what was solved: on the library's shelf, or solved now.

use std::sync::Arc;

use super::question::ModelQuestion;
use super::registry::Models;
use super::solved::Solved;
use crate::question::{Problem, Run};

/// The longest expression over labels or variables, in bytes.
const LONGEST: usize = 4 << 10;

impl ModelQuestion {
    /// Refuses what can be seen to be wrong without reading or solving anything.
    pub fn check(&self, models: &Models) -> Result<(), Problem> {
        let offered = models.model(&self.model)?;
        let bounds = self.bounds.iter().map(String::len).sum::<usize>();
        if self.goal.len().max(self.until.len()).max(self.reward.len()).max(bounds) > LONGEST {
            return Err(Problem::impossible(
                "an expression is too long",
                format_args!("they have {LONGEST} bytes at most"),
            ));
        }
        offered.source.check(self)
    }

    /// What the shelf calls it.
    fn key(&self, models: &Models) -> Result<String, Problem> {
        let Self { model, goal, until, sense, reward, exact, within, bounds } = self;
        let name = &models.model(model)?.name;
        Ok(format!("{name:?} {goal:?} {until:?} {sense:?} {reward:?} {exact} {within:?} {bounds:?}"))
    }

    /// What was solved, if it is kept.
    pub fn kept(&self, models: &Models) -> Option<Arc<Box<dyn Solved>>> {
        models.solved.kept(&self.key(models).ok()?)
    }

    /// What was solved, from the shelf or solved now.
    pub fn solved(&self, run: &Run<'_>, models: &Models) -> Result<Arc<Box<dyn Solved>>, Problem> {
        let offered = models.model(&self.model)?;
        models.solved.get(&self.key(models)?, run, || offered.source.solve(self, run))
    }
}

/// A state that a solved model has.
pub fn is_state(solved: &dyn Solved, state: u32) -> Result<u32, Problem> {
    let [states, ..] = solved.counts();
    if u64::from(state) < states {
        return Ok(state);
    }
    Err(Problem::impossible(
        format_args!("there is no state {state}"),
        format_args!("the model has {states} states, numbered from 0"),
    ))
}
