//! Numbers that depend on the registers.

use std::sync::Arc;

use crate::book::{Comparison, Operator};
use crate::predicate::Test;
use crate::state::{Layout, Register, State};

/// A number that depends on the registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Constant(i32),
    Register(Register),
    Operation(Operator, Box<Value>, Box<Value>),
    /// Half of a number, rounded down.
    Half(Box<Value>),
    /// 1 where the test holds, else 0.
    Holds(Box<Test>),
    /// What stands in a table at a number.
    Lookup(Arc<Table>, Box<Value>),
    /// How many things there are in these registers.
    Sum(Arc<[Register]>),
}

/// Numbers in a row; those beyond its ends are the first and the last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Table {
    /// Where the first number stands.
    pub first: i32,
    /// At least one.
    pub numbers: Box<[i32]>,
}

impl Table {
    fn at(&self, index: i32) -> i32 {
        let place = usize::try_from(index.saturating_sub(self.first)).unwrap_or(0);
        self.numbers[place.min(self.numbers.len() - 1)]
    }

    /// Where the last number stands.
    pub(crate) fn last(&self) -> i32 {
        self.first.saturating_add(i32::try_from(self.numbers.len()).unwrap_or(i32::MAX) - 1)
    }
}

/// What depends on registers.
pub(crate) trait Reads {
    /// Visits every register that it reads.
    fn reads(&self, visit: &mut dyn FnMut(Register));

    /// Whether it reads a register.
    fn depends_on(&self, register: Register) -> bool {
        let mut reads = false;
        self.reads(&mut |read| reads |= read == register);
        reads
    }
}

impl Reads for Value {
    fn reads(&self, visit: &mut dyn FnMut(Register)) {
        match self {
            Self::Constant(_) => {}
            Self::Register(register) => visit(*register),
            Self::Operation(_, left, right) => {
                left.reads(visit);
                right.reads(visit);
            }
            Self::Half(value) | Self::Lookup(_, value) => value.reads(visit),
            Self::Holds(test) => test.reads(visit),
            Self::Sum(registers) => registers.iter().for_each(|register| visit(*register)),
        }
    }
}

