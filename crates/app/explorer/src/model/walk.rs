//! A walk through a model, step by step. The server stores no walks: each request has the beginning and all steps.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::str::FromStr;

use mdp::{Dice, Distribution, Number, Rational};
use model_questions::ValueJson;
use serde::{Deserialize, Serialize};

use super::found::is_state;
use super::look::{is_choice, value_of_start};
use super::question::ModelQuestion;
use super::registry::Models;
use super::solved::{Solved, Worth};
use super::view::{self, MOST_OUTCOMES, OutcomeJson, StateJson};
use crate::question::{Problem, Question, Run, object, steps};

/// Asks for a walk: its beginning, its steps so far, and what to do next.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkQuestion {
    #[serde(deserialize_with = "object")]
    question: ModelQuestion,
    /// Where it begins: a state, or otherwise a start.
    #[serde(default)]
    state: Option<u32>,
    #[serde(default)]
    start: usize,
    /// The steps so far, copied from the last answer.
    #[serde(default)]
    steps: Vec<String>,
    /// The next step.
    #[serde(default)]
    act: Option<Act>,
    /// How many entries of the log the client has already.
    #[serde(default)]
    since: usize,
    /// The seed of the rolls.
    #[serde(default)]
    seed: Option<u64>,
}

/// The next step of a walk.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Act {
    /// The choice of this number, counted from 0.
    Choose(u32),
    /// The server rolls.
    Roll,
    /// The outcome is this state.
    Came(u32),
}

/// A step of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Chose(u32),
    Came(u32),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chose(choice) => write!(f, "c{choice}"),
            Self::Came(state) => write!(f, "s{state}"),
        }
    }
}

impl FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |rest: &str| if rest.starts_with('+') { None } else { rest.parse().ok() };
        let step = match (text.strip_prefix('c'), text.strip_prefix('s')) {
            (Some(choice), _) => number(choice).map(Self::Chose),
            (_, Some(state)) => number(state).map(Self::Came),
            _ => None,
        };
        step.ok_or_else(|| format!("{text:?} is no step"))
    }
}

#[derive(Serialize)]
pub struct WalkAnswer {
    format: u32,
    steps: Vec<String>,
    /// The entries that the client does not have.
    log: Vec<LogEntry>,
    now: Now,
}

/// An entry of the log: a step, and the position after it.
#[derive(Serialize)]
struct LogEntry {
    /// `null` for the beginning.
    step: Option<String>,
    /// `begin`, `answer` or `chance`.
    kind: &'static str,
    text: String,
    /// The state after it; `null` before a roll.
    state: Option<u32>,
    described: String,
    /// `question`, `chance` or `over`.
    phase: &'static str,
    /// The value of the whole walk: the rewards so far, and the expected further ones.
    win: Option<ValueJson>,
}

/// The last position of the walk.
#[derive(Serialize)]
struct Now {
    phase: &'static str,
    /// The rewards so far.
    earned: Number,
    /// The value of the whole walk.
    win: Option<ValueJson>,
    state: Option<StateJson>,
    chance: Option<Chance>,
}

/// The outcomes of a choice or of a start.
#[derive(Serialize)]
struct Chance {
    /// The state and the choice; `null` for a start.
    from: Option<u32>,
    choice: Option<u32>,
    name: Option<String>,
    count: usize,
    outcomes: Vec<OutcomeJson>,
}

/// The position of a walk.
#[derive(Clone)]
enum At {
    State(u32),
    /// Before a roll: after a choice, or before the beginning.
    Chance {
        from: Option<(u32, u32)>,
        outcomes: Distribution<u32>,
    },
}

/// A walk while its steps are repeated.
struct Walk<'a> {
    solved: &'a dyn Solved,
    at: At,
    earned: Rational,
    log: Vec<LogEntry>,
    entries: usize,
    since: usize,
}

