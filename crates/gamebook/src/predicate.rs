//! Conditions on the registers.

use crate::book::Comparison;
use crate::state::{Layout, Register, State};
use crate::value::{Reads, Value};

/// A condition on the registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Test {
    Constant(bool),
    Compare(Comparison, Value, Value),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
}

impl Reads for Test {
    fn reads(&self, visit: &mut dyn FnMut(Register)) {
        match self {
            Self::Constant(_) => {}
            Self::Compare(_, left, right) => {
                left.reads(visit);
                right.reads(visit);
            }
            Self::Not(inner) => inner.reads(visit),
            Self::And(left, right) | Self::Or(left, right) => {
                left.reads(visit);
                right.reads(visit);
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

    /// Whether it holds in a state.
    pub(crate) fn holds(&self, layout: &Layout, state: &State) -> bool {
        match self {
            Self::Constant(holds) => *holds,
            Self::Compare(comparison, left, right) => {
                comparison.holds(left.number(layout, state), right.number(layout, state))
            }
            Self::Not(inner) => !inner.holds(layout, state),
            Self::And(left, right) => left.holds(layout, state) && right.holds(layout, state),
            Self::Or(left, right) => left.holds(layout, state) || right.holds(layout, state),
        }
    }

    /// Whether it holds in a state, where that does not depend on what a register holds.
    pub(crate) fn holds_without(&self, open: Register, layout: &Layout, state: &State) -> Option<bool> {
        let holds = |test: &Self| test.holds_without(open, layout, state);
        match self {
            Self::Constant(holds) => Some(*holds),
            Self::Compare(comparison, left, right) => {
                let left = left.number_without(open, layout, state)?;
                Some(comparison.holds(left, right.number_without(open, layout, state)?))
            }
            Self::Not(inner) => holds(inner).map(|holds| !holds),
            // One of them can be enough.
            Self::And(left, right) => match holds(left) {
                Some(true) => holds(right),
                Some(false) => Some(false),
                None => holds(right).filter(|holds| !holds),
            },
            Self::Or(left, right) => match holds(left) {
                Some(false) => holds(right),
                Some(true) => Some(true),
                None => holds(right).filter(|holds| *holds),
            },
        }
    }

    /// How many tests and numbers it is made of, itself included.
    pub(crate) fn nodes(&self) -> usize {
        1 + match self {
            Self::Constant(_) => 0,
            Self::Compare(_, left, right) => left.nodes() + right.nodes(),
            Self::Not(inner) => inner.nodes(),
            Self::And(left, right) | Self::Or(left, right) => left.nodes() + right.nodes(),
        }
    }

    /// The same where some registers are known.
    pub(crate) fn given(&self, known: &impl Fn(Register) -> Option<i32>) -> Self {
        match self {
            Self::Constant(_) => self.clone(),
            Self::Compare(comparison, left, right) => Self::compare(*comparison, left.given(known), right.given(known)),
            Self::Not(inner) => inner.given(known).negated(),
            Self::And(left, right) => Self::both(left.given(known), right.given(known)),
            Self::Or(left, right) => Self::either(left.given(known), right.given(known)),
        }
    }

    /// As [`Value::adds_up`].
    pub(crate) fn adds_up(&self, register: Register, other: Register) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Compare(_, left, right) => left.adds_up(register, other) && right.adds_up(register, other),
            Self::Not(inner) => inner.adds_up(register, other),
            Self::And(left, right) | Self::Or(left, right) => {
                left.adds_up(register, other) && right.adds_up(register, other)
            }
        }
    }

    /// The register of which it asks nothing but whether it holds at least 1.
    pub(crate) fn is_there(&self) -> Option<Register> {
        match self {
            Self::Compare(Comparison::AtLeast, Value::Register(register), Value::Constant(1)) => Some(*register),
            _ => None,
        }
    }

    /// Says of each register from which number on it makes no difference to this test: `need(register, number)`.
    pub(crate) fn distinguish(&self, layout: &Layout, need: &mut dyn FnMut(Register, i32)) {
        match self {
            Self::Constant(_) => {}
            Self::Compare(comparison, left, right) => {
                // Above all that the other side can be it is the same however far above.
                let beyond = |comparison: Comparison, most: i32| match comparison {
                    Comparison::AtLeast | Comparison::Less => most,
                    Comparison::More | Comparison::AtMost | Comparison::Equal | Comparison::NotEqual => {
                        most.saturating_add(1)
                    }
                };
                let turned = match comparison {
                    Comparison::Less => Comparison::More,
                    Comparison::AtMost => Comparison::AtLeast,
                    Comparison::More => Comparison::Less,
                    Comparison::AtLeast => Comparison::AtMost,
                    same => *same,
                };
                left.distinguish(beyond(*comparison, right.range(layout).1), layout, need);
                right.distinguish(beyond(turned, left.range(layout).1), layout, need);
            }
            Self::Not(inner) => inner.distinguish(layout, need),
            Self::And(left, right) | Self::Or(left, right) => {
                left.distinguish(layout, need);
                right.distinguish(layout, need);
            }
        }
    }
}
