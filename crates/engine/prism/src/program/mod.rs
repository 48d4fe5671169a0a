//! A model with all names looked up: what is explored.

mod asked;
mod asking;
mod constants;
mod modules;
mod names;
mod resolve;

pub use asked::{Asked, Reaching};
pub(crate) use asking::Asking;
pub use asking::over_labels;

use dashu_ratio::RBig;

use crate::error::At;
use crate::language::Expr;

/// A variable and its values.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The smallest value.
    pub low: i64,
    /// The largest.
    pub high: i64,
    /// True or false rather than a number.
    pub truth: bool,
    /// The value with which it begins.
    pub init: i64,
}

/// What a command does with some probability.
#[derive(Clone, Debug)]
pub struct Update {
    /// The probability.
    pub probability: Expr,
    /// Variables and their new values.
    pub changes: Vec<(usize, Expr)>,
}

/// A command.
#[derive(Clone, Debug)]
pub struct Command {
    /// Where it stands.
    pub at: At,
    /// Where it may happen.
    pub guard: Expr,
    /// What it does.
    pub updates: Vec<Update>,
}

/// What happens together: for every module that knows the action its commands of this action.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name; `None` for commands that happen for themselves.
    pub name: Option<String>,
    /// One list for each module.
    pub modules: Vec<Vec<Command>>,
}

/// A reward model.
#[derive(Clone, Debug)]
pub struct Rewards {
    /// Its name.
    pub name: String,
    /// What states earn, and where.
    pub of_states: Vec<(Expr, Expr)>,
    /// What choices of an action (its number) earn, and where.
    pub of_actions: Vec<(usize, Expr, Expr)>,
}

/// A model.
#[derive(Clone, Debug)]
pub struct Program {
    /// All states have one choice only.
    pub chain: bool,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The actions; commands without one come first, each for itself.
    pub actions: Vec<Action>,
    /// The labels.
    pub labels: Vec<(String, Expr)>,
    /// The reward models.
    pub rewards: Vec<Rewards>,
    /// The states where play begins, if they are described.
    pub init: Option<Expr>,
    /// Where play begins, described in any case.
    pub initial: Expr,
    /// Where play is over, so that what lies behind is not explored.
    pub over: Option<Expr>,
    /// After how many choices play is over.
    pub steps: Option<u64>,
    /// How much of some reward models, by their names, may be earned before play is over.
    pub bounds: Vec<(String, RBig)>,
}
