//! The expressions of stories: numbers and conditions of Harlowe, `SugarCube` and Chapbook that need no runtime of theirs.

use gamebook::Comparison;

mod calls;
mod parser;
mod special;
mod statements;
mod tokens;

pub(crate) use parser::expression;
pub(crate) use special::{BEFORE, PRESENT, VISITS, visits_of};
pub(crate) use statements::{assignments, put};
pub(crate) use tokens::{end_of_text, has_markup};

/// The longest expression, in bytes.
const LONGEST: usize = 2_000;
/// The largest number that is read.
const LARGEST: i64 = 9_999;

/// The story format whose language is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Dialect {
    #[default]
    Harlowe,
    SugarCube,
    Chapbook,
}

/// A number or condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    Number(i64),
    Boolean(bool),
    Text(String),
    Variable(String),
    Operation(Operation, Box<Expression>, Box<Expression>),
    Compare(Comparison, Box<Expression>, Box<Expression>),
    /// Whether two values are the same, or are not (`false`). Values of different kinds never are.
    Same(bool, Box<Expression>, Box<Expression>),
    /// A condition with an elided left operand: the second expression where that is a truth value, else the first, which
    /// repeats the operand.
    Elided(Box<Expression>, Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Not(Box<Expression>),
    /// A number from the first to the last, all equally likely.
    Random(i64, i64),
    /// One of these, all equally likely.
    Either(Vec<Expression>),
    /// The second where the first holds, else the third.
    Choose(Box<Expression>, Box<Expression>, Box<Expression>),
    /// Whether a variable is set.
    IsSet(String),
    List(Vec<Expression>),
    Map(Vec<(String, Expression)>),
    /// Whether a list contains a value.
    Contains(Box<Expression>, Box<Expression>),
    Length(Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Plus,
    Minus,
    Times,
    /// A quotient, rounded down or up.
    Down,
    Up,
    Least,
    Most,
}

impl Expression {
    pub(crate) fn operation(operation: Operation, left: Self, right: Self) -> Self {
        Self::Operation(operation, Box::new(left), Box::new(right))
    }

    pub(crate) fn compare(comparison: Comparison, left: Self, right: Self) -> Self {
        Self::Compare(comparison, Box::new(left), Box::new(right))
    }

    pub(crate) fn same_as(self, other: Self) -> Self {
        Self::Same(true, Box::new(self), Box::new(other))
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self::And(Box::new(self), Box::new(other))
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self::Or(Box::new(self), Box::new(other))
    }

    pub(crate) fn negated(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// Whether the expression is a truth value.
    pub(crate) fn is_condition(&self) -> bool {
        matches!(
            self,
            Self::Boolean(_)
                | Self::Compare(..)
                | Self::Same(..)
                | Self::Elided(..)
                | Self::And(..)
                | Self::Or(..)
                | Self::Not(_)
                | Self::IsSet(_)
                | Self::Contains(..)
        )
    }

    /// Changes the expression in place, as `map` does.
    pub(crate) fn change(&mut self, change: &mut dyn FnMut(Self) -> Self) {
        *self = std::mem::replace(self, Self::Boolean(false)).map(change);
    }

    /// Changes its parts, the innermost first, and then the expression itself.
    pub(crate) fn map(self, change: &mut dyn FnMut(Self) -> Self) -> Self {
        let mut inner = |own: Box<Self>| Box::new(own.map(change));
        let changed = match self {
            Self::Operation(how, left, right) => Self::Operation(how, inner(left), inner(right)),
            Self::Compare(how, left, right) => Self::Compare(how, inner(left), inner(right)),
            Self::Same(is, left, right) => Self::Same(is, inner(left), inner(right)),
            Self::Elided(left, right) => Self::Elided(inner(left), inner(right)),
            Self::And(left, right) => Self::And(inner(left), inner(right)),
            Self::Or(left, right) => Self::Or(inner(left), inner(right)),
            Self::Not(own) => Self::Not(inner(own)),
            Self::Contains(list, own) => Self::Contains(inner(list), inner(own)),
            Self::Length(list) => Self::Length(inner(list)),
            Self::List(all) => Self::List(all.into_iter().map(|own| own.map(change)).collect()),
            Self::Map(all) => Self::Map(all.into_iter().map(|(key, own)| (key, own.map(change))).collect()),
            Self::Choose(test, one, other) => Self::Choose(inner(test), inner(one), inner(other)),
            Self::Either(all) => Self::Either(all.into_iter().map(|own| own.map(change)).collect()),
            own => own,
        };
        change(changed)
    }

    /// Visits the expression and all its parts.
    pub(crate) fn visit<'e>(&'e self, visit: &mut dyn FnMut(&'e Self)) {
        visit(self);
        match self {
            Self::Operation(_, left, right)
            | Self::Compare(_, left, right)
            | Self::Same(_, left, right)
            | Self::Elided(left, right)
            | Self::Contains(left, right)
            | Self::And(left, right)
            | Self::Or(left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            Self::Not(inner) | Self::Length(inner) => inner.visit(visit),
            Self::Map(all) => all.iter().for_each(|(_, own)| own.visit(visit)),
            Self::Either(all) | Self::List(all) => all.iter().for_each(|own| own.visit(visit)),
            Self::Choose(test, one, other) => [test, one, other].into_iter().for_each(|own| own.visit(visit)),
            Self::Number(_)
            | Self::Boolean(_)
            | Self::Text(_)
            | Self::Variable(_)
            | Self::IsSet(_)
            | Self::Random(..) => {}
        }
    }
}
