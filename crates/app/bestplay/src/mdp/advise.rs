//! `mdp advise`: what every choice of a state is worth.

use std::fmt::Write as _;

use clap::Args;
use mdp::SolveOptions;
use model_files::ExplicitModel;
use model_questions::{Answer, ChoiceValue, Question, ValueJson};
use prism::{Reaching, ReadRequest};
use serde::Serialize;

use super::input::{ModelArgs, no_state, reward_model, states};
use super::sense::SenseArg;
use super::unanswered::{unanswered, unprepared, unsolved};
use crate::arguments::engine_args::{EngineArgs, Run};
use crate::output::{Failure, Format, print, print_json};

/// Arguments of `advise`.
#[derive(Args)]
pub struct AdviseArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// The goal states: labels with &, |, ! and parentheses
    #[arg(long, value_name = "LABELS")]
    goal: String,
    /// Only these states may lie on the way to the goal
    #[arg(long, value_name = "LABELS", conflicts_with = "reward")]
    until: Option<String>,
    /// The direction: the largest or the smallest value
    #[arg(long, value_enum, default_value_t = SenseArg::Max)]
    sense: SenseArg,
    /// The expected total of this reward model until the goal, instead of the probability
    #[arg(long, value_name = "NAME")]
    reward: Option<String>,
    /// The number of the state [default: the initial state]
    #[arg(long, value_name = "STATE")]
    at: Option<u32>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// Prints every choice of a state, the one to take first.
pub fn advise(args: &AdviseArgs, run: Run<'_>) -> Result<(), Failure> {
    let budget = run.budget;
    let reaching = Reaching { goal: &args.goal, until: args.until.as_deref(), steps: None, bounds: &[] };
    let asked = ReadRequest { question: Some(reaching), from: args.at, ..ReadRequest::default() };
    let model = args.model.read(&asked, args.until.as_deref(), budget)?.model;
    let state = standing(args, &model)?;
    let question = Question {
        model: &model,
        goal: states(&model, &args.goal, "--goal", budget)?,
        until: args.until.as_ref().map(|until| states(&model, until, "--until", budget)).transpose()?,
        sense: args.sense.into(),
        reward: args.reward.as_deref().map(|name| reward_model(&model, name)).transpose()?,
    };
    let prepared = question.prepare(budget).map_err(|error| unprepared(&error))?;
    let options = SolveOptions::from(*run.options).with_exact(args.engine.exact);
    let answer = prepared.answer(&options).map_err(|error| unanswered(&error, &[state], Answer::value))?;
    let choices = answer.advise(&question, state, budget).map_err(|error| unsolved(&error))?;
    let choice = |ChoiceValue { choice, value, best, standing }| ChoiceJson {
        choice,
        standing: standing.name(),
        note: standing.note(),
        action: model.action(model.choices(state).start + choice).map(String::from),
        best,
        value: ValueJson::new(value.as_ref()),
    };
    let answer = AdviseJson {
        format: 1,
        state: args.at.unwrap_or(state),
        value: ValueJson::new(answer.value(state).as_ref()),
        choices: choices.into_iter().map(choice).collect(),
    };
    match args.format {
        Format::Text => print(&answer.text()),
        Format::Json => print_json(&answer),
    }
}

/// The state in question.
fn standing(args: &AdviseArgs, model: &ExplicitModel) -> Result<u32, Failure> {
    let initial: Vec<u32> = model.initial().iter().take(2).collect();
    match (args.at, &initial[..]) {
        // It was explored from there.
        (Some(_), _) if args.model.is_prism() => Ok(0),
        (Some(state), _) if state < model.states() => Ok(state),
        (Some(state), _) => Err(no_state(state, model.states())),
        (None, [state]) => Ok(*state),
        (None, _) => {
            let problem = format_args!("{} has not one initial state", args.model.file.display());
            Err(Failure::bad_input(problem, "name a state with --at"))
        }
    }
}

#[derive(Serialize)]
struct AdviseJson {
    format: u32,
    state: u32,
    value: ValueJson,
    /// The one to take first; empty for terminal states.
    choices: Vec<ChoiceJson>,
}

#[derive(Serialize)]
struct ChoiceJson {
    /// The index within the state.
    choice: u32,
    /// Null if the file does not name it.
    action: Option<String>,
    /// Whether no other choice is better (proved).
    best: bool,
    /// `first`: following it, here and everywhere, attains the value; `equal`: so does always taking this one here;
    /// `leads-back`: no worse, but always taking it here never attains the value; `worse`.
    standing: &'static str,
    #[serde(skip)]
    note: Option<&'static str>,
    #[serde(flatten)]
    value: ValueJson,
}

impl AdviseJson {
    fn text(&self) -> String {
        let mut text = format!("state {}: {}\n", self.state, self.value.text());
        if self.choices.is_empty() {
            text.push_str("nothing is left to choose here\n");
        } else {
            text.push_str("the choices, * = best:\n");
        }
        for (place, ChoiceJson { choice, action, note, value, .. }) in self.choices.iter().enumerate() {
            let star = if place == 0 { '*' } else { ' ' };
            let name = action.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
            let note = note.map(|note| format!("  [{note}]")).unwrap_or_default();
            // Writing to a string does not fail.
            let _ = writeln!(text, "{star} {choice}{name}: {}{note}", value.text());
        }
        text
    }
}
