//! Random small games against a brute force that shares nothing with the engine: every policy is
//! tried, and its equations are solved by schoolbook elimination.

use mdp::{Distribution, ExploreOptions, Game, Rational, Sense, SolveOptions, StateSpace, Turn, explore, ratio, solve};
use proptest::prelude::*;

/// A choice: weights of next states.
type Options = Vec<Vec<(u64, usize)>>;

#[derive(Clone, Debug)]
struct Table {
    /// A state ends with payoffs, or has choices.
    states: Vec<Result<Vec<Rational>, Options>>,
}

impl Game for Table {
    type State = usize;

    fn starts(&self) -> Vec<Distribution<usize>> {
        (0..self.states.len()).map(Distribution::certain).collect()
    }

    fn rules(&self, state: &usize, turn: &mut Turn<usize>) {
        match &self.states[*state] {
            Ok(payoffs) => turn.end_ordered(payoffs.iter().cloned()),
            Err(choices) => {
                for choice in choices {
                    match choice[..] {
                        [(_, next)] => turn.to(next),
                        _ => turn.chance(choice.iter().copied()),
                    }
                }
            }
        }
    }
}

/// The value of every state under one policy; play that never ends earns nothing.
fn evaluate(table: &Table, policy: &[usize], objective: usize) -> Vec<Rational> {
    let count = table.states.len();
    let choice = |state: usize| table.states[state].as_ref().err().map(|choices| &choices[policy[state]]);
    let mut ends: Vec<bool> = table.states.iter().map(Result::is_ok).collect();
    for _ in 0..count {
        for state in 0..count {
            ends[state] |= choice(state).is_some_and(|choice| choice.iter().any(|(_, next)| ends[*next]));
        }
    }
    // One row a state: the state minus its mean next value is its payoff.
    let mut rows: Vec<Vec<Rational>> = Vec::new();
    for state in 0..count {
        let mut row = vec![Rational::ZERO; count + 1];
        row[state] = Rational::ONE;
        match &table.states[state] {
            Ok(payoffs) => row[count] = payoffs[objective].clone(),
            Err(choices) if ends[state] => {
                let choice = &choices[policy[state]];
                let total: u64 = choice.iter().map(|(weight, _)| weight).sum();
                for (weight, next) in choice {
                    row[*next] = &row[*next] - ratio(*weight as i64, total);
                }
            }
            Err(_) => {}
        }
        rows.push(row);
    }
    for column in 0..count {
        let pivot =
            (column..count).find(|row| rows[*row][column] != Rational::ZERO).expect("states that end are regular");
        rows.swap(column, pivot);
        let scale = rows[column][column].clone();
        rows[column].iter_mut().for_each(|value| *value = &*value / &scale);
        let pivot = rows[column].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            if number != column && row[column] != Rational::ZERO {
                let factor = row[column].clone();
                row.iter_mut().zip(&pivot).for_each(|(value, pivot)| *value = &*value - &factor * pivot);
            }
        }
    }
    rows.into_iter().map(|row| row[count].clone()).collect()
}

/// The best values over all policies, compared in order.
fn brute_force(table: &Table, objectives: usize, sense: Sense) -> Vec<Vec<Rational>> {
    let choices: Vec<usize> = table.states.iter().map(|state| state.as_ref().err().map_or(1, Vec::len)).collect();
    let mut policy = vec![0; choices.len()];
    let mut best: Option<Vec<Vec<Rational>>> = None;
    loop {
        let by_objective: Vec<Vec<Rational>> = (0..objectives).map(|o| evaluate(table, &policy, o)).collect();
        let values: Vec<Vec<Rational>> =
            (0..choices.len()).map(|state| by_objective.iter().map(|values| values[state].clone()).collect()).collect();
        best = Some(match best {
            None => values,
            Some(best) => best
                .into_iter()
                .zip(values)
                .map(|(a, b)| if (b > a) == (sense == Sense::Max) && a != b { b } else { a })
                .collect(),
        });
        let Some(state) = (0..policy.len()).find(|state| policy[*state] + 1 < choices[*state]) else { break };
        policy[..state].fill(0);
        policy[state] += 1;
    }
    best.unwrap_or_default()
}

fn payoff() -> impl Strategy<Value = Rational> {
    prop_oneof![
        2 => Just(Rational::ZERO),
        2 => Just(Rational::ONE),
        3 => (-20i64..20, 1u64..7).prop_map(|(n, d)| ratio(n, d)),
    ]
}

