//! Models and what is asked of them, from files and arguments.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::str::FromStr;

use budget::Budget;
use clap::Args;
use mdp::Rational;
use model_files::{ExplicitModel, Expression, ExpressionError, ReadError, RewardModel, StateSet, parse_number};
use serde::Serialize;

use crate::output::{Failure, read_text};

/// A model's file, and what it leaves open.
#[derive(Args)]
pub struct ModelArgs {
    /// The model: a DRN, UMB or PRISM file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Values for constants of a PRISM model: N=4,p=0.1
    #[arg(long = "const", value_name = "NAME=VALUE", value_delimiter = ',')]
    constants: Vec<String>,
}

/// How much of a file tells whether it is a PRISM model.
const START: u64 = 1 << 16;

impl ModelArgs {
    /// Reads the model. `expressions` are those that will be asked of it: a PRISM model gets labels for
    /// what they say of its variables.
    pub fn read(&self, expressions: &[&str], budget: &Budget<'_>) -> Result<ExplicitModel, Failure> {
        if self.is_prism() {
            return self.read_prism(expressions, budget);
        }
        if let Some(constant) = self.constants.first() {
            let problem = format_args!("--const {constant}: {} has no constants", self.file.display());
            return Err(Failure::bad_input(problem, "PRISM models have; leave it out"));
        }
        model_files::read(&self.file, budget).map_err(|error| match error {
            ReadError::Stopped(stopped) => stopped.into(),
            ReadError::Bad { place, problem, remedy } => {
                Failure::bad_input(format_args!("{}: {place}: {problem}", self.file.display()), remedy)
            }
        })
    }

    /// Whether the file is a PRISM model: by its first word.
    pub fn is_prism(&self) -> bool {
        let mut start = Vec::new();
        let read = File::open(&self.file).and_then(|file| file.take(START).read_to_end(&mut start));
        read.is_ok() && prism::is_prism(&String::from_utf8_lossy(&start))
    }

    fn read_prism(&self, expressions: &[&str], budget: &Budget<'_>) -> Result<ExplicitModel, Failure> {
        let text = read_text(&self.file)?;
        let mut constants = Vec::new();
        for constant in &self.constants {
            let pair = constant.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
            let right = || Failure::bad_input(format_args!("--const {constant}"), "NAME=VALUE, such as N=4");
            constants.push(pair.ok_or_else(right)?);
        }
        let labels = || {
            let known = prism::labels(&text)?;
            let mut wanted: Vec<String> = Vec::new();
            for expression in expressions {
                for label in asked(expression) {
                    let is_known = known.contains(&label) || label == "init" || label == "deadlock";
                    if !is_known && !wanted.contains(&label) {
                        wanted.push(label);
                    }
                }
            }
            let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
            prism::read(&text, &constants, &wanted, budget)
        };
        labels().map_err(|error| match error {
            prism::Error::Stopped(stopped) => stopped.into(),
            prism::Error::Bad { at: Some(prism::At { line, column }), problem, remedy } => {
                let file = self.file.display();
                Failure::bad_input(format_args!("{file}: line {line}, column {column}: {problem}"), remedy)
            }
            prism::Error::Bad { at: None, problem, remedy } => {
                Failure::bad_input(format_args!("{}: {problem}", self.file.display()), remedy)
            }
        })
    }
}

/// The labels that an expression asks for. One that is no expression over labels is about the variables
/// of a PRISM model: it becomes a label as a whole.
fn asked(text: &str) -> Vec<String> {
    match Expression::parse(text) {
        Ok(expression) => expression.labels().into_iter().map(String::from).collect(),
        Err(_) => vec![in_single_quotes(text)],
    }
}

/// The text with single quotes for double ones, so that it can be a label itself.
fn in_single_quotes(text: &str) -> String {
    text.replace('"', "'")
}

/// An expression over the labels of the model that has been read: what [`asked`] made a label is one.
pub fn over_labels(model: &ExplicitModel, text: &str) -> String {
    let whole = in_single_quotes(text);
    if Expression::parse(text).is_err() && model.label(&whole).is_some() { format!("\"{whole}\"") } else { text.into() }
}

/// The states that an expression describes; `option` is where it was given.
pub fn states(model: &ExplicitModel, text: &str, option: &str, budget: &Budget<'_>) -> Result<StateSet, Failure> {
    let states = Expression::parse(&over_labels(model, text)).and_then(|expression| expression.states(model, budget));
    states.map_err(|error| match error {
        ExpressionError::Stopped(stopped) => stopped.into(),
        ExpressionError::Bad { column, problem, remedy } => {
            Failure::bad_input(format_args!("{option}, column {column}: {problem}"), remedy)
        }
    })
}

/// The reward model of this name, whose rewards can be added up.
pub fn reward_model<'a>(model: &'a ExplicitModel, name: &str) -> Result<&'a RewardModel, Failure> {
    model_questions::reward_model(model, name).map_err(|unusable| Failure::bad_input(unusable.problem, unusable.remedy))
}

/// A bound on the total of a reward model.
#[derive(Clone, Debug, Serialize)]
pub struct RewardBound {
    /// The reward model.
    pub name: String,
    /// The most that may be earned.
    #[serde(serialize_with = "as_text")]
    pub most: Rational,
}

fn as_text<S: serde::Serializer>(number: &Rational, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

impl FromStr for RewardBound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, most) = text.rsplit_once('=').ok_or("expected NAME=MOST, such as cost=12")?;
        let most = parse_number(most.trim().as_bytes())?;
        if most < Rational::ZERO {
            Err("a bound is at least 0".into())
        } else {
            Ok(Self { name: name.trim().into(), most })
        }
    }
}
