//! Fixed policies, against textbook equations.

use crate::common::{self, Table, space, table};
use mdp::{Policy, Rational, Sense, SolveOptions, evaluate, solve};
use proptest::prelude::*;

fn check(table: &Table, picks: &[usize], objectives: usize) -> Result<(), TestCaseError> {
    let space = space(table, 1);
    let model = space.model();
    let policy: Vec<usize> = table
        .states
        .iter()
        .zip(picks)
        .map(|(state, pick)| state.as_ref().err().map_or(0, |c| pick % c.len()))
        .collect();
    let chosen = Policy::new(model, |number| policy[*space.state(number)].try_into().expect("few choices"))
        .expect("picks of the state's choices");
    let exact = evaluate(&chosen, &SolveOptions::exact()).expect("solvable");
    let bounded = evaluate(&chosen, &SolveOptions::default()).expect("solvable");
    for objective in 0..objectives {
        let expected = common::evaluate(table, &policy, objective);
        for (state, expected) in expected.iter().enumerate() {
            let number = space.number_of(&state).expect("all states are starts");
            prop_assert_eq!(exact.value_in(objective, number).exact, Some(expected.clone()), "state {}", state);
            let bounds = bounded.value_in(objective, number);
            prop_assert!(common::contains(&bounds, expected), "state {}: {:?} {}", state, bounds, expected);
            prop_assert_eq!(
                exact.best().of(number).collect::<Vec<_>>(),
                chosen.choice(number).into_iter().collect::<Vec<_>>()
            );
        }
    }
    for sense in [Sense::Max, Sense::Min] {
        let best = solve(model, &SolveOptions::exact().with_sense(sense)).expect("solvable");
        for number in 0..model.states() {
            let values = |solution: &mdp::Solution| -> Vec<Rational> {
                (0..objectives).map(|objective| solution.value_in(objective, number).exact.expect("exact")).collect()
            };
            let (policy, best) = (values(&exact), values(&best));
            let no_better = if sense == Sense::Max { policy <= best } else { policy >= best };
            prop_assert!(no_better, "state {}", number);
        }
        // The policy of a solution has the values of the solution.
        let same = evaluate(best.policy(), &SolveOptions::exact()).expect("solvable");
        for number in 0..model.states() {
            for objective in 0..objectives {
                prop_assert_eq!(same.value_in(objective, number), best.value_in(objective, number));
            }
        }
    }
    Ok(())
}

fn picks() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0usize..6, 8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn acyclic(table in table(false, 1), picks in picks()) {
        check(&table, &picks, 1)?;
    }

    #[test]
    fn cyclic(table in table(true, 1), picks in picks()) {
        check(&table, &picks, 1)?;
    }

    #[test]
    fn ordered_payoffs(table in table(true, 2), picks in picks()) {
        check(&table, &picks, 2)?;
    }
}