impl Value {
    pub(crate) fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Constant(0), value) | (value, Self::Constant(0)) => value,
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

    /// Whether it is what a register holds less 1.
    pub(crate) fn is_one_less_than(&self, register: Register) -> bool {
        match self {
            Self::Operation(Operator::Minus, left, right) => {
                matches!((&**left, &**right), (Self::Register(own), Self::Constant(1)) if *own == register)
            }
            _ => false,
        }
    }

    /// How many numbers and tests it is made of, itself included.
    pub(crate) fn nodes(&self) -> usize {
        1 + match self {
            Self::Constant(_) | Self::Register(_) => 0,
            Self::Operation(_, left, right) => left.nodes() + right.nodes(),
            Self::Half(value) | Self::Lookup(_, value) => value.nodes(),
            Self::Holds(test) => test.nodes(),
            Self::Sum(registers) => registers.len(),
        }
    }

    /// The smallest and the largest number that it can be.
    pub(crate) fn range(&self, layout: &Layout) -> (i32, i32) {
        self.range_where(&|register| layout.range(register))
    }

    /// The smallest and the largest number that it can be where registers are in these ranges.
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

    /// Whether it reads a register only in sums that have another one as well: what is moved from one to the other makes
    /// no difference then.
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

    /// Whether it never falls when a register grows, whatever the others hold.
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

    /// Whether it never grows when a register grows, whatever the others hold.
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

    /// Whether a quotient by it is never less for more.
    fn is_divisor(&self) -> bool {
        matches!(self, Self::Constant(1..))
    }

    /// Says of each register from which number on it makes no difference to this value, if values from `from` on are
    /// alike: `need(register, number)`.
    pub(crate) fn distinguish(&self, from: i32, layout: &Layout, need: &mut dyn FnMut(Register, i32)) {
        match self {
            // Most values are one number or one register: no list is made for them.
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

    /// The ranges of a value and of all that it is made of, itself first, then what stands left.
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
                    _ => i32::MAX,
                };
                let (of_left, of_right) = match operator {
                    // Whatever the other is, the sum is large enough.
                    Operator::Plus => (from.saturating_sub(right_least), from.saturating_sub(left_least)),
                    Operator::Minus => (from.saturating_add(right_most), i32::MAX),
                    // What is not less than the other ever is makes no difference.
                    Operator::Min => (from.min(right_most), from.min(left_most)),
                    Operator::Max => (from, from),
                    Operator::Times => (share(right), share(left)),
                    // Quotients by a number are as large as that from this many of it on.
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

/// What is known of a part of a value.
struct Part {
    /// The smallest and the largest number that it can be.
    range: (i32, i32),
    /// Of how many parts it is made, itself included.
    parts: usize,
}

impl Operator {
    /// The smallest and the largest result, where the smallest and the largest of both numbers are known.
    fn range(self, left: (i32, i32), right: (i32, i32)) -> (i32, i32) {
        let apply = |left: i32, right: i32| self.apply(left, right);
        match self {
            Self::Plus | Self::Min | Self::Max => (apply(left.0, right.0), apply(left.1, right.1)),
            Self::Minus => (apply(left.0, right.1), apply(left.1, right.0)),
            // Next to 0 a divisor makes the most of it.
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
fn half((least, most): (i32, i32)) -> (i32, i32) {
    (least.div_euclid(2), most.div_euclid(2))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const REGISTERS: Register = 4;

    fn layout() -> Layout {
        let register = |least, most| (String::new(), least, most);
        Layout::new(vec![register(0, 4), register(-3, 3), register(0, 1), register(1, 6)]).unwrap()
    }

    fn every_state(layout: &Layout) -> Vec<State> {
        let mut states = vec![layout.zero()];
        for register in 0..REGISTERS {
            let (least, most) = layout.range(register);
            let with = |state: &State, number| {
                let mut state = *state;
                layout.set(&mut state, register, number);
                state
            };
            states = states.iter().flat_map(|state| (least..=most).map(move |number| with(state, number))).collect();
        }
        states
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            (-4..8).prop_map(Value::Constant),
            (0..REGISTERS).prop_map(Value::Register),
            prop::collection::vec(0..REGISTERS, 1..4).prop_map(|registers| Value::Sum(registers.into())),
        ];
        leaf.prop_recursive(3, 12, 2, |inner| {
            use Operator::{Down, Max, Min, Minus, Plus, Times, Up};
            let operator =
                prop_oneof![Just(Plus), Just(Minus), Just(Times), Just(Min), Just(Max), Just(Down), Just(Up)];
            let comparison = prop_oneof![
                Just(Comparison::Equal),
                Just(Comparison::Less),
                Just(Comparison::AtMost),
                Just(Comparison::More),
                Just(Comparison::AtLeast),
            ];
            let table = Arc::new(Table { first: -1, numbers: [3, 1, 2].into() });
            prop_oneof![
                (operator, inner.clone(), inner.clone())
                    .prop_map(|(operator, left, right)| Value::operation(operator, left, right)),
                inner.clone().prop_map(Value::half),
                (comparison, inner.clone(), inner.clone())
                    .prop_map(|(comparison, left, right)| Value::holds(Test::compare(comparison, left, right))),
                inner.prop_map(move |index| Value::Lookup(table.clone(), Box::new(index))),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn what_is_known_of_a_value(value in values(), from in -10..20, known in 0..REGISTERS) {
            let layout = layout();
            let (least, most) = value.range(&layout);
            let mut needs = [0; REGISTERS as usize];
            value.distinguish(from, &layout, &mut |register, number| {
                let need = &mut needs[usize::from(register)];
                *need = layout.above(register, number).max(*need);
            });
            for state in every_state(&layout) {
                let number = value.number(&layout, &state);
                prop_assert!((least..=most).contains(&number));
                let given = value.given(&|register| (register == known).then(|| layout.get(&state, register)));
                prop_assert_eq!(given.number(&layout, &state), number);
                prop_assert!(!given.depends_on(known));
                // Cut to the needs.
                let mut cut = state;
                for (register, need) in (0..).zip(needs) {
                    let number = layout.field(register).number(need).min(layout.get(&state, register));
                    layout.set(&mut cut, register, number);
                }
                let cut = value.number(&layout, &cut);
                prop_assert!(cut == number || cut >= from && number >= from, "{} became {}", number, cut);
                // One more of a register.
                for register in 0..REGISTERS {
                    let mut more = state;
                    layout.set(&mut more, register, layout.get(&state, register) + 1);
                    let more = value.number(&layout, &more);
                    prop_assert!(!value.grows_with(register) || more >= number);
                    prop_assert!(!value.falls_with(register) || more <= number);
                    prop_assert!(value.depends_on(register) || more == number);
                }
            }
        }
    }
}
