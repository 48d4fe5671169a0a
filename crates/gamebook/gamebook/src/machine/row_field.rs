//! The bits in which the states of a row differ.

use crate::program::{Field, Instruction, Outcome, Program, Reads, Register, State, Value};
use crate::terms::Operator;

/// The most states of a row, a power of two: long enough to share much work, short enough to waste little on states that are
/// not reached.
const LONGEST: u16 = 1 << 5;

/// The lowest bits of a register: the number in which the states of a row differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowField {
    pub register: Register,
    pub field: Field,
    pub mask: State,
    /// The most states of a row.
    pub length: u32,
}

impl RowField {
    /// The bits of the hero's health.
    pub(super) fn new(program: &Program) -> Option<Self> {
        let register = program.sheet.vital()?;
        let field = program.layout.field(register).low(LONGEST);
        (field.numbers() > 1).then(|| Self { register, field, mask: field.mask(), length: field.numbers() })
    }

    /// The row of a state and its position in it.
    #[inline]
    pub(super) fn split(&self, state: &State) -> (State, u32) {
        (state.without(&self.mask), state.above(self.field))
    }

    /// The state at a position of a row.
    #[inline]
    pub(super) fn at(&self, row: &State, position: u32) -> State {
        row.with_above(self.field, position)
    }

    /// Whether an outcome keeps the order of positions, takes none farther from another, and depends on them in no other way.
    pub(super) fn is_moved(&self, outcome: &Outcome) -> bool {
        outcome.sets.iter().all(|(register, value)| {
            if *register == self.register { self.follows(value) } else { !value.depends_on(self.register) }
        })
    }

    /// For each place whether it is a chance whose outcomes subtract the same number from all positions (down to the minimum)
    /// and depend on them in no other way.
    pub(super) fn falls(&self, program: &Program) -> Vec<bool> {
        let takes = |(register, value): &(Register, Value)| match value {
            Value::Operation(Operator::Minus, left, right) if *register == self.register => {
                **left == Value::Register(self.register)
                    && !right.depends_on(self.register)
                    && right.range(&program.layout).0 >= 0
            }
            value => *register != self.register && !value.depends_on(self.register),
        };
        let falls = |step: &Instruction| matches!(step, Instruction::Chance { outcomes } if outcomes.iter().all(|own| own.sets.iter().all(takes)));
        program.steps.iter().map(falls).collect()
    }

    /// Whether a value grows with the register, at most as fast.
    fn follows(&self, value: &Value) -> bool {
        let apart = |value: &Value| !value.depends_on(self.register);
        match value {
            Value::Register(register) => *register == self.register,
            Value::Operation(Operator::Plus, left, right) => {
                self.follows(left) && apart(right) || apart(left) && self.follows(right)
            }
            Value::Operation(Operator::Minus, left, right) => self.follows(left) && apart(right),
            Value::Operation(Operator::Min | Operator::Max, left, right) => {
                [left, right].into_iter().all(|side| apart(side) || self.follows(side))
            }
            _ => false,
        }
    }

    /// Whether these registers include the position.
    #[inline]
    pub(super) fn is_in(&self, registers: &State) -> bool {
        registers.common(&self.mask) != State::default()
    }
}
