use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::program::state::State;
use crate::program::value::Table;

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
        let operator = prop_oneof![Just(Plus), Just(Minus), Just(Times), Just(Min), Just(Max), Just(Down), Just(Up)];
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
