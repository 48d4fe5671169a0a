//! The questions about a model and its states, except walks.

use std::sync::Arc;

use budget::Stage;
use mdp::{Distribution, Rational, Value, enclose, exactly};
use model_questions::ValueJson;
use serde::{Deserialize, Serialize};

use super::found::is_state;
use super::question::ModelQuestion;
use super::registry::Models;
use super::solved::Solved;
use super::source::About;
use super::view::{self, Brief, MOST_OUTCOMES, OutcomeJson, StateJson};
use crate::question::{Problem, Question, Run, object};

/// The most starts, and the most found states, in one answer.
const MOST_STARTS: usize = 50;
const MOST_FOUND: usize = 50;
/// The longest text to search states for, in bytes.
const LONGEST: usize = 200;

/// Asks for the labels and reward models of a model; nothing is solved.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AboutQuestion {
    #[serde(default)]
    model: String,
}

#[derive(Serialize)]
pub struct AboutAnswer {
    format: u32,
    model: String,
    #[serde(flatten)]
    about: About,
}

impl AboutQuestion {
    fn about(&self, models: &Models) -> Result<AboutAnswer, Problem> {
        let offered = models.model(&self.model)?;
        let mut about = offered.source.about();
        about.labels.truncate(MOST_NAMES);
        about.rewards.truncate(MOST_NAMES);
        Ok(AboutAnswer { format: 1, model: offered.name.clone(), about })
    }
}

/// The most labels, and the most reward models, in one answer.
const MOST_NAMES: usize = 200;

impl Question for AboutQuestion {
    type Context = Models;
    type Answer = AboutAnswer;

    fn check(&self, models: &Models) -> Result<(), Problem> {
        models.model(&self.model).map(|_| ())
    }

    fn at_once(&self, models: &Models) -> Option<AboutAnswer> {
        self.about(models).ok()
    }

    fn answer(&self, _: &Run<'_>, models: &Models) -> Result<AboutAnswer, Problem> {
        self.about(models)
    }
}

/// Asks for the values of the starts of a model.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveQuestion {
    #[serde(deserialize_with = "object")]
    question: ModelQuestion,
}

#[derive(Serialize)]
pub struct SolveAnswer {
    format: u32,
    states: u64,
    choices: u64,
    transitions: u64,
    starts: Vec<StartJson>,
    /// Starts beyond those listed.
    left_out: usize,
}

#[derive(Serialize)]
struct StartJson {
    value: ValueJson,
    /// How many states it can be, and the likeliest of them.
    count: usize,
    states: Vec<OutcomeJson>,
}

/// The value of a start; `None` if it is infinite.
pub fn value_of_start(solved: &dyn Solved, start: &Distribution<u32>) -> Option<Value> {
    if let (1, Some((state, _))) = (start.size(), start.iter().next()) {
        return solved.value(*state);
    }
    let mean = |end: &dyn Fn(&Value) -> Option<Rational>| {
        let mut sum = Rational::ZERO;
        for (state, chance) in start.probabilities() {
            sum += end(&solved.value(*state)?)? * chance;
        }
        Some(sum)
    };
    if let Some(exact) = mean(&|value| value.exact.clone()) {
        return Some(Value::exactly(exact));
    }
    // In fractions, rounded outwards once.
    let lower = enclose(&mean(&|value| exactly(value.lower))?).0;
    let upper = enclose(&mean(&|value| exactly(value.upper))?).1;
    Some(Value { lower, upper, exact: None })
}

impl SolveQuestion {
    fn answer_of(solved: &dyn Solved) -> SolveAnswer {
        let [states, choices, transitions] = solved.counts();
        let start = |start: Distribution<u32>| {
            let all = view::likeliest_first(&start);
            StartJson {
                value: ValueJson::new(value_of_start(solved, &start).as_ref()),
                count: all.len(),
                states: all.iter().take(MOST_OUTCOMES).map(|one| view::outcome(solved, one)).collect(),
            }
        };
        SolveAnswer {
            format: 1,
            states,
            choices,
            transitions,
            starts: (0..MOST_STARTS).map_while(|place| solved.start(place)).map(start).collect(),
            left_out: solved.starts().saturating_sub(MOST_STARTS),
        }
    }
}

impl Question for SolveQuestion {
    type Context = Models;
    type Answer = SolveAnswer;

    fn check(&self, models: &Models) -> Result<(), Problem> {
        self.question.check(models)
    }

    fn at_once(&self, models: &Models) -> Option<SolveAnswer> {
        self.question.kept(models).map(|solved| Self::answer_of(&**solved))
    }

    fn answer(&self, run: &Run<'_>, models: &Models) -> Result<SolveAnswer, Problem> {
        Ok(Self::answer_of(&**self.question.solved(run, models)?))
    }
}

/// Asks for a state with its choices.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateQuestion {
    #[serde(deserialize_with = "object")]
    question: ModelQuestion,
    state: u32,
    /// Choices before this one (best first) are left out.
    #[serde(default)]
    from: usize,
}

#[derive(Serialize)]
pub struct StateAnswer {
    format: u32,
    #[serde(flatten)]
    state: StateJson,
}

