//! Answers of `mdp solve`, as text and as JSON.

use std::fmt::Write as _;

use model_questions::{RewardBound, ValueJson};
use serde::Serialize;

use super::input::ReadModel;
use super::sense::SenseArg;
use super::solve_args::SolveArgs;
use crate::memory;
use crate::output::{Failure, Format, print, print_json};

/// A goal, and the values of the initial states.
pub struct GoalAnswer {
    pub goal: String,
    pub values: Vec<(u32, ValueJson)>,
}

/// Statistics of a run besides its values.
#[derive(Default)]
pub struct Report {
    states: u32,
    choices: u32,
    transitions: u32,
    /// The number of states whose choices were left out because the question is decided there.
    cut_states: u32,
    normalised_choices: u64,
    /// Whether some bounds are wider than requested.
    pub too_wide: bool,
    pub seconds_read: f64,
    pub seconds_solve: f64,
}

impl Report {
    /// Adds the sizes of another model: the largest is reported.
    pub fn add(&mut self, ReadModel { model, cut }: &ReadModel) {
        if model.states() >= self.states {
            self.states = model.states();
            self.choices = model.choice_count();
            self.transitions = model.transitions();
            self.cut_states = *cut;
            self.normalised_choices = model.normalised_choices();
        }
    }

    /// Prints the values of the initial states for every goal.
    pub fn print(&self, args: &SolveArgs, answers: &[GoalAnswer]) -> Result<(), Failure> {
        if args.format == Format::Json {
            print_json(&self.json(args, answers))
        } else {
            print(&self.text(args, answers))
        }
    }

    fn json<'a>(&self, args: &'a SolveArgs, answers: &'a [GoalAnswer]) -> SolveJson<'a> {
        let values = |answer: &'a GoalAnswer| -> Vec<InitialJson<'a>> {
            answer.values.iter().map(|(state, value)| InitialJson { state: *state, value }).collect()
        };
        let one = |answer: &'a GoalAnswer| if let [(_, value)] = &answer.values[..] { Some(value) } else { None };
        let only = if let [answer] = answers { Some(answer) } else { None };
        SolveJson {
            format: 1,
            goal: only.map(|answer| answer.goal.as_str()),
            objective: match args.sense {
                SenseArg::Max => "max",
                SenseArg::Min => "min",
            },
            measure: if args.reward.is_some() { "reward" } else { "probability" },
            reward: args.reward.as_deref(),
            until: args.until.as_deref(),
            steps: args.steps,
            reward_bounds: &args.reward_bound,
            precision: args.precision,
            within_precision: !self.too_wide,
            value: only.and_then(one),
            values: only.map(values).unwrap_or_default(),
            goals: answers
                .iter()
                .map(|answer| GoalJson { goal: &answer.goal, value: one(answer), values: values(answer) })
                .collect(),
            states: self.states,
            choices: self.choices,
            transitions: self.transitions,
            cut_states: self.cut_states,
            normalised_choices: self.normalised_choices,
            seconds_read: self.seconds_read,
            seconds_solve: self.seconds_solve,
            peak_memory_bytes: memory::peak(),
        }
    }

    fn text(&self, args: &SolveArgs, answers: &[GoalAnswer]) -> String {
        let Self { states, choices, transitions, cut_states, normalised_choices, .. } = self;
        let Self { too_wide, seconds_read, seconds_solve, .. } = self;
        let file = args.model.file.display();
        let mut text = format!("{file}: {states} states, {choices} choices, {transitions} transitions\n");
        // Writing to a string does not fail.
        if *cut_states > 0 {
            let _ = writeln!(
                text,
                "play is over in {cut_states} of them, and nothing behind is explored (--all-states explores all)"
            );
        }
        if *normalised_choices > 0 {
            let _ = writeln!(
                text,
                "the decimal probabilities of {normalised_choices} choices missed 1 by less than 1e-9 and were divided by their sum"
            );
        }
        for GoalAnswer { goal, values } in answers {
            text += &heading(args, goal);
            for (state, value) in values {
                let from = if values.len() > 1 { format!("from state {state}: ") } else { String::new() };
                let _ = writeln!(text, "  {from}{}", value.text());
            }
        }
        if *too_wide {
            let _ = writeln!(
                text,
                "not all bounds are within {:e} of their values: ask for fractions (--exact), or raise --max-memory or --max-time",
                args.precision
            );
        }
        let _ = writeln!(text, "read in {seconds_read:.3} s, solved in {seconds_solve:.3} s");
        text
    }
}

/// The heading of an answer.
fn heading(args: &SolveArgs, goal: &str) -> String {
    let largest = match args.sense {
        SenseArg::Max => "largest",
        SenseArg::Min => "smallest",
    };
    let mut text = match &args.reward {
        Some(name) => format!("{largest} expected total of `{name}` until {goal}"),
        None => format!("{largest} probability of reaching {goal}"),
    };
    // Writing to a string does not fail.
    if let Some(until) = &args.until {
        let _ = write!(text, ", with {until} on the way");
    }
    if let Some(steps) = args.steps {
        let _ = write!(text, ", within {steps} steps");
    }
    for bound in &args.reward_bound {
        let RewardBound { name, most } = bound;
        let _ = write!(text, ", with at most {most} of `{name}`");
    }
    text + "\n"
}

#[derive(Serialize)]
struct InitialJson<'a> {
    state: u32,
    #[serde(flatten)]
    value: &'a ValueJson,
}

#[derive(Serialize)]
struct GoalJson<'a> {
    goal: &'a str,
    /// Null when there are several initial states.
    value: Option<&'a ValueJson>,
    values: Vec<InitialJson<'a>>,
}

#[derive(Serialize)]
struct SolveJson<'a> {
    format: u32,
    /// Null when there are several.
    goal: Option<&'a str>,
    /// `max` or `min`.
    objective: &'static str,
    /// `probability` or `reward`.
    measure: &'static str,
    reward: Option<&'a str>,
    until: Option<&'a str>,
    steps: Option<u64>,
    reward_bounds: &'a [RewardBound],
    /// The relative distance allowed between bounds.
    precision: f64,
    /// Whether all bounds, including those in tables, are within it.
    within_precision: bool,
    /// Null when there are several initial states, or several goals.
    value: Option<&'a ValueJson>,
    /// One for each initial state; empty when there are several goals.
    values: Vec<InitialJson<'a>>,
    goals: Vec<GoalJson<'a>>,
    states: u32,
    choices: u32,
    transitions: u32,
    /// States whose choices were left out because the question is decided there.
    cut_states: u32,
    normalised_choices: u64,
    seconds_read: f64,
    seconds_solve: f64,
    /// Null if the system does not report it.
    peak_memory_bytes: Option<u64>,
}