impl Walk<'_> {
    fn phase(&self) -> &'static str {
        match &self.at {
            At::Chance { .. } => "chance",
            At::State(state) if self.is_over(*state) => "over",
            At::State(_) => "question",
        }
    }

    fn is_over(&self, state: u32) -> bool {
        self.solved.choices(state) == 0 || self.solved.end(state).is_some()
    }

    /// The value of the whole walk.
    fn win(&self) -> Option<ValueJson> {
        let worth = match &self.at {
            At::State(state) => Worth::from(self.solved.value(*state)),
            At::Chance { from: Some((state, choice)), .. } => self.solved.worth(*state, *choice),
            At::Chance { from: None, outcomes } => value_of_start(self.solved, outcomes).into(),
        };
        view::worth(worth.after(&self.earned))
    }

    fn note(&mut self, step: Option<Step>, text: String) {
        self.entries += 1;
        if self.entries <= self.since {
            return;
        }
        let (state, described) = match &self.at {
            At::State(state) => (Some(*state), view::described(self.solved, *state)),
            At::Chance { .. } => (None, String::new()),
        };
        let kind = match step {
            None => "begin",
            Some(Step::Chose(_)) => "answer",
            Some(Step::Came(_)) => "chance",
        };
        let (step, phase, win) = (step.map(|step| step.to_string()), self.phase(), self.win());
        self.log.push(LogEntry { step, kind, text, state, described, phase, win });
    }

    /// Takes the next roll if it has a single outcome.
    fn skip_certain_outcome(&mut self) {
        let At::Chance { from, outcomes } = &self.at else { return };
        let only = if outcomes.size() == 1 { outcomes.iter().next().map(|(state, _)| *state) } else { None };
        let from = *from;
        if let Some(state) = only {
            self.arrive(from, state);
        }
    }

    fn arrive(&mut self, from: Option<(u32, u32)>, state: u32) {
        if let Some((before, choice)) = from {
            self.earned += self.solved.earns(before, choice);
        }
        self.at = At::State(state);
    }

    fn take(&mut self, step: Step, place: usize) -> Result<(), Problem> {
        let wrong = |message: &dyn fmt::Display, help: &dyn fmt::Display| {
            Problem::impossible(format_args!("step {}: {message}", place + 1), help)
        };
        let text = match (step, self.at.clone()) {
            (Step::Chose(choice), At::State(state)) => {
                let choice =
                    is_choice(self.solved, state, choice).map_err(|problem| wrong(&problem.message, &problem.help))?;
                let outcomes = self.solved.outcomes(state, choice)?;
                self.at = At::Chance { from: Some((state, choice)), outcomes };
                self.skip_certain_outcome();
                let name = self.solved.names(state).into_iter().nth(choice as usize).flatten();
                name.unwrap_or_else(|| format!("choice {choice}"))
            }
            (Step::Came(state), At::Chance { from, outcomes }) => {
                if !outcomes.iter().any(|(known, _)| *known == state) {
                    let help = "name a state to which the choice leads";
                    return Err(wrong(&format_args!("state {state} cannot come up here"), &help));
                }
                self.arrive(from, state);
                format!("came to state {state}")
            }
            (Step::Chose(_), At::Chance { .. }) => {
                return Err(wrong(&"chance has to decide first", &"roll, or give the state that came"));
            }
            (Step::Came(_), At::State(_)) => {
                return Err(wrong(&"nothing is left to chance here", &"choose, or undo a step"));
            }
        };
        self.note(Some(step), text);
        Ok(())
    }

    fn now(&self, run: Option<&Run<'_>>) -> Result<Now, Problem> {
        let (state, chance) = match &self.at {
            At::State(state) => (Some(view::state(self.solved, *state, 0, run)?), None),
            At::Chance { from, outcomes } => {
                let ranked = view::likeliest_first(outcomes);
                let named = |(state, choice): (u32, u32)| self.solved.names(state).into_iter().nth(choice as usize);
                let outcomes = ranked.iter().take(MOST_OUTCOMES).map(|ranked| view::outcome(self.solved, ranked));
                let chance = Chance {
                    from: from.map(|(state, _)| state),
                    choice: from.map(|(_, choice)| choice),
                    name: from.and_then(named).flatten(),
                    count: ranked.len(),
                    outcomes: outcomes.collect(),
                };
                (None, Some(chance))
            }
        };
        Ok(Now { phase: self.phase(), earned: view::number(&self.earned), win: self.win(), state, chance })
    }
}

impl WalkQuestion {
    fn read_steps(&self) -> Result<Vec<Step>, Problem> {
        let help = "copy the steps of an answer: c2 is a choice, s15 the state that came";
        steps::read(&self.steps, self.since, self.act.is_some(), help)
    }

    /// Repeats the steps of the walk, and then takes the next one. Without a run it returns `None` if that would take long.
    fn walk(&self, solved: &dyn Solved, run: Option<&Run<'_>>) -> Result<Option<WalkAnswer>, Problem> {
        let mut steps = self.read_steps()?;
        let at = match self.state {
            Some(state) => At::State(is_state(solved, state)?),
            None => {
                let none = || {
                    let help = format_args!("its starts are 0 to {}", solved.starts().saturating_sub(1)).to_string();
                    Problem::impossible(format_args!("there is no start {}", self.start), help)
                };
                At::Chance { from: None, outcomes: solved.start(self.start).ok_or_else(none)? }
            }
        };
        let mut walk = Walk { solved, at, earned: Rational::ZERO, log: Vec::new(), entries: 0, since: self.since };
        walk.skip_certain_outcome();
        walk.note(None, String::new());
        for (place, step) in steps.iter().enumerate() {
            if run.is_some_and(Run::is_stopped) {
                return Err(Problem::internal("the client has gone away"));
            }
            walk.take(*step, place)?;
        }
        let next = match (self.act, &walk.at) {
            (None, _) => None,
            (Some(Act::Choose(choice)), _) => Some(Step::Chose(choice)),
            (Some(Act::Came(state)), _) => Some(Step::Came(state)),
            (Some(Act::Roll), At::Chance { outcomes, .. }) => {
                let seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one("seed"));
                // Each roll of a walk has its own stream of random numbers.
                Some(Step::Came(*Dice::new(seed, steps.len() as u64).draw(outcomes)))
            }
            (Some(Act::Roll), At::State(_)) => {
                return Err(Problem::impossible("nothing is left to chance here", "choose, or undo a step"));
            }
        };
        if let Some(step) = next {
            walk.take(step, steps.len())?;
            steps.push(step);
        }
        if let (None, At::State(state)) = (run, &walk.at)
            && solved.is_open(*state)
        {
            return Ok(None);
        }
        let now = walk.now(run)?;
        let steps = steps.iter().map(ToString::to_string).collect();
        Ok(Some(WalkAnswer { format: 1, steps, log: walk.log, now }))
    }
}

impl Question for WalkQuestion {
    type Context = Models;
    type Answer = WalkAnswer;

    fn check(&self, models: &Models) -> Result<(), Problem> {
        self.question.check(models)?;
        self.read_steps().map(|_| ())
    }

    fn at_once(&self, models: &Models) -> Option<WalkAnswer> {
        let solved = if steps::are_few(&self.steps, self.since) { self.question.kept(models)? } else { return None };
        // A problem is reported by `answer`, which repeats the walk.
        self.walk(&**solved, None).ok()?
    }

    fn answer(&self, run: &Run<'_>, models: &Models) -> Result<WalkAnswer, Problem> {
        let answer = self.walk(&**self.question.solved(run, models)?, Some(run))?;
        answer.ok_or_else(|| Problem::internal("a walk has no answer"))
    }
}
