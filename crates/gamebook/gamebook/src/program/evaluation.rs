//! Evaluation of values and tests in a state, and partial evaluation.

use super::state::{Layout, Register, State};
use super::value::{Test, Value};
use crate::terms::Operator;

impl Layout {
    /// Assigns values to registers, one after another.
    #[inline]
    pub(crate) fn assign(&self, state: &mut State, sets: &[(Register, Value)]) {
        for (register, value) in sets {
            let number = value.number(self, state);
            self.set(state, *register, number);
        }
    }
}

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

    /// The number in a state, if it does not depend on the register `open`.
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

    /// Partial evaluation, with some registers known.
    pub(crate) fn given(&self, known: &impl Fn(Register) -> Option<i32>) -> Self {
        self.with(&|register| known(register).map(Self::Constant))
    }

    /// The same, clamped to a range.
    fn within(self, (least, most): (i32, i32), layout: &Layout) -> Self {
        let own = self.range(layout);
        let raised = if own.0 < least { self.max(Self::Constant(least)) } else { self };
        if own.1 > most { raised.min(Self::Constant(most)) } else { raised }
    }

    /// Substitutes values for registers.
    pub(crate) fn with(&self, values: &impl Fn(Register) -> Option<Self>) -> Self {
        match self {
            Self::Constant(_) => self.clone(),
            Self::Register(register) => values(*register).unwrap_or_else(|| self.clone()),
            Self::Operation(operator, left, right) => {
                let (left, right) = (left.with(values), right.with(values));
                match operator {
                    Operator::Plus => left.plus(right),
                    Operator::Minus => left.minus(right),
                    Operator::Times => left.times(right),
                    Operator::Min | Operator::Max | Operator::Down | Operator::Up => {
                        Self::operation(*operator, left, right)
                    }
                }
            }
            Self::Half(value) => value.with(values).half(),
            Self::Holds(test) => Self::holds(test.with(values)),
            Self::Lookup(table, index) => match index.with(values) {
                Self::Constant(index) => Self::Constant(table.at(index)),
                index => Self::Lookup(table.clone(), Box::new(index)),
            },
            Self::Sum(registers) => {
                let (mut sum, mut others, mut unknown) = (0i32, Self::Constant(0), Vec::new());
                for register in registers.iter() {
                    match values(*register) {
                        None => unknown.push(*register),
                        Some(Self::Constant(number)) => sum = sum.saturating_add(number),
                        Some(value) => others = others.plus(value),
                    }
                }
                let others = others.plus(Self::Constant(sum));
                match unknown.len() {
                    0 => others,
                    all if all == registers.len() => self.clone(),
                    _ => Self::Sum(unknown.into()).plus(others),
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

    /// Whether it holds in a state, if that does not depend on the register `open`.
    pub(crate) fn holds_without(&self, open: Register, layout: &Layout, state: &State) -> Option<bool> {
        let holds = |test: &Self| test.holds_without(open, layout, state);
        match self {
            Self::Constant(holds) => Some(*holds),
            Self::Compare(comparison, left, right) => {
                let left = left.number_without(open, layout, state)?;
                Some(comparison.holds(left, right.number_without(open, layout, state)?))
            }
            Self::Not(inner) => holds(inner).map(|holds| !holds),
            // One of them can decide it.
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

    /// Partial evaluation, with some registers known.
    pub(crate) fn given(&self, known: &impl Fn(Register) -> Option<i32>) -> Self {
        self.with(&|register| known(register).map(Value::Constant))
    }

    /// Substitutes values for registers.
    pub(crate) fn with(&self, values: &impl Fn(Register) -> Option<Value>) -> Self {
        match self {
            Self::Constant(_) => self.clone(),
            Self::Compare(comparison, left, right) => Self::compare(*comparison, left.with(values), right.with(values)),
            Self::Not(inner) => inner.with(values).negated(),
            Self::And(left, right) => Self::both(left.with(values), right.with(values)),
            Self::Or(left, right) => Self::either(left.with(values), right.with(values)),
        }
    }

    /// The weakest precondition: the test before these assignments that is equivalent to this one afterwards.
    pub(crate) fn before(&self, sets: &[(Register, Value)], layout: &Layout) -> Self {
        sets.iter().rev().fold(self.clone(), |test, (set, value)| {
            test.with(&|register| (register == *set).then(|| value.clone().within(layout.range(register), layout)))
        })
    }
}
