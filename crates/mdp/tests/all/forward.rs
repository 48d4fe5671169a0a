//! Where play comes by, against schoolbook equations.

use std::collections::BTreeMap;

use crate::common::{Table, ever, policy_of, space, table};
use mdp::{Distribution, Probability, Rational, SolveOptions, StateId, forward, forward_exact, ratio, solve};
use proptest::prelude::*;

fn close(float: &Probability, exact: &Rational) -> bool {
    (float.decimal - mdp::nearest(exact)).abs() < 1e-9
}

fn check(table: &Table, weights: &[u64]) -> Result<(), TestCaseError> {
    let space = space(table, 1);
    let model = space.model();
    let solution = solve(model, &SolveOptions::exact()).expect("solvable");
    let policy = policy_of(&space, &solution);
    let count = table.states.len();
    let number = |state: usize| space.number_of(&state).expect("all states are starts");
    let begin = Distribution::weighted((0..count).zip(weights.iter().copied())).expect("a positive weight");
    let start: Distribution<StateId> = begin.map(|state| number(*state));
    // The mean over the start.
    let mean = |of: Vec<Rational>| begin.expected_value(|state| of[*state].clone());
    let exact = forward_exact(model, &solution, &start, None).expect("small");
    let float = forward(model, solution.policy(), &start, None).expect("small");
    for state in 0..count {
        let expected = mean(ever(table, &policy, |other| other == state));
        prop_assert_eq!(exact.probability(number(state)).exact, Some(expected.clone()), "state {}", state);
        prop_assert!(close(&float.probability(number(state)), &expected), "state {} in floating point", state);
    }
    let ends = mean(ever(table, &policy, |state| table.states[state].is_ok()));
    let finished = exact.finished().fold(Rational::ZERO, |sum, (_, p)| sum + p.exact.expect("exact"));
    prop_assert_eq!(finished, ends);
    for groups in [2, 3] {
        let group_of = |state: usize| (state * 5 + 1) % 7 % groups;
        let key = |number: StateId| group_of(*space.state(number));
        let expected: BTreeMap<usize, Rational> = (0..groups)
            .map(|group| (group, mean(ever(table, &policy, |state| group_of(state) == group))))
            .filter(|(_, probability)| *probability != Rational::ZERO)
            .collect();
        let found = exact.by_key(key).expect("small");
        let found: BTreeMap<usize, Rational> =
            found.into_iter().map(|(key, p)| (key, p.exact.expect("exact"))).collect();
        prop_assert_eq!(&found, &expected);
        let floats = float.by_key(key).expect("small");
        prop_assert_eq!(floats.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (key, probability) in &floats {
            prop_assert!(close(probability, &expected[key]), "group {} in floating point", key);
        }
    }
    Ok(())
}

fn weights() -> impl Strategy<Value = Vec<u64>> {
    (proptest::collection::vec(0u64..4, 8), 0usize..2).prop_map(|(mut weights, first)| {
        weights[first] += 1;
        weights
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn acyclic(table in table(false, 1), weights in weights()) {
        check(&table, &weights)?;
    }

    #[test]
    fn cyclic(table in table(true, 1), weights in weights()) {
        check(&table, &weights)?;
    }

    #[test]
    fn ordered_payoffs(table in table(true, 2), weights in weights()) {
        check(&table, &weights)?;
    }
}

/// A group that play leaves and enters again counts a play once.
#[test]
fn a_group_that_is_left_and_entered_again() {
    // 0 (group a) - 1 (group b) - 2 (group a) - 3, an end of group a.
    let certain = |state| vec![vec![(1, state)]];
    let table = Table {
        states: vec![
            Err(certain(1)),
            Err(vec![vec![(1, 2), (1, 4)]]),
            Err(certain(3)),
            Ok(vec![Rational::ONE]),
            Ok(vec![Rational::ZERO]),
        ],
    };
    let space = space(&table, 1);
    let solution = solve(space.model(), &SolveOptions::exact()).expect("solvable");
    let start = Distribution::certain(space.number_of(&0).expect("a start"));
    let reached = forward_exact(space.model(), &solution, &start, None).expect("small");
    let names = reached.by_key(|state| ["a", "b", "a", "a", "c"][*space.state(state)]).expect("small");
    let exact: Vec<Option<Rational>> = names.values().map(|p| p.exact.clone()).collect();
    assert_eq!(exact, [Some(Rational::ONE), Some(Rational::ONE), Some(ratio(1, 2))]);
}

/// Play leaves a circle with one chance in 2^60: the way out is certain all the same.
#[test]
fn a_circle_that_is_hardly_left() {
    for stay in [1u64 << 40, 1 << 60] {
        let table = Table {
            states: vec![
                Err(vec![vec![(stay, 1), (1, 2)]]),
                Err(vec![vec![(1, 0)]]),
                Err(vec![vec![(stay, 2), (1, 3), (3, 4)]]),
                Ok(vec![Rational::ONE]),
                Ok(vec![Rational::ZERO]),
            ],
        };
        let space = space(&table, 1);
        let solution = solve(space.model(), &SolveOptions::exact()).expect("solvable");
        let number = |state: usize| space.number_of(&state).expect("a start");
        let start = Distribution::certain(number(0));
        let exact = forward_exact(space.model(), &solution, &start, None).expect("small");
        assert_eq!(exact.probability(number(3)).exact, Some(ratio(1, 4)));
        let float = forward(space.model(), solution.policy(), &start, None).expect("small");
        assert!((float.probability(number(3)).decimal - 0.25).abs() < 1e-9, "{:?}", float.probability(number(3)));
        assert!((float.probability(number(1)).decimal - 1.0).abs() < 1e-9);
    }
}

/// As many groups as states: no step may look at all pairs of them.
#[test]
fn many_groups() {
    const LENGTH: usize = 30_000;
    let mut states: Vec<_> = (0..LENGTH).map(|state| Err(vec![vec![(1, state + 1)]])).collect();
    states.push(Ok(vec![Rational::ONE]));
    let table = Table { states };
    let space = space(&table, 1);
    let solution = solve(space.model(), &SolveOptions::exact()).expect("solvable");
    let start = Distribution::certain(space.number_of(&0).expect("a start"));
    let reached = forward_exact(space.model(), &solution, &start, None).expect("no circles");
    let groups = reached.by_key(|state| state).expect("no circles");
    assert_eq!(groups.len(), LENGTH + 1);
    assert!(groups.values().all(|probability| probability.exact == Some(Rational::ONE)));
}
