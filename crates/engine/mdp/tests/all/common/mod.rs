//! Random tables, and a brute force that shares nothing with the engine.

#![allow(dead_code, reason = "every test file uses a part of this")]

use mdp::{
    Distribution, ExploreOptions, Game, Model, Rational, Sense, Solution, StateId, StateSpace, Turn, Weight, explore,
    ratio,
};
use proptest::prelude::*;

/// A choice: weights of next states.
pub type Options = Vec<Vec<(u64, usize)>>;

#[derive(Clone, Debug)]
pub struct Table {
    /// A state ends with payoffs, or has choices.
    pub states: Vec<Result<Vec<Rational>, Options>>,
}

impl Game for Table {
    type State = usize;
    type Action = ();

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
                        _ => turn.chance(choice.iter().map(|(weight, next)| (*next, Weight(*weight)))),
                    }
                }
            }
        }
    }
}

/// The rules of a state.
type RuleFn<'a> = dyn Fn(u64, &mut Turn<u64>) + Sync + 'a;

/// Any game given by a function: one type for all of them, because the engine is compiled for each type of game.
pub struct Rules<'a>(Box<RuleFn<'a>>);

impl<'a> Rules<'a> {
    pub fn new(rules: impl Fn(u64, &mut Turn<u64>) + Sync + 'a) -> Self {
        Self(Box::new(rules))
    }
}

impl Game for Rules<'_> {
    type State = u64;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<u64>> {
        vec![Distribution::certain(0)]
    }

    fn rules(&self, state: &u64, turn: &mut Turn<u64>) {
        (self.0)(*state, turn);
    }
}

/// The value of every state under one policy; play that never ends earns nothing.
pub fn evaluate(table: &Table, policy: &[usize], objective: usize) -> Vec<Rational> {
    let count = table.states.len();
    let choice = |state: usize| table.states[state].as_ref().err().map(|choices| &choices[policy[state]]);
    let mut ends: Vec<bool> = table.states.iter().map(Result::is_ok).collect();
    for _ in 0..count {
        for state in 0..count {
            ends[state] |= choice(state).is_some_and(|choice| choice.iter().any(|(_, next)| ends[*next]));
        }
    }
    // One row for each state: the state's value minus the mean of the next ones is its payoff.
    let mut rows: Vec<Vec<Rational>> = Vec::new();
    for state in 0..count {
        let mut row = vec![Rational::ZERO; count + 1];
        row[state] = Rational::ONE;
        match &table.states[state] {
            Ok(payoffs) => row[count].clone_from(&payoffs[objective]),
            Err(choices) if ends[state] => {
                let choice = &choices[policy[state]];
                let total: u64 = choice.iter().map(|(weight, _)| weight).sum();
                for (weight, next) in choice {
                    row[*next] = &row[*next] - Rational::from_parts((*weight).into(), total.into());
                }
            }
            Err(_) => {}
        }
        rows.push(row);
    }
    eliminate(&mut rows);
    rows.into_iter().map(|row| row[count].clone()).collect()
}

