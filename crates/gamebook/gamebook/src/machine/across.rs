//! In what the states of a row differ.

use crate::program::{Field, Instruction, Outcome, Program, Reads, Register, State, Value};
use crate::terms::Operator;

/// A row has no more states than this, a power of two: long enough to share much, so short that little is kept for states
/// that are not reached.
const LONGEST: u16 = 1 << 5;

/// The number in which the states of a row differ: the lowest bits of a register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Across {
    pub register: Register,
    pub field: Field,
    pub mask: State,
    /// How many states a row has at most.
    pub length: u32,
}

impl Across {
    /// What is left of the hero's life.
    pub(super) fn new(program: &Program) -> Option<Self> {
        let register = program.sheet.vital()?;
        let field = program.layout.field(register).low(LONGEST);
        (field.numbers() > 1).then(|| Self { register, field, mask: field.mask(), length: field.numbers() })
    }

    /// The row of a state, and its position there.
    #[inline]
    pub(super) fn split(&self, state: &State) -> (State, u32) {
        (state.without(&self.mask), state.above(self.field))
    }

    /// The state at a position of a row.
    #[inline]
    pub(super) fn at(&self, row: &State, position: u32) -> State {
        row.with_above(self.field, position)
    }

    /// Whether an outcome takes positions neither out of their order nor farther from each other, and does nothing else that
    /// depends on them.
    pub(super) fn is_moved(&self, outcome: &Outcome) -> bool {
        outcome.sets.iter().all(|(register, value)| {
            if *register == self.register { self.follows(value) } else { !value.depends_on(self.register) }
        })
    }

    /// For each place whether it is a chance whose outcomes take as much from all positions, as far as they have it, and do
    /// nothing else that depends on them.
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

    /// Whether a value grows with the register, and no faster.
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

    /// Whether it belongs to these registers.
    #[inline]
    pub(super) fn is_in(&self, registers: &State) -> bool {
        registers.common(&self.mask) != State::default()
    }
}
