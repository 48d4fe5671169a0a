//! Visits under a policy, against textbook equations.

use std::collections::BTreeMap;

use crate::common::{Table, ever, policy_of, space, table};
use mdp::{
    Distribution, Probability, Rational, SolveOptions, StateId, Weight, exact_visit_probabilities, ratio, solve,
    visit_probabilities,
};
use proptest::prelude::*;

fn close(float: &Probability, exact: &Rational) -> bool {
    (float.decimal() - mdp::nearest(exact)).abs() < 1e-9
}

fn check(table: &Table, weights: &[u64]) -> Result<(), TestCaseError> {
    let space = space(table, 1);
    let model = space.model();
    let solution = solve(model, &SolveOptions::exact()).expect("solvable");
    let policy = policy_of(&space, &solution);
    let count = table.states.len();
    let number = |state: usize| space.number_of(&state).expect("all states are starts");
    let begin = Distribution::weighted((0..count).zip(weights.iter().copied().map(Weight))).expect("a positive weight");
    let start: Distribution<StateId> = begin.map(|state| number(*state));
    // The mean over the start.
    let mean = |of: Vec<Rational>| begin.expected_value(|state| of[*state].clone());
    let exact = exact_visit_probabilities(&solution, &start, None).expect("small");
    let float = visit_probabilities(solution.policy(), &start, None).expect("small");
    for state in 0..count {
        let expected = mean(ever(table, &policy, |other| other == state));
        prop_assert_eq!(exact.probability(number(state)).into_exact(), Some(expected.clone()), "state {}", state);
        prop_assert!(close(&float.probability(number(state)), &expected), "state {} in floating point", state);
    }
    let ends = mean(ever(table, &policy, |state| table.states[state].is_ok()));
    let finished = exact.finished().fold(Rational::ZERO, |sum, (_, p)| sum + p.into_exact().expect("exact"));
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
            found.into_iter().map(|(key, p)| (key, p.into_exact().expect("exact"))).collect();
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
    let reached = exact_visit_probabilities(&solution, &start, None).expect("small");
    let names = reached.by_key(|state| ["a", "b", "a", "a", "c"][*space.state(state)]).expect("small");
    let exact: Vec<Option<Rational>> = names.values().map(|p| p.exact().cloned()).collect();
    assert_eq!(exact, [Some(Rational::ONE), Some(Rational::ONE), Some(ratio(1, 2))]);
}

/// Play leaves a cycle with a probability of 2^-60: the way out is certain all the same.
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
        let exact = exact_visit_probabilities(&solution, &start, None).expect("small");
        assert_eq!(exact.probability(number(3)).into_exact(), Some(ratio(1, 4)));
        let float = visit_probabilities(solution.policy(), &start, None).expect("small");
        assert!((float.probability(number(3)).decimal() - 0.25).abs() < 1e-9, "{:?}", float.probability(number(3)));
        assert!((float.probability(number(1)).decimal() - 1.0).abs() < 1e-9);
    }
}

/// As many groups as states: no step may consider all pairs of them.
#[test]
fn many_groups() {
    const LENGTH: usize = 30_000;
    let mut states: Vec<_> = (0..LENGTH).map(|state| Err(vec![vec![(1, state + 1)]])).collect();
    states.push(Ok(vec![Rational::ONE]));
    let table = Table { states };
    let space = space(&table, 1);
    let solution = solve(space.model(), &SolveOptions::exact()).expect("solvable");
    let start = Distribution::certain(space.number_of(&0).expect("a start"));
    let reached = exact_visit_probabilities(&solution, &start, None).expect("no circles");
    let groups = reached.by_key(|state| state).expect("no circles");
    assert_eq!(groups.len(), LENGTH + 1);
    assert!(groups.values().all(|probability| probability.exact().cloned() == Some(Rational::ONE)));
}

