//! Numbers and conditions of stories: those of Harlowe and `SugarCube`, as far as they are plain.

use gamebook::Comparison;

mod parser;
mod tokens;

pub(crate) use parser::expression;

/// The longest expression, in bytes.
const LONGEST: usize = 2_000;
/// The largest number that is read.
const LARGEST: i64 = 9_999;

/// Whose words are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Dialect {
    #[default]
    Harlowe,
    SugarCube,
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
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Not(Box<Expression>),
    /// A number from the first to the last, each as likely.
    Random(i64, i64),
    /// One of these, each as likely.
    Either(Vec<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Plus,
    Minus,
    Times,
}

impl Expression {
    pub(crate) fn operation(operation: Operation, left: Self, right: Self) -> Self {
        Self::Operation(operation, Box::new(left), Box::new(right))
    }

    pub(crate) fn compare(comparison: Comparison, left: Self, right: Self) -> Self {
        Self::Compare(comparison, Box::new(left), Box::new(right))
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

    /// Whether it is yes or no.
    pub(crate) fn is_condition(&self) -> bool {
        matches!(self, Self::Boolean(_) | Self::Compare(..) | Self::And(..) | Self::Or(..) | Self::Not(_))
    }

    /// Visits it and everything that it is made of.
    pub(crate) fn visit<'e>(&'e self, visit: &mut dyn FnMut(&'e Self)) {
        visit(self);
        match self {
            Self::Operation(_, left, right)
            | Self::Compare(_, left, right)
            | Self::And(left, right)
            | Self::Or(left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            Self::Not(inner) => inner.visit(visit),
            Self::Either(all) => all.iter().for_each(|own| own.visit(visit)),
            Self::Number(_) | Self::Boolean(_) | Self::Text(_) | Self::Variable(_) | Self::Random(..) => {}
        }
    }
}
