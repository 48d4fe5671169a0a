//! The arguments of `mdp solve`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use mdp::Rational;
use model_questions::RewardBound;
use prism::Reaching;

use super::input::ModelArgs;
use super::method::MethodArg;
use super::sense::SenseArg;
use crate::arguments::engine_args::EngineArgs;
use crate::output::{Failure, Format};

/// Arguments of `solve`.
#[derive(Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The goal states: labels with &, |, ! and parentheses. Several goals have an answer each
    #[arg(long = "goal", value_name = "LABELS", required = true)]
    pub goals: Vec<String>,
    /// Only these states may lie on the way to the goal
    #[arg(long, value_name = "LABELS", conflicts_with = "reward")]
    pub until: Option<String>,
    /// Within this many choices
    #[arg(long, value_name = "COUNT")]
    pub steps: Option<u64>,
    /// With at most this total of a reward model on the way
    #[arg(long, value_name = "NAME=MOST", conflicts_with = "reward")]
    pub reward_bound: Vec<RewardBound>,
    /// The direction: the largest or the smallest value
    #[arg(long, value_enum, default_value_t = SenseArg::Max)]
    pub sense: SenseArg,
    /// The expected total of this reward model until the goal, instead of the probability
    #[arg(long, value_name = "NAME")]
    pub reward: Option<String>,
    /// Write a proof of all values that `bestplay mdp verify` checks; implies --exact
    #[arg(long, value_name = "FILE", conflicts_with_all = ["steps", "reward_bound"])]
    pub certificate: Option<PathBuf>,
    /// Write the model as a DRN or UMB file
    #[arg(long, value_name = "FILE.drn|FILE.umb")]
    pub export_model: Option<PathBuf>,
    /// Write the choice to take and the value of every state as a table
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["steps", "reward_bound"])]
    pub export_policy: Option<PathBuf>,
    /// Explore all states of a PRISM model, not only those that count for the goal; with a file, write the value of every
    /// state as a table: state,lower,upper,exact
    #[arg(long, value_name = "FILE.csv", num_args = 0..=1, default_missing_value = "")]
    pub all_states: Option<OsString>,
    /// The largest relative difference between the bounds of a value; a smaller one takes longer. If the bounds
    /// stay further apart, the answer says so
    #[arg(long, value_name = "SHARE", default_value_t = mdp::PRECISION, value_parser = precision)]
    pub precision: f64,
    /// The method for loops. The bounds hold with each of them
    #[arg(long, value_enum, default_value_t)]
    pub method: MethodArg,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// A number above 0 and below 1.
fn precision(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| String::from("a number, such as 1e-12"))?;
    if number > 0.0 && number < 1.0 { Ok(number) } else { Err("a number above 0 and below 1".into()) }
}

impl SolveArgs {
    /// Tables and certificates need a single goal.
    pub fn one_goal_for_files(&self) -> Result<(), Failure> {
        let files = [("--certificate", &self.certificate), ("--export-policy", &self.export_policy)];
        let files = files.into_iter().map(|(option, path)| (option, path.as_deref()));
        let mut files = files.chain([("--all-states", self.table())]);
        match files.find(|(_, path)| path.is_some()) {
            Some((option, _)) if self.goals.len() > 1 => {
                Err(Failure::bad_input(format_args!("{option} with {} goals", self.goals.len()), "one --goal"))
            }
            _ => Ok(()),
        }
    }

    /// The file for the values of all states.
    pub fn table(&self) -> Option<&Path> {
        self.all_states.as_deref().filter(|file| !file.is_empty()).map(Path::new)
    }

    /// The bounds on rewards, by the names of the reward models.
    pub fn bounds(&self) -> Vec<(&str, Rational)> {
        self.reward_bound.iter().map(|RewardBound { name, most }| (name.as_str(), most.clone())).collect()
    }

    /// The question about a goal within these bounds, if it restricts the states that matter; `None` if all do.
    pub fn reaching<'a>(&'a self, goal: &'a str, bounds: &'a [(&'a str, Rational)]) -> Option<Reaching<'a>> {
        let all = self.all_states.is_some() || self.export_model.is_some() || self.export_policy.is_some();
        (!all).then_some(Reaching { goal, until: self.until.as_deref(), steps: self.steps, bounds })
    }

    /// Whether only a probability is asked.
    pub fn is_plain(&self) -> bool {
        let bounded = self.until.is_some() || self.steps.is_some() || !self.reward_bound.is_empty();
        let writes = self.certificate.is_some() || self.export_policy.is_some() || self.table().is_some();
        !bounded && !writes && self.reward.is_none()
    }
}
