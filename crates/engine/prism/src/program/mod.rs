//! A model with all names looked up, ready for exploration.

mod constants;
mod modules;
mod names;
mod parsed_request;
mod request;
mod resolve;

pub(crate) use parsed_request::ParsedRequest;
pub use parsed_request::over_labels;
pub use request::{Reaching, ReadRequest};

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
    /// Whether it is a truth value and not a number.
    pub truth: bool,
    /// Its initial value.
    pub init: i64,
}

/// A probabilistic update of a command.
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
    /// Its position.
    pub at: At,
    /// The condition under which it is enabled.
    pub guard: Expr,
    /// Its updates.
    pub updates: Vec<Update>,
}

/// Commands that happen together: for every module with the action its commands of this action.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name; `None` for commands that are not synchronised.
    pub name: Option<String>,
    /// One list for each module.
    pub modules: Vec<Vec<Command>>,
}

/// A reward model.
#[derive(Clone, Debug)]
pub struct Rewards {
    /// Its name.
    pub name: String,
    /// The rewards of states, with conditions.
    pub of_states: Vec<(Expr, Expr)>,
    /// The rewards of choices of an action (its number), with conditions.
    pub of_actions: Vec<(usize, Expr, Expr)>,
}

/// A model.
#[derive(Clone, Debug)]
pub struct Program {
    /// Whether all states have one choice only.
    pub chain: bool,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The actions; commands that are not synchronised come first, each by itself.
    pub actions: Vec<Action>,
    /// The labels.
    pub labels: Vec<(String, Expr)>,
    /// The reward models.
    pub rewards: Vec<Rewards>,
    /// The initial states, if they are described.
    pub init: Option<Expr>,
    /// A description of the initial states in any case.
    pub initial: Expr,
    /// The states in which play is over, so that their successors are not explored.
    pub over: Option<Expr>,
    /// The number of choices after which play is over.
    pub steps: Option<u64>,
    /// The largest totals of some reward models, by name, before play is over.
    pub bounds: Vec<(String, RBig)>,
}
