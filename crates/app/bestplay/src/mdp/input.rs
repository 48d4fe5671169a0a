//! Models and questions from files and arguments.

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use budget::Budget;
use clap::Args;
use model_files::{ExplicitModel, Expression, ExpressionError, ReadError, RewardModel, StateSet};
use model_questions::Unusable;
use prism::{Explored, Given, ReadRequest};

use crate::output::{Failure, read_text};
use crate::pointed::pointed;

/// A model's file, and values for its constants.
#[derive(Args)]
pub struct ModelArgs {
    /// The model: a DRN, UMB or PRISM file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Values for constants that a PRISM model leaves open: N=4,p=0.1
    #[arg(long = "const", value_name = "NAME=VALUE,...")]
    constants: Vec<String>,
}

/// How much of a file is read to recognise a PRISM model.
const START: u64 = 1 << 16;

/// A model, as far as it was explored.
pub struct ReadModel {
    pub model: ExplicitModel,
    /// The number of states whose choices were left out because the question is decided there.
    pub cut: u32,
}

impl ModelArgs {
    /// Reads the model: a PRISM model as far as the question needs, with labels for conditions on its variables. `until` is the
    /// text of `--until`, to locate errors in it.
    pub fn read(
        &self,
        asked: &ReadRequest<'_>,
        until: Option<&str>,
        budget: &Budget<'_>,
    ) -> Result<ReadModel, Failure> {
        if self.is_prism() {
            return self.read_prism(asked, until, budget);
        }
        if let Some(constant) = self.constants.first() {
            let problem = format_args!("--const {constant}: {} has no constants", self.file.display());
            return Err(Failure::bad_input(problem, "PRISM models have; leave it out"));
        }
        Ok(ReadModel { model: read_model(&self.file, budget)?, cut: 0 })
    }

    /// Whether the file is a PRISM model.
    pub fn is_prism(&self) -> bool {
        is_prism(&self.file)
    }

    fn read_prism(
        &self,
        asked: &ReadRequest<'_>,
        until: Option<&str>,
        budget: &Budget<'_>,
    ) -> Result<ReadModel, Failure> {
        let text = read_text(&self.file)?;
        let constants = named_constants(&self.constants)?;
        match prism::read_for(&text, &constants, asked, budget) {
            Ok(Explored { model, cut, .. }) => Ok(ReadModel { model, cut: cut.len() }),
            Err(prism::Error::Given { what: Given::Expression, text, column, problem, remedy }) => {
                let option = if until == Some(text.as_str()) { "--until" } else { "--goal" };
                Err(misplaced(option, &text, column as usize, &problem, remedy))
            }
            Err(prism::Error::NoState { states }) => Err(no_state(asked.from.unwrap_or(0), states)),
            Err(error) => Err(prism_problem(&self.file, error)),
        }
    }
}

/// The failure of `--at` for a state that does not exist.
pub fn no_state(state: u32, states: u32) -> Failure {
    let right = format!("the model has {states} states, numbered from 0");
    Failure::bad_input(format_args!("--at {state}: there is no such state"), right)
}

/// The failure of an argument with an error at a position.
fn misplaced(option: &str, text: &str, column: usize, problem: &str, remedy: impl Display) -> Failure {
    Failure::bad_input(format_args!("{option}, column {column}: {problem}\n{}", pointed(text, column)), remedy)
}

/// Whether a file is a PRISM model, by its first word.
pub fn is_prism(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(START).read_to_end(&mut start));
    read.is_ok() && prism::is_prism(&String::from_utf8_lossy(&start))
}

/// The names and values of `--const`, several of which can be separated by commas.
pub fn named_constants(constants: &[String]) -> Result<Vec<(&str, &str)>, Failure> {
    let wrong = |constant: &str| Failure::bad_input(format_args!("--const {constant}"), "NAME=VALUE, such as N=4");
    let named = constants.iter().flat_map(|text| between_commas(text)).map(|constant| {
        let named = constant.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
        named.ok_or_else(|| wrong(constant))
    });
    named.collect()
}

/// Splits a text at commas outside of parentheses.
fn between_commas(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let outside = |sign: char| {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        sign == ',' && depth == 0
    };
    text.split(outside).collect()
}

/// Reads a DRN or UMB file.
pub fn read_model(path: &Path, budget: &Budget<'_>) -> Result<ExplicitModel, Failure> {
    model_files::read(path, budget).map_err(|error| match error {
        ReadError::Stopped(stopped) => stopped.into(),
        ReadError::Bad { place, problem, remedy } => {
            Failure::bad_input(format_args!("{}: {place}: {problem}", path.display()), remedy)
        }
    })
}

/// The failure of a PRISM model, with the position.
pub fn prism_problem(path: &Path, error: prism::Error) -> Failure {
    let file = path.display();
    match error {
        prism::Error::Stopped(stopped) => stopped.into(),
        prism::Error::Bad { at: Some(prism::At { line, column, .. }), problem, remedy } => {
            Failure::bad_input(format_args!("{file}: line {line}, column {column}: {problem}"), remedy)
        }
        prism::Error::Given { text, column, problem, remedy, .. } => {
            misplaced("--const", &text, column as usize, &problem, remedy)
        }
        prism::Error::NoState { .. } => Failure::bad_input(format_args!("{file}: {error}"), "a state that it has"),
        prism::Error::Bad { at: None, problem, remedy } => {
            Failure::bad_input(format_args!("{file}: {problem}"), remedy)
        }
    }
}

/// The states that an expression describes; `option` is its source.
pub fn states(model: &ExplicitModel, text: &str, option: &str, budget: &Budget<'_>) -> Result<StateSet, Failure> {
    let states =
        Expression::parse(&prism::over_labels(model, text)).and_then(|expression| expression.states(model, budget));
    states.map_err(|error| match error {
        ExpressionError::Stopped(stopped) => stopped.into(),
        ExpressionError::Bad { column, problem, remedy } => misplaced(option, text, column, &problem, remedy),
    })
}

/// The reward model with this name.
pub fn reward_model<'a>(model: &'a ExplicitModel, name: &str) -> Result<&'a RewardModel, Failure> {
    model_questions::reward_model(model, name).map_err(unusable)
}

/// The reward model with this name, for a bound on its total.
pub fn bounded_reward_model<'a>(model: &'a ExplicitModel, name: &str) -> Result<&'a RewardModel, Failure> {
    model_questions::bounded_reward_model(model, name).map_err(unusable)
}

fn unusable(Unusable { problem, remedy }: Unusable) -> Failure {
    Failure::bad_input(problem, remedy)
}
