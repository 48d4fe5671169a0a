//! The number from which on a value or test no longer distinguishes a register.

use super::ranges::half;
use super::state::{Layout, Register};
use super::value::{Reads, Test, Value};
use crate::terms::{Comparison, Operator};

impl Value {
    /// Whether it reads a register only in sums with another one, so that moving units between them changes nothing.
    pub(crate) fn adds_up(&self, register: Register, other: Register) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Register(own) => *own != register,
            Self::Operation(_, left, right) => left.adds_up(register, other) && right.adds_up(register, other),
            Self::Half(value) | Self::Lookup(_, value) => value.adds_up(register, other),
            Self::Holds(test) => test.adds_up(register, other),
            Self::Sum(registers) => {
                let more = |own: &Register| i32::from(*own == register) - i32::from(*own == other);
                !registers.contains(&register) || registers.iter().map(more).sum::<i32>() == 0
            }
        }
    }

    /// Whether it is non-decreasing in a register, whatever the others hold.
    pub(crate) fn grows_with(&self, register: Register) -> bool {
        match self {
            Self::Constant(_) | Self::Register(_) | Self::Sum(_) => true,
            Self::Operation(Operator::Plus | Operator::Min | Operator::Max, left, right) => {
                left.grows_with(register) && right.grows_with(register)
            }
            Self::Operation(Operator::Minus, left, right) => left.grows_with(register) && right.falls_with(register),
            Self::Half(value) => value.grows_with(register),
            Self::Operation(Operator::Down | Operator::Up, left, right) if right.is_divisor() => {
                left.grows_with(register)
            }
            Self::Operation(Operator::Times | Operator::Down | Operator::Up, ..)
            | Self::Holds(_)
            | Self::Lookup(..) => !self.depends_on(register),
        }
    }

    /// Whether it is non-increasing in a register, whatever the others hold.
    pub(crate) fn falls_with(&self, register: Register) -> bool {
        match self {
            Self::Operation(Operator::Minus, left, right) => left.falls_with(register) && right.grows_with(register),
            Self::Operation(Operator::Plus | Operator::Min | Operator::Max, left, right) => {
                left.falls_with(register) && right.falls_with(register)
            }
            Self::Operation(Operator::Down | Operator::Up, left, right) if right.is_divisor() => {
                left.falls_with(register)
            }
            value => !value.depends_on(register),
        }
    }

    /// Whether quotients by it are monotonic: it is non-negative.
    fn is_divisor(&self) -> bool {
        matches!(self, Self::Constant(1..))
    }

    /// Calls `need(register, number)` for each register with the number from which on it makes no difference to this value, if
    /// values from `from` on are equivalent.
    pub(crate) fn distinguish(&self, from: i32, layout: &Layout, need: &mut dyn FnMut(Register, i32)) {
        match self {
            // Most values are a constant or a register and need no list.
            Self::Constant(_) | Self::Register(_) => {
                self.distinguish_parts(from, &[Part { range: self.range(layout), parts: 1 }], layout, need);
            }
            value => {
                let mut parts = Vec::new();
                value.parts(layout, &mut parts);
                value.distinguish_parts(from, &parts, layout, need);
            }
        }
    }

    /// The ranges of a value and its parts in preorder.
    fn parts(&self, layout: &Layout, parts: &mut Vec<Part>) {
        let own = parts.len();
        parts.push(Part { range: (0, 0), parts: 1 });
        let range = match self {
            Self::Operation(operator, left, right) => {
                left.parts(layout, parts);
                let beside = parts.len();
                right.parts(layout, parts);
                operator.range(parts[own + 1].range, parts[beside].range)
            }
            Self::Half(value) => {
                value.parts(layout, parts);
                half(parts[own + 1].range)
            }
            Self::Lookup(_, index) => {
                index.parts(layout, parts);
                self.range(layout)
            }
            Self::Constant(_) | Self::Register(_) | Self::Holds(_) | Self::Sum(_) => self.range(layout),
        };
        parts[own] = Part { range, parts: parts.len() - own };
    }

    fn distinguish_parts(&self, from: i32, parts: &[Part], layout: &Layout, need: &mut dyn FnMut(Register, i32)) {
        let [own, inner @ ..] = parts else { return };
        if from <= own.range.0 {
            return;
        }
        match self {
            Self::Constant(_) => {}
            Self::Register(register) => need(*register, from),
            Self::Operation(operator, left, right) => {
                let (left_parts, right_parts) = inner.split_at(inner[0].parts);
                let ((left_least, left_most), (right_least, right_most)) = (left_parts[0].range, right_parts[0].range);
                let share = |factor: &Self| match factor {
                    Self::Constant(factor @ 1..) if from < i32::MAX => {
                        from.div_euclid(*factor) + i32::from(from.rem_euclid(*factor) > 0)
                    }
                    // Nothing times nothing, or at least once: a factor that is large enough makes a product that is.
                    _ if left_least >= 0 && right_least >= 0 => from,
                    _ => i32::MAX,
                };
                let (of_left, of_right) = match operator {
                    // The sum is large enough, whatever the other is.
                    Operator::Plus => (from.saturating_sub(right_least), from.saturating_sub(left_least)),
                    Operator::Minus => (from.saturating_add(right_most), i32::MAX),
                    // What is never less than the other makes no difference.
                    Operator::Min => (from.min(right_most), from.min(left_most)),
                    Operator::Max => (from, from),
                    Operator::Times => (share(right), share(left)),
                    // From this dividend on the quotient is large enough.
                    Operator::Down | Operator::Up => match **right {
                        Self::Constant(divisor @ 1..) if from < i32::MAX => {
                            let below = if *operator == Operator::Up { divisor - 1 } else { 0 };
                            (from.saturating_mul(divisor).saturating_sub(below), i32::MAX)
                        }
                        _ => (i32::MAX, i32::MAX),
                    },
                };
                left.distinguish_parts(of_left, left_parts, layout, need);
                right.distinguish_parts(of_right, right_parts, layout, need);
            }
            Self::Half(value) => value.distinguish_parts(from.saturating_mul(2), inner, layout, need),
            Self::Holds(test) => test.distinguish(layout, need),
            Self::Lookup(table, index) => index.distinguish_parts(table.last(), inner, layout, need),
            Self::Sum(registers) => {
                for register in registers.iter() {
                    let others = own.range.0.saturating_sub(layout.range(*register).0);
                    need(*register, from.saturating_sub(others));
                }
            }
        }
    }
}

/// A part of a value.
struct Part {
    /// Its range.
    range: (i32, i32),
    /// The number of its parts, including itself.
    parts: usize,
}

impl Test {
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

    /// Calls `need(register, number)` for each register with the number from which on it makes no difference to this test.
    pub(crate) fn distinguish(&self, layout: &Layout, need: &mut dyn FnMut(Register, i32)) {
        match self {
            Self::Constant(_) => {}
            Self::Compare(comparison, left, right) => {
                // Beyond the range of the other side larger numbers are equivalent.
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

#[cfg(test)]
mod tests;