/// A walk on a ring of places with three ways on from each and hardly a way out, compared with the closed form: from
/// the place of the exit play leaves with probability `out`, so it visits every place often.
fn ring(places: u32, exits: u64, way: impl Fn(u32) -> u32) -> mdp::Built {
    let mut builder = mdp::ModelBuilder::new();
    let walk = builder.weights(&[1, 1, 1]).expect("positive");
    let leave = builder.weights(&[1, exits, exits]).expect("positive");
    for place in 0..places {
        let (left, right) = ((place + places - 1) % places, (place + 1) % places);
        if place == 0 {
            builder.choice(leave, &[places, left, right]).expect("three targets");
        } else {
            builder.choice(walk, &[left, right, way(place) % places]).expect("three targets");
        }
        builder.finish_state().expect("a choice");
    }
    builder.finished(&[Rational::ONE]).expect("a payoff");
    builder.build(None).expect("complete")
}

/// Thousands of strongly connected states take one elimination.
#[test]
fn a_large_circle() {
    let built = ring(3375, 1_000_000, |place| place + 15);
    let policy = mdp::Policy::new(&built.model, |_| 0).expect("one choice each");
    let start = Distribution::certain(built.number_of(1));
    let began = std::time::Instant::now();
    let reached = visit_probabilities(&policy, &start, None).expect("it fits");
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
    for state in 0..3375 {
        // Play leaves once in two million visits of place 0: until then it visits every place.
        let ever = reached.probability(built.number_of(state)).decimal();
        assert!((0.999..=1.0).contains(&ever), "{state}: {ever}");
    }
    assert!((reached.probability(built.number_of(3375)).decimal() - 1.0).abs() < 1e-12);
    let ends = reached.by_key(|state| state == built.number_of(3375)).expect("it fits");
    assert!(ends.values().all(|probability| probability.decimal() <= 1.0));
}

/// The same exactly, and in floating point, for cycles of many sizes.
#[test]
fn circles_exactly_and_in_floating_point() {
    for (places, exits) in [(2, 1), (3, 5), (17, 1), (60, 1_000_000_000_000_000_000), (200, 3)] {
        let built = ring(places, exits, |place| place * 7 + 3);
        let solution = solve(&built.model, &SolveOptions::exact()).expect("solvable");
        let start = Distribution::uniform([built.number_of(1), built.number_of(places / 2)]).expect("two");
        let exact = exact_visit_probabilities(&solution, &start, None).expect("small");
        let float = visit_probabilities(solution.policy(), &start, None).expect("small");
        for (state, probability) in exact.iter() {
            let found = float.probability(state).decimal();
            let exact = mdp::nearest(probability.exact().expect("exact"));
            assert!((found - exact).abs() <= 1e-13 * exact, "{places}: {found} {exact}");
        }
        let end = exact.probability(built.number_of(places));
        assert_eq!(end.into_exact(), Some(Rational::ONE));
    }
}

/// The computation can be stopped at any check of the budget, and knows limits.
#[test]
fn following_is_stopped() {
    use budget::{Budget, Limits, Reason, Stage};
    let built = ring(2000, 1000, |place| place + 15);
    let policy = mdp::Policy::new(&built.model, |_| 0).expect("one choice each");
    let start = Distribution::certain(built.number_of(1));
    for most in [0, 1, 2, 5, 10, 20, 30] {
        let asked = std::sync::atomic::AtomicU32::new(0);
        let watch = |_| match asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            count if count < most => std::ops::ControlFlow::Continue(()),
            _ => std::ops::ControlFlow::Break(()),
        };
        let budget = Budget::default().watched(&watch);
        let found = visit_probabilities(&policy, &start, Some(&budget)).expect_err("stopped");
        let mdp::SolveError::Stopped(stopped) = found else { panic!("{found}") };
        assert_eq!((stopped.reason, stopped.progress.stage), (Reason::Interrupted, Stage::Following));
    }
    let limits = Limits { max_memory: built.model.bytes() + 10_000, ..Limits::default() };
    let found = visit_probabilities(&policy, &start, Some(&Budget::new(limits))).expect_err("no memory");
    assert!(matches!(found, mdp::SolveError::Stopped(stopped) if matches!(stopped.reason, Reason::Memory { .. })));
}
