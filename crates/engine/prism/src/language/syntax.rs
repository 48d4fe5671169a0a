//! A model as its text says it, names not yet looked up.

use super::expression::Expr;
use crate::error::At;

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub at: At,
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Syntax {
    /// Whether all states have one choice only; `None` when the text does not say.
    pub chain: Option<bool>,
    /// The constants.
    pub constants: Vec<ConstantSyntax>,
    /// Names for expressions.
    pub formulas: Vec<(Name, Expr)>,
    /// Names for sets of states.
    pub labels: Vec<(Name, Expr)>,
    /// Variables that all modules may change.
    pub globals: Vec<VariableSyntax>,
    /// The modules, in order.
    pub modules: Vec<ModuleSyntax>,
    /// What is earned.
    pub rewards: Vec<RewardsSyntax>,
    /// The states where play begins, when the text says.
    pub init: Option<Expr>,
}

/// What a constant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantType {
    /// A whole number.
    Int,
    /// Any number.
    Double,
    /// True or false.
    Bool,
}

/// A constant; without a value it has to be given.
#[derive(Clone, Debug)]
pub struct ConstantSyntax {
    /// Its name.
    pub name: Name,
    /// What it is.
    pub kind: ConstantType,
    /// Its value.
    pub value: Option<Expr>,
}

/// The values of a variable.
#[derive(Clone, Debug)]
pub enum RangeSyntax {
    /// Whole numbers from the first to the second.
    From(Expr, Expr),
    /// All whole numbers.
    Int,
    /// True and false.
    Bool,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct VariableSyntax {
    /// Its name.
    pub name: Name,
    /// Its values.
    pub range: RangeSyntax,
    /// The value with which it begins, when the text says.
    pub init: Option<Expr>,
}

/// A module, or another under other names.
#[derive(Clone, Debug)]
pub enum ModuleSyntax {
    /// A module with variables and commands.
    Own {
        /// Its name.
        name: Name,
        /// Its variables.
        variables: Vec<VariableSyntax>,
        /// Its commands.
        commands: Vec<CommandSyntax>,
    },
    /// Another module, renamed.
    Renamed {
        /// Its name.
        name: Name,
        /// The other.
        other: Name,
        /// Old and new names.
        names: Vec<(Name, Name)>,
    },
}

/// A command: what may happen where the guard holds.
#[derive(Clone, Debug)]
pub struct CommandSyntax {
    /// The action, unless it happens for itself.
    pub action: Option<Name>,
    /// Where it may happen.
    pub guard: Expr,
    /// Probabilities with what changes: variables and their new values.
    pub updates: Vec<(Expr, Vec<(Name, Expr)>)>,
}

/// A reward model.
#[derive(Clone, Debug)]
pub struct RewardsSyntax {
    /// Its name; empty when it has none.
    pub name: String,
    /// Where it begins.
    pub at: At,
    /// What is earned: where, under which condition, how much.
    pub items: Vec<(Earning, Expr, Expr)>,
}

/// Where a reward is earned.
#[derive(Clone, Debug)]
pub enum Earning {
    /// In states.
    State,
    /// By choices with this action; `None`: with none.
    Choice(Option<Name>),
}
