//! A model as written in its text, with names not yet looked up.

use super::expression::Expr;
use crate::error::At;

/// A name with its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Its position.
    pub at: At,
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub struct Syntax {
    /// Whether all states have one choice only; `None` when the text does not declare it.
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
    /// The reward models.
    pub rewards: Vec<RewardsSyntax>,
    /// The initial states, if the text describes them.
    pub init: Option<Expr>,
}

/// The type of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantType {
    /// A whole number.
    Int,
    /// Any number.
    Double,
    /// True or false.
    Bool,
}

/// A constant; one without a value must be given.
#[derive(Clone, Debug)]
pub struct ConstantSyntax {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub kind: ConstantType,
    /// Its value.
    pub value: Option<Expr>,
}

/// The type of a variable.
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
    /// Its initial value, if the text gives it.
    pub init: Option<Expr>,
}

/// A module, or a renamed copy of another.
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

/// A command: the updates that are possible if the guard holds.
#[derive(Clone, Debug)]
pub struct CommandSyntax {
    /// The action; `None` if the command is not synchronised.
    pub action: Option<Name>,
    /// The condition under which it is enabled.
    pub guard: Expr,
    /// Probabilities with changes: variables and their new values.
    pub updates: Vec<(Expr, Vec<(Name, Expr)>)>,
}

/// A reward model.
#[derive(Clone, Debug)]
pub struct RewardsSyntax {
    /// Its name; empty when it has none.
    pub name: String,
    /// Its position.
    pub at: At,
    /// Rewards: where, under which condition, how much.
    pub items: Vec<(Earning, Expr, Expr)>,
}

/// The owner of a reward.
#[derive(Clone, Debug)]
pub enum Earning {
    /// In states.
    State,
    /// By choices with this action; `None`: with none.
    Choice(Option<Name>),
}
