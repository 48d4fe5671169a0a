//! Random small games against a brute force that shares nothing with the engine: every policy is tried, and its
//! equations are solved by textbook elimination.

use crate::common::{Table, brute_force, evaluate, listing, policy_of, space, table};
use mdp::{Method, Rational, Sense, SolveOptions, solve};
use proptest::prelude::*;

fn check(table: &Table, objectives: usize, sense: Sense) -> Result<(), TestCaseError> {
    let expected = brute_force(table, objectives, sense);
    let space = space(table, 1);
    let exact = solve(space.model(), &SolveOptions::exact().with_sense(sense)).expect("solvable");
    let bounded = |method| {
        solve(space.model(), &SolveOptions::default().with_sense(sense).with_method(method)).expect("solvable")
    };
    let bounded = Method::ALL.map(bounded);
    for (state, expected) in expected.iter().enumerate() {
        let number = space.number_of(&state).expect("all states are starts");
        for (objective, expected) in expected.iter().enumerate() {
            let found = exact.value_in(objective, number);
            prop_assert_eq!(found.exact.as_ref(), Some(expected), "state {} objective {}", state, objective);
            for bounded in &bounded {
                let bounds = bounded.value_in(objective, number);
                let (lower, upper) = (mdp::exactly(bounds.lower), mdp::exactly(bounds.upper));
                prop_assert!(lower.is_some_and(|lower| lower <= *expected), "{} <= {}", bounds.lower, expected);
                prop_assert!(upper.is_some_and(|upper| *expected <= upper), "{} >= {}", bounds.upper, expected);
                prop_assert!(bounds.upper - bounds.lower < 1e-9, "the bounds are tight: {:?}", bounds);
            }
        }
        // The best sets are exactly the choices whose mean next value is the value.
        let Err(choices) = &table.states[state] else { continue };
        let worth = |choice: &[(u64, usize)]| -> Vec<Rational> {
            let total: u64 = choice.iter().map(|(weight, _)| weight).sum();
            (0..objectives)
                .map(|objective| {
                    choice.iter().fold(Rational::ZERO, |sum, (weight, next)| {
                        let next = space.number_of(next).expect("all states are starts");
                        let value = exact.value_in(objective, next).exact.expect("exact");
                        sum + value * Rational::from_parts((*weight).into(), total.into())
                    })
                })
                .collect()
        };
        let best: Vec<u32> =
            (0..).zip(choices).filter(|(_, choice)| worth(choice) == *expected).map(|(n, _)| n).collect();
        prop_assert_eq!(exact.best().of(number).collect::<Vec<_>>(), best.clone(), "state {}", state);
        for choice in best {
            prop_assert!(bounded.iter().all(|bounded| bounded.best().contains(number, choice)));
        }
    }
    // The policy attains the values.
    let policy = policy_of(&space, &exact);
    for objective in 0..objectives {
        let attained = evaluate(table, &policy, objective);
        for (state, attained) in attained.iter().enumerate() {
            let expected = &expected[state][objective];
            prop_assert_eq!(attained, expected, "policy in state {}", state);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn acyclic(table in table(false, 1)) {
        check(&table, 1, Sense::Max)?;
        check(&table, 1, Sense::Min)?;
    }

    #[test]
    fn cyclic(table in table(true, 1)) {
        check(&table, 1, Sense::Max)?;
        check(&table, 1, Sense::Min)?;
    }

    #[test]
    fn ordered_payoffs(table in table(true, 2)) {
        check(&table, 2, Sense::Max)?;
    }

    #[test]
    fn threads_change_nothing(table in table(true, 1)) {
        let (one, two) = (space(&table, 1), space(&table, 2));
        prop_assert_eq!(one.states(), two.states());
        prop_assert_eq!(one.model().counts(), two.model().counts());
        for state in 0..one.model().states() {
            prop_assert_eq!(listing(one.model(), state), listing(two.model(), state));
        }
    }
}
