//! The neighbourhood of a state, to be drawn: the states to which one or two choices lead.

use std::collections::BTreeMap;

use mdp::Number;
use model_questions::ValueJson;
use serde::{Deserialize, Serialize};

use super::found::is_state;
use super::look::kept_without_ties;
use super::question::ModelQuestion;
use super::registry::Models;
use super::solved::Solved;
use super::view::{self, Brief};
use crate::question::{Problem, Question, Run, object};

/// The most that is drawn: states, choices of one state, outcomes of one choice.
const MOST_STATES: usize = 24;
const MOST_CHOICES: usize = 6;
const MOST_OUTCOMES: usize = 6;

/// A neighbourhood that is asked for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AroundQuestion {
    #[serde(deserialize_with = "object")]
    question: ModelQuestion,
    state: u32,
    /// How many choices away: 1 or 2.
    #[serde(default = "one")]
    steps: u32,
}

const fn one() -> u32 {
    1
}

/// A neighbourhood: states, choices between them.
#[derive(Serialize)]
pub struct AroundAnswer {
    format: u32,
    states: Vec<Near>,
    choices: Vec<Way>,
}

#[derive(Serialize)]
struct Near {
    /// How many choices away.
    distance: u32,
    #[serde(flatten)]
    state: Brief,
}

#[derive(Serialize)]
struct Way {
    from: u32,
    choice: u32,
    name: Option<String>,
    best: bool,
    standing: &'static str,
    value: Option<ValueJson>,
    outcomes: Vec<To>,
    /// Outcomes that are not drawn.
    left_out: usize,
}

#[derive(Serialize)]
struct To {
    state: u32,
    probability: Number,
}

impl AroundQuestion {
    fn answer_of(&self, solved: &dyn Solved, run: Option<&Run<'_>>) -> Result<AroundAnswer, Problem> {
        let first = is_state(solved, self.state)?;
        // The distances of the states that are drawn, in the order in which they were found.
        let mut known = BTreeMap::from([(first, 0)]);
        let mut found = vec![first];
        let mut choices = Vec::new();
        let mut place = 0;
        while let Some(state) = found.get(place).copied() {
            place += 1;
            let distance = known[&state];
            if distance == self.steps || solved.end(state).is_some() {
                continue;
            }
            let names = solved.names(state);
            for advised in solved.advise(state, run)?.into_iter().take(MOST_CHOICES) {
                let ranked = view::ranked(solved, state, advised.choice)?;
                let mut outcomes = Vec::new();
                for (to, chance) in ranked.iter().take(MOST_OUTCOMES) {
                    if !known.contains_key(to) {
                        if found.len() == MOST_STATES {
                            continue;
                        }
                        known.insert(*to, distance + 1);
                        found.push(*to);
                    }
                    outcomes.push(To { state: *to, probability: view::number(chance) });
                }
                choices.push(Way {
                    from: state,
                    choice: advised.choice,
                    name: names.get(advised.choice as usize).cloned().flatten(),
                    best: advised.standing.is_best(),
                    standing: advised.standing.name(),
                    value: view::worth(advised.worth),
                    left_out: ranked.len() - outcomes.len(),
                    outcomes,
                });
            }
        }
        let near = |state: u32| Near { distance: known[&state], state: view::brief(solved, state) };
        Ok(AroundAnswer { format: 1, states: found.iter().copied().map(near).collect(), choices })
    }
}

impl Question for AroundQuestion {
    type Context = Models;
    type Answer = AroundAnswer;

    fn check(&self, models: &Models) -> Result<(), Problem> {
        if !matches!(self.steps, 1 | 2) {
            return Err(Problem::impossible(format_args!("steps is {}", self.steps), "it is 1 or 2"));
        }
        self.question.check(models)
    }

    fn at_once(&self, models: &Models) -> Option<AroundAnswer> {
        // The states farther away may have ties, too, which take time to resolve. An exact solution has none.
        let solved = kept_without_ties(&self.question, models, self.state)?;
        if self.steps > 1 && !solved.is_exact() {
            return None;
        }
        self.answer_of(&**solved, None).ok()
    }

    fn answer(&self, run: &Run<'_>, models: &Models) -> Result<AroundAnswer, Problem> {
        self.answer_of(&**self.question.solved(run, models)?, Some(run))
    }
}
