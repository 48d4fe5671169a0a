//! A model walked through step by step. The server keeps no walk: a question says how it began and what was done.

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

/// A walk, and what is done next in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkQuestion {
    #[serde(deserialize_with = "object")]
    question: ModelQuestion,
    /// Where it begins: a state, or else a start.
    #[serde(default)]
    state: Option<u32>,
    #[serde(default)]
    start: usize,
    /// What was done, as answers tell it.
    #[serde(default)]
    steps: Vec<String>,
    /// What is done now.
    #[serde(default)]
    act: Option<Act>,
    /// So many entries of the log are known to who asks.
    #[serde(default)]
    since: usize,
    /// Decides what is rolled.
    #[serde(default)]
    seed: Option<u64>,
}

/// What is done in a walk.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Act {
    /// This choice of the state, counted from 0.
    Choose(u32),
    /// Chance decides.
    Roll,
    /// Chance brought this state.
    Came(u32),
}

/// A step that was done.
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

/// A walk, told.
#[derive(Serialize)]
pub struct WalkAnswer {
    format: u32,
    steps: Vec<String>,
    /// From the first entry that was not known on.
    log: Vec<Done>,
    now: Now,
}

/// An entry of the log: what was done, and how it stands after it.
#[derive(Serialize)]
struct Done {
    /// `null` for the beginning.
    step: Option<String>,
    /// `begin`, `answer` or `chance`.
    kind: &'static str,
    told: String,
    /// Where it led; `null` where chance has still to decide.
    state: Option<u32>,
    described: String,
    /// `question`, `chance` or `over`.
    look: &'static str,
    /// What the whole walk is worth now: what was earned, and what is still expected.
    win: Option<ValueJson>,
}

/// Where the walk is.
#[derive(Serialize)]
struct Now {
    look: &'static str,
    /// What was earned so far.
    earned: Number,
    /// What the whole walk is worth now.
    win: Option<ValueJson>,
    state: Option<StateJson>,
    chance: Option<Chance>,
}

/// What can come of a choice, or as a start.
#[derive(Serialize)]
struct Chance {
    /// The state in which it was chosen, and the choice; `null` for a start.
    from: Option<u32>,
    choice: Option<u32>,
    name: Option<String>,
    count: usize,
    outcomes: Vec<OutcomeJson>,
}

/// Where a walk stands.
#[derive(Clone)]
enum At {
    State(u32),
    /// Chance has to decide: after a choice, or how play begins.
    Chance {
        from: Option<(u32, u32)>,
        outcomes: Distribution<u32>,
    },
}

/// A walk while it is gone again.
struct Walk<'a> {
    solved: &'a dyn Solved,
    at: At,
    earned: Rational,
    log: Vec<Done>,
    entries: usize,
    since: usize,
}

impl Walk<'_> {
    fn look(&self) -> &'static str {
        match &self.at {
            At::Chance { .. } => "chance",
            At::State(state) if self.is_over(*state) => "over",
            At::State(_) => "question",
        }
    }

    fn is_over(&self, state: u32) -> bool {
        self.solved.choices(state) == 0 || self.solved.end(state).is_some()
    }

    /// What the whole walk is worth now.
    fn win(&self) -> Option<ValueJson> {
        let worth = match &self.at {
            At::State(state) => Worth::from(self.solved.value(*state)),
            At::Chance { from: Some((state, choice)), .. } => self.solved.worth(*state, *choice),
            At::Chance { from: None, outcomes } => value_of_start(self.solved, outcomes).into(),
        };
        view::worth(worth.after(&self.earned))
    }

    fn note(&mut self, step: Option<Step>, told: String) {
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
        let (step, look, win) = (step.map(|step| step.to_string()), self.look(), self.win());
        self.log.push(Done { step, kind, told, state, described, look, win });
    }

    /// Where chance leads from here, if it has only one way.
    fn settle(&mut self) {
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
        let told = match (step, self.at.clone()) {
            (Step::Chose(choice), At::State(state)) => {
                let choice =
                    is_choice(self.solved, state, choice).map_err(|problem| wrong(&problem.message, &problem.help))?;
                let outcomes = self.solved.outcomes(state, choice)?;
                self.at = At::Chance { from: Some((state, choice)), outcomes };
                self.settle();
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
                return Err(wrong(&"chance has to decide first", &"roll, or say which state came"));
            }
            (Step::Came(_), At::State(_)) => {
                return Err(wrong(&"nothing is left to chance here", &"choose, or take something back"));
            }
        };
        self.note(Some(step), told);
        Ok(())
    }

    fn now(&self, run: Option<&Run<'_>>) -> Result<Now, Problem> {
        let (state, chance) = match &self.at {
            At::State(state) => (Some(view::state(self.solved, *state, 0, run)?), None),
            At::Chance { from, outcomes } => {
                let ranked = view::likeliest_first(outcomes);
                let named = |(state, choice): (u32, u32)| self.solved.names(state).into_iter().nth(choice as usize);
                let told = ranked.iter().take(MOST_OUTCOMES).map(|ranked| view::outcome(self.solved, ranked));
                let chance = Chance {
                    from: from.map(|(state, _)| state),
                    choice: from.map(|(_, choice)| choice),
                    name: from.and_then(named).flatten(),
                    count: ranked.len(),
                    outcomes: told.collect(),
                };
                (None, Some(chance))
            }
        };
        Ok(Now { look: self.look(), earned: view::number(&self.earned), win: self.win(), state, chance })
    }
}

impl WalkQuestion {
    fn read_steps(&self) -> Result<Vec<Step>, Problem> {
        let help = "steps are written as the answers tell them: c2 for a choice, s15 for the state that came";
        steps::read(&self.steps, self.since, self.act.is_some(), help)
    }

    /// Goes the walk again, and does what is to be done; `None` where that would take long and nobody waits.
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
        walk.settle();
        walk.note(None, String::new());
        for (place, step) in steps.iter().enumerate() {
            if run.is_some_and(Run::is_stopped) {
                return Err(Problem::internal("nobody waits for this answer any more"));
            }
            walk.take(*step, place)?;
        }
        let next = match (self.act, &walk.at) {
            (None, _) => None,
            (Some(Act::Choose(choice)), _) => Some(Step::Chose(choice)),
            (Some(Act::Came(state)), _) => Some(Step::Came(state)),
            (Some(Act::Roll), At::Chance { outcomes, .. }) => {
                let seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one("seed"));
                // Each roll of a walk has a stream of its own.
                Some(Step::Came(*Dice::new(seed, steps.len() as u64).draw(outcomes)))
            }
            (Some(Act::Roll), At::State(_)) => {
                return Err(Problem::impossible("nothing is left to chance here", "choose, or take something back"));
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
        // What is wrong is said by who answers in his turn.
        self.walk(&**solved, None).ok()?
    }

    fn answer(&self, run: &Run<'_>, models: &Models) -> Result<WalkAnswer, Problem> {
        let told = self.walk(&**self.question.solved(run, models)?, Some(run))?;
        told.ok_or_else(|| Problem::internal("a walk that was to be told is not"))
    }
}
