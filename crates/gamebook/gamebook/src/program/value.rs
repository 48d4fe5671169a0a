//! Values and tests: expressions over registers.

use std::sync::Arc;

use super::state::Register;
use crate::terms::{Comparison, Operator};

/// A numeric expression over registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Constant(i32),
    Register(Register),
    Operation(Operator, Box<Value>, Box<Value>),
    /// Half of a number, rounded down.
    Half(Box<Value>),
    /// 1 if the test holds, else 0.
    Holds(Box<Test>),
    /// An entry of a table.
    Lookup(Arc<Table>, Box<Value>),
    /// The sum of these registers.
    Sum(Arc<[Register]>),
}

/// Consecutive numbers; beyond the ends the first and the last apply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Table {
    /// The index of the first number.
    pub first: i32,
    /// At least one.
    pub numbers: Box<[i32]>,
}

impl Table {
    pub(crate) fn at(&self, index: i32) -> i32 {
        let place = usize::try_from(index.saturating_sub(self.first)).unwrap_or(0);
        self.numbers[place.min(self.numbers.len() - 1)]
    }

    /// The index of the last number.
    pub(crate) fn last(&self) -> i32 {
        self.first.saturating_add(i32::try_from(self.numbers.len()).unwrap_or(i32::MAX) - 1)
    }
}

/// An expression that reads registers.
pub(crate) trait Reads {
    /// Visits the totals that it reads: sums of registers, and registers by themselves.
    fn totals(&self, visit: &mut dyn FnMut(&[Register]));

    /// Visits the registers that it reads.
    fn reads(&self, visit: &mut dyn FnMut(Register)) {
        self.totals(&mut |total| total.iter().for_each(|register| visit(*register)));
    }

    /// Whether it reads a register.
    fn depends_on(&self, register: Register) -> bool {
        let mut reads = false;
        self.reads(&mut |read| reads |= read == register);
        reads
    }
}

impl Reads for Value {
    fn totals(&self, visit: &mut dyn FnMut(&[Register])) {
        match self {
            Self::Constant(_) => {}
            Self::Register(register) => visit(std::slice::from_ref(register)),
            Self::Operation(_, left, right) => {
                left.totals(visit);
                right.totals(visit);
            }
            Self::Half(value) | Self::Lookup(_, value) => value.totals(visit),
            Self::Holds(test) => test.totals(visit),
            Self::Sum(registers) => visit(registers),
        }
    }
}

impl Value {
    pub(crate) fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Constant(0), value) | (value, Self::Constant(0)) => value,
            (left, Self::Operation(Operator::Minus, zero, right)) if *zero == Self::Constant(0) => left.minus(*right),
            (left, right) => Self::operation(Operator::Plus, left, right),
        }
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        match (self, other) {
            (value, Self::Constant(0)) => value,
            (left, right) => Self::operation(Operator::Minus, left, right),
        }
    }

    pub(crate) fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Constant(0), _) | (_, Self::Constant(0)) => Self::Constant(0),
            (Self::Constant(1), value) | (value, Self::Constant(1)) => value,
            (left, right) => Self::operation(Operator::Times, left, right),
        }
    }

    pub(crate) fn min(self, other: Self) -> Self {
        Self::operation(Operator::Min, self, other)
    }

    pub(crate) fn max(self, other: Self) -> Self {
        Self::operation(Operator::Max, self, other)
    }

    pub(crate) fn half(self) -> Self {
        match self {
            Self::Constant(number) => Self::Constant(number.div_euclid(2)),
            value => Self::Half(Box::new(value)),
        }
    }

    pub(crate) fn holds(test: Test) -> Self {
        match test {
            Test::Constant(holds) => Self::Constant(holds.into()),
            test => Self::Holds(Box::new(test)),
        }
    }

    pub(crate) fn operation(operator: Operator, left: Self, right: Self) -> Self {
        match (left, right) {
            (Self::Constant(left), Self::Constant(right)) => Self::Constant(operator.apply(left, right)),
            (left, right) => Self::Operation(operator, Box::new(left), Box::new(right)),
        }
    }

    /// `self >= number`.
    pub(crate) fn at_least(self, number: i32) -> Test {
        Test::compare(Comparison::AtLeast, self, Self::Constant(number))
    }

    /// `self <= number`.
    pub(crate) fn at_most(self, number: i32) -> Test {
        Test::compare(Comparison::AtMost, self, Self::Constant(number))
    }

    /// Whether it is the register minus 1.
    pub(crate) fn is_one_less_than(&self, register: Register) -> bool {
        match self {
            Self::Operation(Operator::Minus, left, right) => {
                matches!((&**left, &**right), (Self::Register(own), Self::Constant(1)) if *own == register)
            }
            _ => false,
        }
    }

    /// The number of numbers and tests in it, including itself.
    pub(crate) fn nodes(&self) -> usize {
        1 + match self {
            Self::Constant(_) | Self::Register(_) => 0,
            Self::Operation(_, left, right) => left.nodes() + right.nodes(),
            Self::Half(value) | Self::Lookup(_, value) => value.nodes(),
            Self::Holds(test) => test.nodes(),
            Self::Sum(registers) => registers.len(),
        }
    }
}

/// A condition on registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Test {
    Constant(bool),
    Compare(Comparison, Value, Value),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
}

impl Reads for Test {
    fn totals(&self, visit: &mut dyn FnMut(&[Register])) {
        match self {
            Self::Constant(_) => {}
            Self::Compare(_, left, right) => {
                left.totals(visit);
                right.totals(visit);
            }
            Self::Not(inner) => inner.totals(visit),
            Self::And(left, right) | Self::Or(left, right) => {
                left.totals(visit);
                right.totals(visit);
            }
        }
    }
}

impl Test {
    pub(crate) const ALWAYS: Self = Self::Constant(true);

    pub(crate) fn compare(comparison: Comparison, left: Value, right: Value) -> Self {
        match (left, right) {
            (Value::Constant(left), Value::Constant(right)) => Self::Constant(comparison.holds(left, right)),
            (left, right) => Self::Compare(comparison, left, right),
        }
    }

    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Constant(holds) => Self::Constant(!holds),
            other => Self::Not(Box::new(other)),
        }
    }

    pub(crate) fn both(left: Self, right: Self) -> Self {
        match (left, right) {
            (Self::Constant(false), _) | (_, Self::Constant(false)) => Self::Constant(false),
            (Self::Constant(true), other) | (other, Self::Constant(true)) => other,
            (left, right) => Self::And(Box::new(left), Box::new(right)),
        }
    }

    pub(crate) fn either(left: Self, right: Self) -> Self {
        match (left, right) {
            (Self::Constant(true), _) | (_, Self::Constant(true)) => Self::Constant(true),
            (Self::Constant(false), other) | (other, Self::Constant(false)) => other,
            (left, right) => Self::Or(Box::new(left), Box::new(right)),
        }
    }

    /// The number of tests and numbers in it, including itself.
    pub(crate) fn nodes(&self) -> usize {
        1 + match self {
            Self::Constant(_) => 0,
            Self::Compare(_, left, right) => left.nodes() + right.nodes(),
            Self::Not(inner) => inner.nodes(),
            Self::And(left, right) | Self::Or(left, right) => left.nodes() + right.nodes(),
        }
    }

    /// The register, if it only tests whether this is at least 1.
    pub(crate) fn is_there(&self) -> Option<Register> {
        match self {
            Self::Compare(Comparison::AtLeast, Value::Register(register), Value::Constant(1)) => Some(*register),
            _ => None,
        }
    }
}
