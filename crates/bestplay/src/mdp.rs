//! `bestplay mdp`: models in the files of other tools.

mod certificate;
mod graph;
mod reach;

use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Instant;

use budget::Budget;
use clap::{Args, Subcommand, ValueEnum};
use mdp::{BuildError, ExploreOptions, Number, Rational, Sense, SolveError, SolveOptions, Value, decimal_text};
use model_files::{ExplicitModel, Expression, ExpressionError, ReadError, RewardModel, StateSet};
use serde::Serialize;
use verify::{Certificate, CheckError, Claim, FormatError, check};

use self::reach::{Answer, Prepared, Question, prepare_and_drop};
use crate::engine_args::{EngineArgs, RunArgs};
use crate::export;
use crate::memory;
use crate::output::{Failure, Format, print, print_json, write_file};

/// What can be done with models in files.
#[derive(Subcommand)]
pub enum Verb {
    /// The best probability of reaching a goal, or the best expected reward until then
    #[command(after_long_help = SOLVE_EXAMPLES)]
    Solve(SolveArgs),
    /// Check a certificate: are its values the optimal ones? Exit code 0: yes, 1: no
    #[command(after_long_help = VERIFY_EXAMPLES)]
    Verify(VerifyArgs),
}

const SOLVE_EXAMPLES: &str = "\
Examples:
  bestplay mdp solve coin.drn --goal 'finished & !agree'
  bestplay mdp solve coin.drn --goal finished --reward steps --sense min --exact
  bestplay mdp solve coin.umb --goal '\"all heads\" | stuck' --certificate proof.txt --format json";

const VERIFY_EXAMPLES: &str = "\
Examples:
  bestplay mdp solve coin.drn --goal finished --certificate proof.txt
  bestplay mdp verify coin.drn proof.txt";

/// Arguments of `solve`.
#[derive(Args)]
pub struct SolveArgs {
    /// The model: a DRN or UMB file
    file: PathBuf,
    /// The goal states: labels with &, |, ! and parentheses
    #[arg(long, value_name = "LABELS")]
    goal: String,
    /// Whether the largest or the smallest value is wanted
    #[arg(long, alias = "objective", value_enum, default_value_t = SenseArg::Max)]
    sense: SenseArg,
    /// The expected total of this reward model until the goal, instead of the probability
    #[arg(long, value_name = "NAME")]
    reward: Option<String>,
    /// Write a proof of all values that `bestplay mdp verify` checks; implies --exact
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Write the model as a DRN or UMB file
    #[arg(long, value_name = "FILE.drn|FILE.umb")]
    export_model: Option<PathBuf>,
    /// Write a best choice and the value of every state as a table
    #[arg(long, value_name = "FILE.csv")]
    export_policy: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Arguments of `verify`.
#[derive(Args)]
pub struct VerifyArgs {
    /// The model: a DRN or UMB file
    model: PathBuf,
    /// The certificate
    certificate: PathBuf,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    run: RunArgs,
}

/// Largest or smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SenseArg {
    /// The largest value that any policy attains
    Max,
    /// The smallest
    Min,
}

impl From<SenseArg> for Sense {
    fn from(sense: SenseArg) -> Self {
        match sense {
            SenseArg::Max => Self::Max,
            SenseArg::Min => Self::Min,
        }
    }
}

/// Runs a verb.
pub fn run(verb: Verb) -> Result<(), Failure> {
    match verb {
        Verb::Solve(args) => args.engine.run(|options| solve(&args, options)),
        Verb::Verify(args) => args.run.run(|options| {
            let own = Budget::default();
            verify(&args, options.budget.unwrap_or(&own))
        }),
    }
}

fn read(path: &Path, budget: &Budget<'_>) -> Result<ExplicitModel, Failure> {
    model_files::read(path, budget).map_err(|error| match error {
        ReadError::Stopped(stopped) => EngineArgs::stopped(&stopped),
        ReadError::Bad { place, problem, remedy } => {
            Failure::bad_input(format_args!("{}: {place}: {problem}", path.display()), remedy)
        }
    })
}

fn goal_states(model: &ExplicitModel, goal: &str, budget: &Budget<'_>) -> Result<StateSet, Failure> {
    let states = Expression::parse(goal).and_then(|expression| expression.states(model, budget));
    states.map_err(|error| match error {
        ExpressionError::Stopped(stopped) => EngineArgs::stopped(&stopped),
        ExpressionError::Bad { column, problem, remedy } => {
            Failure::bad_input(format_args!("--goal, column {column}: {problem}"), remedy)
        }
    })
}

