//! `mdp verify`: does a certificate prove its values, and is it about the right question?

use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use budget::Budget;
use clap::Args;
use model_files::ExplicitModel;
use prism::{Reaching, ReadRequest, over_labels};
use serde::Serialize;
use verify::{Certificate, CheckError, Claim, FormatError, Measure, Objective, check};

use super::input::{ModelArgs, states};
use super::sense::SenseArg;
use crate::arguments::engine_args::RunArgs;
use crate::output::{Failure, Format, print, print_json};

/// Arguments of `verify`.
#[derive(Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// The certificate
    certificate: PathBuf,
    /// Refuse a certificate about other goal states than these
    #[arg(long, value_name = "LABELS")]
    goal: Option<String>,
    /// Refuse a certificate about another sense than this
    #[arg(long, value_enum)]
    sense: Option<SenseArg>,
    /// Refuse a certificate about anything but the expected total of this reward model
    #[arg(long, value_name = "NAME")]
    reward: Option<String>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Checks a certificate.
pub fn verify(args: &VerifyArgs, budget: &Budget<'_>) -> Result<(), Failure> {
    let path = &args.certificate;
    let file = File::open(path).map_err(|error| {
        Failure::bad_input(format_args!("cannot read {}: {error}", path.display()), "name a file that exists")
    })?;
    let certificate = Certificate::read(BufReader::new(file), budget).map_err(|error| match error {
        FormatError::Stopped(stopped) => stopped.into(),
        error @ FormatError::Bad { .. } => {
            let help = "write one with bestplay mdp solve MODEL --goal LABELS --certificate FILE";
            Failure::bad_input(format_args!("{}: {error}", path.display()), help)
        }
    })?;
    let mut expressions = vec![certificate.goal.as_str()];
    expressions.extend(certificate.until.as_deref());
    // States left out for the certificate's question are left out again.
    let until = certificate.until.as_deref();
    let question =
        (certificate.cut > 0).then_some(Reaching { goal: &certificate.goal, until, steps: None, bounds: &[] });
    let read =
        |expressions: &[&str]| args.model.read(&ReadRequest { question, expressions, from: None }, until, budget);
    let model = read(&expressions)?.model;
    let mut help = "the certificate does not prove these values";
    let refused = match check(&model, &certificate, budget) {
        Ok(()) => {
            // A label for the expected goal would change the model.
            let asked = match &args.goal {
                Some(goal) if args.model.is_prism() => {
                    expressions.push(goal);
                    Some(read(&expressions)?.model)
                }
                _ => None,
            };
            let model = asked.as_ref().unwrap_or(&model);
            help = "what it says of its own question is proved: leave out what it is held to, or make one for this question";
            other_question(args, model, &certificate, budget)?.map(|reason| (None, reason))
        }
        Err(CheckError::Stopped(stopped)) => return Err(stopped.into()),
        Err(CheckError::Refused(refusal)) => Some((refusal.state, refusal.reason)),
    };
    if args.format == Format::Json {
        print_json(&VerifyJson::new(&model, &certificate, refused.as_ref()))?;
    } else if refused.is_none() {
        print(&text(&model, &certificate))?;
    }
    match refused {
        None => Ok(()),
        Some((state, reason)) => {
            let state = state.map(|state| format!("state {state}: ")).unwrap_or_default();
            Err(Failure::failed(format_args!("refused: {state}{reason}"), help))
        }
    }
}

/// How the certificate's question differs from the expected one.
fn other_question(
    args: &VerifyArgs,
    model: &ExplicitModel,
    certificate: &Certificate,
    budget: &Budget<'_>,
) -> Result<Option<String>, Failure> {
    if let Some(goal) = &args.goal
        && states(model, goal, "--goal", budget)? != states(model, &certificate.goal, "the certificate's goal", budget)?
    {
        return Ok(Some(format!("it is about the goal {}, not {}", certificate.goal, over_labels(model, goal))));
    }
    if let Some(sense) = args.sense
        && Objective::from(sense) != certificate.objective
    {
        return Ok(Some(format!("it is about the {} value", largest(certificate.objective))));
    }
    match (&args.reward, &certificate.measure) {
        (Some(name), Measure::Reward(other)) if name == other => Ok(None),
        (None, _) => Ok(None),
        (Some(_), measure) => Ok(Some(format!("it is about the {}", measured(measure)))),
    }
}

impl From<SenseArg> for Objective {
    fn from(sense: SenseArg) -> Self {
        match sense {
            SenseArg::Max => Self::Max,
            SenseArg::Min => Self::Min,
        }
    }
}

fn largest(objective: Objective) -> &'static str {
    match objective {
        Objective::Max => "largest",
        Objective::Min => "smallest",
    }
}

fn measured(measure: &Measure) -> String {
    match measure {
        Measure::Probability => "probability of reaching the goal".into(),
        Measure::Reward(name) => format!("expected total of `{name}` until the goal"),
    }
}

/// What was proved.
fn text(model: &ExplicitModel, certificate: &Certificate) -> String {
    let (largest, measured) = (largest(certificate.objective), measured(&certificate.measure));
    let mut text = format!("accepted: the {largest} {measured}, from each of {} states\n", model.states());
    // Writing to a string does not fail.
    let _ = writeln!(text, "  goal: {}", certificate.goal);
    if let Some(until) = &certificate.until {
        let _ = writeln!(text, "  on the way: {until}");
    }
    if certificate.cut > 0 {
        let _ = writeln!(text, "  play is over in {} of these states: their choices are left out", certificate.cut);
    }
    for state in model.initial().iter() {
        let _ = match &certificate.entries[state as usize].value {
            Claim::Finite(value) => writeln!(text, "  initial state {state}: {value}"),
            Claim::Infinite => writeln!(text, "  initial state {state}: infinite"),
        };
    }
    text
}

#[derive(Serialize)]
struct ClaimJson {
    state: u32,
    value: String,
}

#[derive(Serialize)]
struct VerifyJson<'a> {
    format: u32,
    accepted: bool,
    state: Option<u32>,
    reason: Option<&'a str>,
    /// The goal of the certificate.
    goal: &'a str,
    until: Option<&'a str>,
    /// `max` or `min`.
    objective: &'static str,
    /// `probability` or `reward`.
    measure: &'static str,
    reward: Option<&'a str>,
    states: u32,
    /// The number of states whose choices are left out because the question is decided there.
    cut_states: u32,
    values: Vec<ClaimJson>,
}

impl<'a> VerifyJson<'a> {
    fn new(model: &ExplicitModel, certificate: &'a Certificate, refused: Option<&'a (Option<u32>, String)>) -> Self {
        let (measure, reward) = match &certificate.measure {
            Measure::Probability => ("probability", None),
            Measure::Reward(name) => ("reward", Some(name.as_str())),
        };
        let value = |state: u32| ClaimJson { state, value: certificate.entries[state as usize].value.to_string() };
        Self {
            format: 1,
            accepted: refused.is_none(),
            state: refused.and_then(|(state, _)| *state),
            reason: refused.map(|(_, reason)| reason.as_str()),
            goal: &certificate.goal,
            until: certificate.until.as_deref(),
            objective: match certificate.objective {
                Objective::Max => "max",
                Objective::Min => "min",
            },
            measure,
            reward,
            states: model.states(),
            cut_states: certificate.cut,
            values: if refused.is_some() { Vec::new() } else { model.initial().iter().map(value).collect() },
        }
    }
}