/// Tables of up to 7 states with up to 3 choices. Where `cyclic` is false choices only lead to
/// higher numbers.
fn table(cyclic: bool, objectives: usize) -> impl Strategy<Value = Table> {
    (2usize..8).prop_flat_map(move |count| {
        let states: Vec<_> = (0..count)
            .map(move |state| {
                let next = if cyclic { 0..count } else { (state + 1).min(count - 1)..count };
                let outcome = (1u64..7, next);
                let choice = proptest::collection::vec(outcome, 1..4);
                let ends = proptest::collection::vec(payoff(), objectives).prop_map(Ok);
                if state + 1 == count {
                    ends.boxed()
                } else {
                    prop_oneof![
                        1 => ends,
                        4 => proptest::collection::vec(choice, 1..4).prop_map(Err),
                    ]
                    .boxed()
                }
            })
            .collect();
        states.prop_map(|states| Table { states })
    })
}

fn space(table: &Table, threads: usize) -> StateSpace<usize> {
    explore(table, &ExploreOptions { threads: Some(threads), ..ExploreOptions::default() }).expect("small games fit")
}

fn check(table: &Table, objectives: usize, sense: Sense) -> Result<(), TestCaseError> {
    let expected = brute_force(table, objectives, sense);
    let space = space(table, 1);
    let exact = solve(space.model(), &SolveOptions { sense, ..SolveOptions::exact() }).expect("solvable");
    let bounded = solve(space.model(), &SolveOptions { sense, ..SolveOptions::default() }).expect("solvable");
    for (state, expected) in expected.iter().enumerate() {
        let number = space.number_of(&state).expect("all states are starts");
        for (objective, expected) in expected.iter().enumerate() {
            let found = exact.value_in(objective, number);
            prop_assert_eq!(found.exact.as_ref(), Some(expected), "state {} objective {}", state, objective);
            let bounds = bounded.value_in(objective, number);
            let (lower, upper) = (mdp::exactly(bounds.lower), mdp::exactly(bounds.upper));
            prop_assert!(lower.is_some_and(|lower| lower <= *expected), "{} <= {}", bounds.lower, expected);
            prop_assert!(upper.is_some_and(|upper| *expected <= upper), "{} >= {}", bounds.upper, expected);
            prop_assert!(bounds.upper - bounds.lower < 1e-9, "the bounds are tight: {:?}", bounds);
        }
        // The best sets are those choices whose mean next value is the value, nothing else.
        let Err(choices) = &table.states[state] else { continue };
        let worth = |choice: &[(u64, usize)]| -> Vec<Rational> {
            let total: u64 = choice.iter().map(|(weight, _)| weight).sum();
            (0..objectives)
                .map(|objective| {
                    choice.iter().fold(Rational::ZERO, |sum, (weight, next)| {
                        let next = space.number_of(next).expect("all states are starts");
                        let value = exact.value_in(objective, next).exact.expect("exact");
                        sum + value * ratio(*weight as i64, total)
                    })
                })
                .collect()
        };
        let best: Vec<u32> =
            (0..).zip(choices).filter(|(_, choice)| worth(choice) == *expected).map(|(n, _)| n).collect();
        prop_assert_eq!(exact.best().of(number).collect::<Vec<_>>(), best.clone(), "state {}", state);
        for choice in best {
            prop_assert!(bounded.best().contains(number, choice));
        }
    }
    // The policy attains the values.
    let policy: Vec<usize> = (0..table.states.len())
        .map(|state| space.number_of(&state).and_then(|number| exact.policy().choice(number)).unwrap_or(0) as usize)
        .collect();
    for objective in 0..objectives {
        let attained = evaluate(table, &policy, objective);
        for (state, attained) in attained.iter().enumerate() {
            prop_assert_eq!(attained, &expected[state][objective], "policy in state {}", state);
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
            prop_assert_eq!(one.model().payoff(state), two.model().payoff(state));
            let choices = |space: &StateSpace<usize>| -> Vec<(Vec<u32>, Vec<String>)> {
                space
                    .model()
                    .choices(state)
                    .map(|choice| {
                        let weights = space.model().weights().weight_list(choice.weights);
                        (choice.targets.to_vec(), weights.iter().map(ToString::to_string).collect())
                    })
                    .collect()
            };
            prop_assert_eq!(choices(&one), choices(&two));
        }
    }
}