fn reward_model<'a>(model: &'a ExplicitModel, name: &str) -> Result<&'a RewardModel, Failure> {
    let known: Vec<&str> = model.rewards().iter().map(RewardModel::name).collect();
    let known = if known.is_empty() { "it has none".into() } else { format!("it has: {}", known.join(", ")) };
    let reward = model
        .reward(name)
        .ok_or_else(|| Failure::bad_input(format_args!("the model has no reward model `{name}`"), known))?;
    if let Some(value) = reward.values().iter().find(|value| **value < Rational::ZERO) {
        return Err(Failure::bad_input(
            format_args!("the reward model `{name}` has a negative reward: {value}"),
            "total rewards until a goal are supported for rewards of at least 0",
        ));
    }
    Ok(reward)
}

fn solve(args: &SolveArgs, options: &ExploreOptions<'_>) -> Result<(), Failure> {
    let began = Instant::now();
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    let model = read(&args.file, budget)?;
    let goal = goal_states(&model, &args.goal, budget)?;
    let reward = args.reward.as_deref().map(|name| reward_model(&model, name)).transpose()?;
    if model.initial().is_empty() {
        return Err(Failure::bad_input(
            format_args!("{} has no initial state", args.file.display()),
            "label one `init`",
        ));
    }
    let mut report = Report::new(&model);
    let initial: Vec<u32> = model.initial().iter().collect();
    let sense = args.sense.into();
    let unprepared = |error| match error {
        BuildError::Stopped(stopped) => EngineArgs::stopped(&stopped),
        error => Failure::bad_input(error, "is the model within the documented limits?"),
    };
    let writes = args.certificate.is_some() || args.export_model.is_some() || args.export_policy.is_some();
    let mut solved = |prepared: Prepared| {
        report.seconds_read = began.elapsed().as_secs_f64();
        let began = Instant::now();
        let exact = args.engine.exact || args.certificate.is_some();
        let answer = prepared.answer(&SolveOptions::from(*options).with_exact(exact));
        report.seconds_solve = began.elapsed().as_secs_f64();
        answer.map_err(|error| unsolved(&error))
    };
    let answer = if writes || reward.is_some() {
        let question = Question { model: &model, goal, sense, reward };
        let answer = solved(question.prepare(budget).map_err(unprepared)?)?;
        write_files(args, &question, &answer, budget)?;
        answer
    } else {
        solved(prepare_and_drop(model, &goal, sense, budget).map_err(unprepared)?)?
    };
    let values = initial.iter().map(|state| (*state, ValueJson::new(answer.value(*state).as_ref())));
    report.print(args, &values.collect::<Vec<_>>())
}

/// Writes what was asked for beside the answer.
fn write_files(args: &SolveArgs, question: &Question<'_>, answer: &Answer, budget: &Budget<'_>) -> Result<(), Failure> {
    let model = question.model;
    if let Some(path) = &args.certificate {
        let certificate = certificate::certificate(question, &args.goal, answer, budget);
        let certificate = certificate.map_err(|stopped| EngineArgs::stopped(&stopped))?.ok_or_else(|| {
            Failure::failed("the values are not exact, so there is no certificate", "please report this")
        })?;
        write_file(path, |file| certificate.write(file, budget))?;
    }
    if let Some(path) = &args.export_model {
        export::write_model(path, model, budget)?;
    }
    if let Some(path) = &args.export_policy {
        let rows = (0..model.states()).map(|state| {
            let choice = answer.choice(question, state);
            export::PolicyRow {
                state: state.to_string(),
                choice,
                action: choice
                    .and_then(|number| model.action(model.choices(state).start + number))
                    .unwrap_or("")
                    .into(),
                value: answer.value(state),
            }
        });
        export::write_policy(path, rows, budget)?;
    }
    Ok(())
}

/// What is told of a run beside its values.
struct Report {
    states: u32,
    choices: u32,
    transitions: u32,
    normalised_choices: u64,
    seconds_read: f64,
    seconds_solve: f64,
}

impl Report {
    fn new(model: &ExplicitModel) -> Self {
        Self {
            states: model.states(),
            choices: model.choice_count(),
            transitions: model.transitions(),
            normalised_choices: model.normalised_choices(),
            seconds_read: 0.0,
            seconds_solve: 0.0,
        }
    }

    /// Prints the values of the initial states.
    fn print(&self, args: &SolveArgs, values: &[(u32, ValueJson)]) -> Result<(), Failure> {
        let Self { states, choices, transitions, normalised_choices, seconds_read, seconds_solve } = *self;
        if args.format == Format::Json {
            return print_json(&SolveJson {
                format: 1,
                value: if let [(_, value)] = values { Some(value) } else { None },
                values: values.iter().map(|(state, value)| InitialJson { state: *state, value }).collect(),
                states,
                choices,
                transitions,
                normalised_choices,
                seconds_read,
                seconds_solve,
                peak_memory_bytes: memory::peak(),
            });
        }
        let mut text =
            format!("{}: {states} states, {choices} choices, {transitions} transitions\n", args.file.display());
        if normalised_choices > 0 {
            let _ = writeln!(
                text,
                "the decimal probabilities of {normalised_choices} choices missed 1 by less than 1e-9 and were divided by their sum"
            );
        }
        text += &heading(args);
        for (state, value) in values {
            let from = if values.len() > 1 { format!("from state {state}: ") } else { String::new() };
            let _ = writeln!(text, "  {from}{}", value.text());
        }
        let _ = writeln!(text, "read in {seconds_read:.3} s, solved in {seconds_solve:.3} s");
        print(&text)
    }
}

