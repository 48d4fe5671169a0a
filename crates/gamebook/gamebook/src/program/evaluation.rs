//! What values and tests come to in a state, or where some registers are known.

use std::sync::Arc;

use super::state::{Layout, Register, State};
use super::value::{Test, Value};
use crate::terms::Operator;

impl Value {
    /// The number in a state.
    pub(crate) fn number(&self, layout: &Layout, state: &State) -> i32 {
        match self {
            Self::Constant(number) => *number,
            Self::Register(register) => layout.get(state, *register),
            Self::Operation(operator, left, right) => {
                operator.apply(left.number(layout, state), right.number(layout, state))
            }
            Self::Half(value) => value.number(layout, state).div_euclid(2),
            Self::Holds(test) => test.holds(layout, state).into(),
            Self::Lookup(table, index) => table.at(index.number(layout, state)),
            Self::Sum(registers) => registers.iter().map(|register| layout.get(state, *register)).sum(),
        }
    }

    /// The number in a state, where it does not depend on what a register holds.
    pub(crate) fn number_without(&self, open: Register, layout: &Layout, state: &State) -> Option<i32> {
        Some(match self {
            Self::Constant(number) => *number,
            Self::Register(register) if *register == open => return None,
            Self::Register(register) => layout.get(state, *register),
            Self::Operation(operator, left, right) => {
                operator.apply(left.number_without(open, layout, state)?, right.number_without(open, layout, state)?)
            }
            Self::Half(value) => value.number_without(open, layout, state)?.div_euclid(2),
            Self::Holds(test) => test.holds_without(open, layout, state)?.into(),
            Self::Lookup(table, index) => table.at(index.number_without(open, layout, state)?),
            Self::Sum(registers) if registers.contains(&open) => return None,
            Self::Sum(_) => self.number(layout, state),
        })
    }

    /// The same where some registers are known.
    pub(crate) fn given(&self, known: &impl Fn(Register) -> Option<i32>) -> Self {
        match self {
            Self::Constant(_) => self.clone(),
            Self::Register(register) => known(*register).map_or_else(|| self.clone(), Self::Constant),
            Self::Operation(operator, left, right) => {
                let (left, right) = (left.given(known), right.given(known));
                match operator {
                    Operator::Plus => left.plus(right),
                    Operator::Minus => left.minus(right),
                    Operator::Times => left.times(right),
                    Operator::Min | Operator::Max | Operator::Down | Operator::Up => {
                        Self::operation(*operator, left, right)
                    }
                }
            }
            Self::Half(value) => value.given(known).half(),
            Self::Holds(test) => Self::holds(test.given(known)),
            Self::Lookup(table, index) => match index.given(known) {
                Self::Constant(index) => Self::Constant(table.at(index)),
                index => Self::Lookup(table.clone(), Box::new(index)),
            },
            Self::Sum(registers) => {
                let sum = registers.iter().filter_map(|register| known(*register)).fold(0, i32::saturating_add);
                let unknown: Arc<[Register]> =
                    registers.iter().copied().filter(|register| known(*register).is_none()).collect();
                match &*unknown {
                    [] => Self::Constant(sum),
                    _ if unknown.len() == registers.len() => self.clone(),
                    _ => Self::Sum(unknown).plus(Self::Constant(sum)),
                }
            }
        }
    }
}

impl Test {
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
}