impl StateQuestion {
    fn answer_of(&self, solved: &dyn Solved, run: Option<&Run<'_>>) -> Result<StateAnswer, Problem> {
        let state = is_state(solved, self.state)?;
        Ok(StateAnswer { format: 1, state: view::state(solved, state, self.from, run)? })
    }
}

/// The solved model from the shelf, if the choices of this state have no ties to resolve, so that it can answer at once.
pub fn kept_without_ties(question: &ModelQuestion, models: &Models, state: u32) -> Option<Arc<Box<dyn Solved>>> {
    question.kept(models).filter(|solved| is_state(&***solved, state).is_ok() && !solved.is_open(state))
}

impl Question for StateQuestion {
    type Context = Models;
    type Answer = StateAnswer;

    fn check(&self, models: &Models) -> Result<(), Problem> {
        self.question.check(models)
    }

    fn at_once(&self, models: &Models) -> Option<StateAnswer> {
        self.answer_of(&**kept_without_ties(&self.question, models, self.state)?, None).ok()
    }

    fn answer(&self, run: &Run<'_>, models: &Models) -> Result<StateAnswer, Problem> {
        self.answer_of(&**self.question.solved(run, models)?, Some(run))
    }
}

/// Asks for the outcomes of a choice.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomesQuestion {
    #[serde(deserialize_with = "object")]
    question: ModelQuestion,
    state: u32,
    choice: u32,
    /// How many of the likeliest to leave out.
    #[serde(default)]
    from: usize,
}

#[derive(Serialize)]
pub struct OutcomesAnswer {
    format: u32,
    state: u32,
    choice: u32,
    count: usize,
    outcomes: Vec<OutcomeJson>,
}

/// A choice that a state has.
pub fn is_choice(solved: &dyn Solved, state: u32, choice: u32) -> Result<u32, Problem> {
    let choices = solved.choices(state);
    if choice < choices {
        return Ok(choice);
    }
    let help = if choices == 0 {
        "there is nothing to choose in it".into()
    } else {
        format!("its choices are 0 to {}", choices - 1)
    };
    Err(Problem::impossible(format_args!("there is no choice {choice} in state {state}"), help))
}

impl OutcomesQuestion {
    fn answer_of(&self, solved: &dyn Solved) -> Result<OutcomesAnswer, Problem> {
        let state = is_state(solved, self.state)?;
        let choice = is_choice(solved, state, self.choice)?;
        let ranked = view::ranked(solved, state, choice)?;
        let outcomes = ranked.iter().skip(self.from).take(MOST_OUTCOMES);
        let outcomes = outcomes.map(|ranked| view::outcome(solved, ranked)).collect();
        Ok(OutcomesAnswer { format: 1, state, choice, count: ranked.len(), outcomes })
    }
}

impl Question for OutcomesQuestion {
    type Context = Models;
    type Answer = OutcomesAnswer;

    fn check(&self, models: &Models) -> Result<(), Problem> {
        self.question.check(models)
    }

    fn at_once(&self, models: &Models) -> Option<OutcomesAnswer> {
        self.answer_of(&**self.question.kept(models)?).ok()
    }

    fn answer(&self, run: &Run<'_>, models: &Models) -> Result<OutcomesAnswer, Problem> {
        self.answer_of(&**self.question.solved(run, models)?)
    }
}

/// Asks for states by number or description.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindQuestion {
    #[serde(deserialize_with = "object")]
    question: ModelQuestion,
    /// A number, or a part of a description; empty: all states.
    #[serde(default)]
    find: String,
    /// The first number to look at.
    #[serde(default)]
    from: u32,
}

#[derive(Serialize)]
pub struct FindAnswer {
    format: u32,
    states: Vec<Brief>,
    /// The first number not looked at; `null` if that were all.
    next: Option<u32>,
}

impl Question for FindQuestion {
    type Context = Models;
    type Answer = FindAnswer;

    fn check(&self, models: &Models) -> Result<(), Problem> {
        if self.find.len() > LONGEST {
            let help = format_args!("look for {LONGEST} bytes at most");
            return Err(Problem::impossible("the text to look for is too long", help));
        }
        self.question.check(models)
    }

    fn answer(&self, run: &Run<'_>, models: &Models) -> Result<FindAnswer, Problem> {
        let solved = self.question.solved(run, models)?;
        let [all, ..] = solved.counts();
        let wanted = self.find.trim().to_lowercase();
        let number = wanted.parse::<u32>().ok();
        let mut states = Vec::new();
        for state in self.from..u32::try_from(all).expect("states have numbers of 32 bits") {
            let waiting = all - u64::from(state);
            run.budget.step(Stage::Reading, state.into(), waiting).map_err(|stopped| Problem::stopped(&stopped))?;
            let is_wanted =
                wanted.is_empty() || number == Some(state) || solved.described(state).to_lowercase().contains(&wanted);
            if is_wanted && states.len() == MOST_FOUND {
                return Ok(FindAnswer { format: 1, states, next: Some(state) });
            }
            if is_wanted {
                states.push(view::brief(&**solved, state));
            }
        }
        Ok(FindAnswer { format: 1, states, next: None })
    }
}