/// Gauss-Jordan elimination: as many equations as unknowns, which come first.
pub fn eliminate(rows: &mut [Vec<Rational>]) {
    for column in 0..rows.len() {
        let pivot = (column..rows.len()).find(|row| rows[*row][column] != Rational::ZERO).expect("one solution");
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
}

/// The best values over all policies, compared in order.
pub fn brute_force(table: &Table, objectives: usize, sense: Sense) -> Vec<Vec<Rational>> {
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

pub fn payoff() -> impl Strategy<Value = Rational> {
    prop_oneof![
        2 => Just(Rational::ZERO),
        2 => Just(Rational::ONE),
        3 => (-20i64..20, 1u64..7).prop_map(|(n, d)| ratio(n, d)),
    ]
}

/// Tables of up to 7 states with up to 3 choices. Where `cyclic` is false choices only lead to
/// higher numbers.
pub fn table(cyclic: bool, objectives: usize) -> impl Strategy<Value = Table> {
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

pub fn space(table: &Table, threads: usize) -> StateSpace<usize> {
    explore(table, &ExploreOptions::default().with_threads(threads)).expect("small games fit")
}

/// The probability of ever visiting one of the states of `goal` under a policy, from every state: those states end the
/// play and pay 1, all other ends pay 0.
pub fn ever(table: &Table, policy: &[usize], goal: impl Fn(usize) -> bool) -> Vec<Rational> {
    let states = table.states.iter().enumerate().map(|(number, state)| match state {
        _ if goal(number) => Ok(vec![Rational::ONE]),
        Ok(_) => Ok(vec![Rational::ZERO]),
        Err(choices) => Err(choices.clone()),
    });
    evaluate(&Table { states: states.collect() }, policy, 0)
}

/// The policy of a solution in the numbering of the table.
pub fn policy_of(space: &StateSpace<usize>, solution: &Solution) -> Vec<usize> {
    (0..space.states().len())
        .map(|state| space.number_of(&state).and_then(|number| solution.policy().choice(number)).unwrap_or(0) as usize)
        .collect()
}

/// Pseudorandom numbers that a seed determines (splitmix64).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// The same as another type, which can hold all numbers below `bound`.
    pub fn small<T: TryFrom<u64, Error: std::fmt::Debug>>(&mut self, bound: u64) -> T {
        self.below(bound).try_into().expect("a small number")
    }
}

/// The mean of exact values after a choice, with its reward.
pub fn worth(model: &Model, solution: &Solution, choice: &mdp::Choice<'_>) -> Rational {
    let reward = choice.reward.map_or(Rational::ZERO, |reward| model.rewards()[reward as usize].clone());
    let total = Rational::from(model.weights().total(choice.weights));
    let weights = model.weights().weight_list(choice.weights);
    let sum = choice.targets.iter().zip(weights).fold(Rational::ZERO, |sum, (target, weight)| {
        sum + solution.value(target).exact.expect("exact") * Rational::from(weight)
    });
    sum / total + reward
}

/// Checks an exact solution against the equations that it must solve, and its best sets; where every
/// policy ends, they have one solution.
pub fn check_equations(model: &Model, solution: &Solution, sense: Sense) {
    for state in 0..model.states() {
        let value = solution.value(state).exact.expect("exact");
        if let Some([payoff, ..]) = model.payoff(state) {
            assert_eq!(value, *payoff);
            continue;
        }
        let worths: Vec<Rational> = model.choices(state).map(|choice| worth(model, solution, &choice)).collect();
        let best = match sense {
            Sense::Max => worths.iter().max(),
            Sense::Min => worths.iter().min(),
        };
        assert_eq!(Some(&value), best, "state {state}");
        let expected: Vec<u32> = (0..).zip(&worths).filter(|(_, worth)| **worth == value).map(|(n, _)| n).collect();
        assert_eq!(solution.best().of(state).collect::<Vec<_>>(), expected, "state {state}");
    }
}

/// Checks bounds against exact values, and that all best choices are candidates. Returns the largest
/// width, relative to the value or to `scale` where that is larger.
pub fn check_bounds(model: &Model, exact: &Solution, bounded: &Solution, scale: f64) -> f64 {
    let mut widest: f64 = 0.0;
    for state in 0..model.states() {
        let value = exact.value(state).exact.expect("exact");
        let bounds = bounded.value(state);
        assert!(contains(&bounds, &value), "state {state}: {bounds:?} should contain {}", mdp::nearest(&value));
        widest = widest.max((bounds.upper - bounds.lower) / bounds.upper.abs().max(scale));
        for choice in exact.best().of(state) {
            assert!(bounded.best().contains(state, choice), "state {state} choice {choice}");
        }
    }
    widest
}

/// Whether bounds hold for a value.
pub fn contains(bounds: &mdp::Value, value: &Rational) -> bool {
    let lower = bounds.lower == f64::NEG_INFINITY || mdp::exactly(bounds.lower).is_some_and(|lower| lower <= *value);
    let upper = bounds.upper == f64::INFINITY || mdp::exactly(bounds.upper).is_some_and(|upper| *value <= upper);
    lower && upper
}

/// A choice: targets and weights.
pub type Listed = (Vec<StateId>, Vec<String>);

/// All properties of a state, for comparison.
pub fn listing(model: &Model, state: StateId) -> (Option<Vec<Rational>>, Vec<Listed>) {
    let choices = model.choices(state).map(|choice| {
        let weights = model.weights().weight_list(choice.weights);
        (choice.targets.to_vec(), weights.iter().map(ToString::to_string).collect())
    });
    (model.payoff(state).map(<[Rational]>::to_vec), choices.collect())
}
