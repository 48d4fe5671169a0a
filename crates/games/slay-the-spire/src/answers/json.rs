//! Answers as JSON. Each has `"format": 1`.

use mdp::Number;
use serde::Serialize;

use super::advise::Advice;
use super::named::Named;
use super::simulated_plays::SimulatedPlay;
use super::solve::Solved;
use super::worth::{Amount, Interval, Simulated, Worth};
use crate::request::communication::CommunicationPosition;
use crate::search::payoff::Objective;

/// A number with bounds. A missing bound is null in JSON, and then the decimal is the other one.
pub fn number(interval: Interval) -> Number {
    let Interval { lower, upper } = interval;
    let decimal = match (lower.is_finite(), upper.is_finite()) {
        (true, true) => interval.middle().clamp(lower, upper),
        (true, false) => lower,
        _ => upper,
    };
    Number { decimal, lower, upper, exact: None }
}

/// The same, exact where that is known.
pub fn amount(amount: &Amount) -> Number {
    match &amount.exact {
        // The bounds stay as wide as floating-point numbers.
        Some(exact) => Number::from(exact),
        None => number(amount.bounds),
    }
}

/// The value by the objective, exact where that is known.
fn value(worth: &Worth) -> Number {
    amount(&worth.amount())
}

/// The expected health: exact where it is known, or is the objective and known exactly.
fn expected_health(worth: &Worth) -> Option<Number> {
    let own = worth.expected_health?;
    if let Some(ends) = &worth.exact_ends {
        return Some(Number::from(&ends.expected_health));
    }
    Some(if worth.objective == Objective::Health && worth.exact.is_some() { value(worth) } else { number(own) })
}

/// The chance to survive, likewise.
fn survival(worth: &Worth) -> Number {
    if let Some(ends) = &worth.exact_ends {
        return Number::from(&ends.survival);
    }
    let exactly = worth.objective == Objective::Survival && worth.exact.is_some();
    if exactly { value(worth) } else { number(worth.survival) }
}

/// The JSON answer for the value of a fight before it starts.
#[derive(Debug, Serialize)]
pub struct FightAnswer {
    format: u32,
    value: Number,
    /// `None` where health has no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_health: Option<Number>,
    survival: Number,
    /// Simulated values, where the search was stopped: they prove nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<SimulatedAnswer>,
    final_health: Vec<FinalHealth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_health: Option<Vec<AtHealth>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Vec<AgainstOne>>,
    states: u64,
    choices: u64,
    outcomes: u64,
    /// Why the bounds are wider than they could be, if the run was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    /// One fight as a log, line by line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    log: Vec<String>,
}

/// Simulated values, separate from proved ones.
#[derive(Clone, Debug, Serialize)]
pub struct SimulatedAnswer {
    value: Number,
    wrong_in_less_than: f64,
    played: f64,
    plays: u64,
    foreseen: f64,
    worlds: u64,
}

impl SimulatedAnswer {
    /// The simulated values of a fight.
    pub(crate) fn new(simulated: Simulated) -> Self {
        let Simulated { value, played, plays, foreseen, worlds, error } = simulated;
        Self { value: number(value), wrong_in_less_than: error, played, plays, foreseen, worlds }
    }
}

#[derive(Debug, Serialize)]
struct FinalHealth {
    health: i16,
    probability: Number,
}

/// How a fight can end, exact where that is known.
fn final_health(worth: &Worth) -> Vec<FinalHealth> {
    let ending = |health: &i16, probability: Number| FinalHealth { health: *health, probability };
    match &worth.exact_ends {
        Some(ends) => ends.final_health.iter().map(|(health, chance)| ending(health, chance.into())).collect(),
        None => worth.final_health.iter().map(|(health, chance)| ending(health, number(*chance))).collect(),
    }
}

#[derive(Debug, Serialize)]
struct AtHealth {
    health: i16,
    value: Number,
    survival: Number,
}

#[derive(Debug, Serialize)]
struct AgainstOne {
    enemy_hp: u16,
    value: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_health: Option<Number>,
    survival: Number,
}

