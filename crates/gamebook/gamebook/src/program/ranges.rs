//! Ranges of values.

use super::state::{Layout, Register};
use super::value::Value;
use crate::terms::Operator;

impl Value {
    /// The smallest and the largest number that it can be.
    pub(crate) fn range(&self, layout: &Layout) -> (i32, i32) {
        self.range_where(&|register| layout.range(register))
    }

    /// The same where registers are in these ranges.
    pub(crate) fn range_where(&self, of: &dyn Fn(Register) -> (i32, i32)) -> (i32, i32) {
        match self {
            Self::Constant(number) => (*number, *number),
            Self::Register(register) => of(*register),
            Self::Operation(operator, left, right) => operator.range(left.range_where(of), right.range_where(of)),
            Self::Half(value) => half(value.range_where(of)),
            Self::Holds(_) => (0, 1),
            Self::Lookup(table, _) => {
                let least = table.numbers.iter().copied().min().unwrap_or(0);
                (least, table.numbers.iter().copied().max().unwrap_or(0))
            }
            Self::Sum(registers) => {
                registers.iter().map(|register| of(*register)).fold((0, 0), |(least, most): (i32, i32), own| {
                    (least.saturating_add(own.0), most.saturating_add(own.1))
                })
            }
        }
    }
}

impl Operator {
    /// The range of the result, from the ranges of the operands.
    pub(super) fn range(self, left: (i32, i32), right: (i32, i32)) -> (i32, i32) {
        let apply = |left: i32, right: i32| self.apply(left, right);
        match self {
            Self::Plus | Self::Min | Self::Max => (apply(left.0, right.0), apply(left.1, right.1)),
            Self::Minus => (apply(left.0, right.1), apply(left.1, right.0)),
            // Near 0 a divisor makes the quotient largest.
            Self::Down | Self::Up if right.0 <= 0 => (i32::MIN, i32::MAX),
            Self::Times | Self::Down | Self::Up => {
                let corners = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)]
                    .map(|(left, right)| apply(left, right));
                corners
                    .iter()
                    .fold((corners[0], corners[0]), |(least, most), corner| (least.min(*corner), most.max(*corner)))
            }
        }
    }
}

/// The half of a range, rounded down.
pub(super) fn half((least, most): (i32, i32)) -> (i32, i32) {
    (least.div_euclid(2), most.div_euclid(2))
}