/// What the answer is about.
fn heading(args: &SolveArgs) -> String {
    let largest = match args.sense {
        SenseArg::Max => "largest",
        SenseArg::Min => "smallest",
    };
    match &args.reward {
        Some(name) => format!("{largest} expected total of `{name}` until {}\n", args.goal),
        None => format!("{largest} probability of reaching {}\n", args.goal),
    }
}

fn unsolved(error: &SolveError) -> Failure {
    match error.stopped() {
        Some(stopped) => EngineArgs::stopped(stopped),
        None => Failure::failed(error, "raise --max-memory, or leave out --exact"),
    }
}

fn verify(args: &VerifyArgs, budget: &Budget<'_>) -> Result<(), Failure> {
    let model = read(&args.model, budget)?;
    let path = &args.certificate;
    let file = File::open(path).map_err(|error| {
        Failure::bad_input(format_args!("cannot read {}: {error}", path.display()), "name a file that exists")
    })?;
    let certificate = Certificate::read(BufReader::new(file), budget).map_err(|error| match error {
        FormatError::Stopped(stopped) => EngineArgs::stopped(&stopped),
        error @ FormatError::Bad { .. } => {
            let help = "write one with bestplay mdp solve MODEL --goal LABELS --certificate FILE";
            Failure::bad_input(format_args!("{}: {error}", path.display()), help)
        }
    })?;
    match check(&model, &certificate, budget) {
        Ok(()) => {
            let values = model.initial().iter().map(|state| (state, &certificate.entries[state as usize].value));
            match args.format {
                Format::Json => print_json(&VerifyJson {
                    format: 1,
                    accepted: true,
                    state: None,
                    reason: None,
                    states: model.states(),
                    values: values.map(|(state, value)| ClaimJson { state, value: value.to_string() }).collect(),
                }),
                Format::Text => {
                    let mut text = format!("accepted: the values of all {} states are optimal\n", model.states());
                    for (state, value) in values {
                        let _ = match value {
                            Claim::Finite(value) => writeln!(text, "  initial state {state}: {value}"),
                            Claim::Infinite => writeln!(text, "  initial state {state}: infinite"),
                        };
                    }
                    print(&text)
                }
            }
        }
        Err(CheckError::Stopped(stopped)) => Err(EngineArgs::stopped(&stopped)),
        Err(CheckError::Refused(refusal)) => {
            if args.format == Format::Json {
                print_json(&VerifyJson {
                    format: 1,
                    accepted: false,
                    state: refusal.state,
                    reason: Some(refusal.reason.clone()),
                    states: model.states(),
                    values: Vec::new(),
                })?;
            }
            Err(Failure::failed(format_args!("refused: {refusal}"), "the certificate does not prove its values"))
        }
    }
}

/// A value as JSON has it.
#[derive(Serialize)]
struct ValueJson {
    #[serde(flatten)]
    number: Number,
    infinite: bool,
}

impl ValueJson {
    fn new(value: Option<&Value>) -> Self {
        Self { number: value.map_or(Number::INFINITE, Number::from), infinite: value.is_none() }
    }

    fn text(&self) -> String {
        let Number { decimal, lower, upper, exact } = &self.number;
        let decimal = decimal_text(*decimal);
        match exact {
            _ if self.infinite => "infinite".into(),
            Some(exact) => format!("{decimal} = {exact}"),
            None => format!("{decimal} (between {} and {})", decimal_text(*lower), decimal_text(*upper)),
        }
    }
}

#[derive(Serialize)]
struct InitialJson<'a> {
    state: u32,
    #[serde(flatten)]
    value: &'a ValueJson,
}

#[derive(Serialize)]
struct SolveJson<'a> {
    format: u32,
    /// Null when there are several initial states.
    value: Option<&'a ValueJson>,
    /// One for each initial state.
    values: Vec<InitialJson<'a>>,
    states: u32,
    choices: u32,
    transitions: u32,
    normalised_choices: u64,
    seconds_read: f64,
    seconds_solve: f64,
    /// Null where the system does not tell.
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct ClaimJson {
    state: u32,
    value: String,
}

#[derive(Serialize)]
struct VerifyJson {
    format: u32,
    accepted: bool,
    state: Option<u32>,
    reason: Option<String>,
    states: u32,
    values: Vec<ClaimJson>,
}
