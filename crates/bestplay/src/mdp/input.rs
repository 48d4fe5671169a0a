//! Models and what is asked of them, from files and arguments.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use budget::Budget;
use clap::Args;
use model_files::{ExplicitModel, Expression, ExpressionError, ReadError, RewardModel, StateSet};

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
        read_model(&self.file, budget)
    }

    /// Whether the file is a PRISM model.
    pub fn is_prism(&self) -> bool {
        is_prism(&self.file)
    }

    fn read_prism(&self, expressions: &[&str], budget: &Budget<'_>) -> Result<ExplicitModel, Failure> {
        let text = read_text(&self.file)?;
        let constants = named_constants(&self.constants)?;
        let read = prism::read_for(&text, &constants, expressions, budget);
        read.map(|(model, _)| model).map_err(|error| prism_problem(&self.file, error))
    }
}

/// Whether a file is a PRISM model: by its first word.
pub fn is_prism(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(START).read_to_end(&mut start));
    read.is_ok() && prism::is_prism(&String::from_utf8_lossy(&start))
}

/// The names and values of `--const`.
pub fn named_constants(constants: &[String]) -> Result<Vec<(&str, &str)>, Failure> {
    let wrong = |constant: &String| Failure::bad_input(format_args!("--const {constant}"), "NAME=VALUE, such as N=4");
    let named = constants.iter().map(|constant| {
        let named = constant.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
        named.ok_or_else(|| wrong(constant))
    });
    named.collect()
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

/// What is wrong with a PRISM model, and where.
pub fn prism_problem(path: &Path, error: prism::Error) -> Failure {
    let file = path.display();
    match error {
        prism::Error::Stopped(stopped) => stopped.into(),
        prism::Error::Bad { at: Some(prism::At { line, column }), problem, remedy } => {
            Failure::bad_input(format_args!("{file}: line {line}, column {column}: {problem}"), remedy)
        }
        prism::Error::Bad { at: None, problem, remedy } => {
            Failure::bad_input(format_args!("{file}: {problem}"), remedy)
        }
    }
}

/// The states that an expression describes; `option` is where it was given.
pub fn states(model: &ExplicitModel, text: &str, option: &str, budget: &Budget<'_>) -> Result<StateSet, Failure> {
    let states =
        Expression::parse(&prism::over_labels(model, text)).and_then(|expression| expression.states(model, budget));
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