impl FightAnswer {
    /// The answer for the first requested health.
    ///
    /// # Panics
    /// When no health was requested.
    pub fn new(solved: &Solved) -> Self {
        let worth = &solved.worths[0];
        Self {
            format: 1,
            value: value(worth),
            expected_health: expected_health(worth),
            survival: survival(worth),
            simulated: worth.simulated.map(SimulatedAnswer::new),
            final_health: final_health(worth),
            by_health: None,
            by: None,
            states: solved.counts.states,
            choices: solved.counts.choices,
            outcomes: solved.counts.outcomes,
            stopped: solved.stopped.map(|stopped| stopped.to_string()),
            log: Vec::new(),
        }
    }

    /// The same with all requested healths.
    #[must_use]
    pub fn by_health(self, solved: &Solved) -> Self {
        let mut all: Vec<&Worth> = solved.worths.iter().collect();
        all.sort_by_key(|worth| std::cmp::Reverse(worth.health));
        all.dedup_by_key(|worth| worth.health);
        let at = |worth: &Worth| AtHealth { health: worth.health, value: value(worth), survival: survival(worth) };
        Self { by_health: Some(all.into_iter().map(at).collect()), ..self }
    }

    /// The same with each possible health of the enemy.
    #[must_use]
    pub fn by_enemy_health(self, each: &[(u16, Solved)]) -> Self {
        let against = |(enemy_hp, solved): &(u16, Solved)| {
            let worth = &solved.worths[0];
            let (value, expected_health, survival) = (value(worth), expected_health(worth), survival(worth));
            AgainstOne { enemy_hp: *enemy_hp, value, expected_health, survival }
        };
        Self { by: Some(each.iter().map(against).collect()), ..self }
    }

    /// The same with a log of one fight.
    #[must_use]
    pub fn with_log(self, log: Vec<String>) -> Self {
        Self { log, ..self }
    }
}

/// The JSON answer to what to play now.
#[derive(Debug, Serialize)]
pub struct PlaysAnswer {
    format: u32,
    value: Number,
    /// `None` where health has no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_health: Option<Number>,
    survival: Number,
    plays: Vec<TurnAnswer>,
    first: Vec<FirstAnswer>,
    /// Simulated values, where the search was stopped: they prove nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    simulated: Vec<SimulatedPlay>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    /// Of a message of `CommunicationMod`: the play to make, as it takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    /// What the message does not say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assumed: Vec<String>,
}

#[derive(Debug, Serialize)]
struct TurnAnswer {
    cards: Vec<String>,
    steps: Vec<Named>,
    value: Number,
    /// `None` where health has no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_health: Option<Number>,
    survival: Number,
}

#[derive(Debug, Serialize)]
struct FirstAnswer {
    #[serde(flatten)]
    play: Named,
    value: Number,
}

impl PlaysAnswer {
    /// The answer; `None` if there is no play at all, which cannot happen.
    pub fn new(advice: &Advice) -> Option<Self> {
        let (_, best) = advice.first.first()?;
        Some(Self {
            format: 1,
            value: value(best),
            expected_health: expected_health(best),
            survival: survival(best),
            plays: advice
                .turns
                .iter()
                .map(|(steps, worth)| TurnAnswer {
                    cards: steps.iter().filter_map(|step| step.play.clone().or(step.potion.clone())).collect(),
                    steps: steps.clone(),
                    value: value(worth),
                    expected_health: expected_health(worth),
                    survival: survival(worth),
                })
                .collect(),
            first: advice
                .first
                .iter()
                .map(|(play, worth)| FirstAnswer { play: play.clone(), value: value(worth) })
                .collect(),
            simulated: advice.simulated.clone(),
            stopped: advice.stopped.map(|stopped| stopped.to_string()),
            command: None,
            assumed: Vec::new(),
        })
    }

    /// The same for a position that was read from a message.
    #[must_use]
    pub fn to_message(self, advice: &Advice, read: &CommunicationPosition) -> Self {
        let command = advice.to_play().and_then(|play| read.command(play));
        Self { command, assumed: read.assumed.clone(), ..self }
    }
}

#[cfg(test)]
mod tests;
