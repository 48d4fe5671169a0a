//! Payoffs and rewards from 10^-300 to 10^300, probabilities down to 10^-400: bounds hold and exact values
//! are exact, held against fractions that are computed here by trying every policy.

use crate::common::contains;
use dashu_int::UBig;
use mdp::{Built, Method, ModelBuilder, Rational, Sense, SolveError, SolveOptions, exactly, solve};
use proptest::prelude::*;

/// A choice: its reward, and its targets with weights.
#[derive(Clone, Debug)]
struct Earning {
    reward: Option<Rational>,
    outcomes: Vec<(UBig, usize)>,
}

/// States with choices, followed by those that end with these payoffs.
#[derive(Clone, Debug)]
struct Case {
    states: Vec<Vec<Earning>>,
    payoffs: Vec<Rational>,
}

impl Case {
    fn build(&self) -> Built {
        let mut builder = ModelBuilder::new();
        for choices in &self.states {
            for choice in choices {
                if let Some(reward) = &choice.reward {
                    builder.reward(reward).expect("few rewards");
                }
                let (weights, targets): (Vec<UBig>, Vec<u32>) = choice
                    .outcomes
                    .iter()
                    .map(|(weight, target)| (weight.clone(), u32::try_from(*target).expect("few states")))
                    .unzip();
                let weights = builder.large_weights(&weights).expect("positive");
                builder.choice(weights, &targets).expect("targets");
            }
            builder.finish_state().expect("choices");
        }
        for payoff in &self.payoffs {
            builder.finished(std::slice::from_ref(payoff)).expect("a payoff");
        }
        builder.build(None).expect("complete")
    }

    /// The values of a policy, by elimination in fractions. Every choice can end the play.
    fn evaluate(&self, policy: &[usize]) -> Vec<Rational> {
        let count = self.states.len();
        let mut rows: Vec<Vec<Rational>> = (0..count)
            .map(|state| {
                let choice = &self.states[state][policy[state]];
                let total: UBig = choice.outcomes.iter().map(|(weight, _)| weight).sum();
                let mut row = vec![Rational::ZERO; count + 1];
                row[state] = Rational::ONE;
                row[count] = choice.reward.clone().unwrap_or(Rational::ZERO);
                for (weight, target) in &choice.outcomes {
                    let probability = Rational::from_parts(weight.clone().into(), total.clone());
                    if *target < count {
                        row[*target] = &row[*target] - probability;
                    } else {
                        row[count] = &row[count] + probability * &self.payoffs[target - count];
                    }
                }
                row
            })
            .collect();
        for pivot in 0..count {
            let scale = rows[pivot][pivot].clone();
            rows[pivot].iter_mut().for_each(|value| *value = &*value / &scale);
            let own = rows[pivot].clone();
            for (number, row) in rows.iter_mut().enumerate() {
                if number != pivot && row[pivot] != Rational::ZERO {
                    let factor = row[pivot].clone();
                    row.iter_mut().zip(&own).for_each(|(value, pivot)| *value = &*value - &factor * pivot);
                }
            }
        }
        rows.into_iter().map(|mut row| row.pop().expect("one more")).collect()
    }

    /// The best values over all policies: some policy attains all of them.
    fn best(&self, sense: Sense) -> Vec<Rational> {
        let mut best: Option<Vec<Rational>> = None;
        let policies: usize = self.states.iter().map(Vec::len).product();
        for mut number in 0..policies {
            let policy: Vec<usize> = self
                .states
                .iter()
                .map(|choices| {
                    let choice = number % choices.len();
                    number /= choices.len();
                    choice
                })
                .collect();
            let values = self.evaluate(&policy);
            best = Some(match best {
                None => values,
                Some(best) => best
                    .into_iter()
                    .zip(values)
                    .map(|(a, b)| if (a > b) == (sense == Sense::Max) { a } else { b })
                    .collect(),
            });
        }
        best.expect("a policy")
    }
}

fn power(exponent: i32) -> Rational {
    let power = Rational::from(UBig::from(10u8).pow(exponent.unsigned_abs() as usize));
    if exponent < 0 { Rational::ONE / power } else { power }
}

/// A number from 10^-300 to 10^300, mostly near one of the ends.
fn far() -> impl Strategy<Value = Rational> {
    (prop_oneof![-300..-280, -20..20, 250..300, -300..300], 1i64..1000, 1u64..1000)
        .prop_map(|(exponent, a, b)| power(exponent) * mdp::ratio(a, b))
}

/// A weight whose share of the others can be 10^-400.
fn weight() -> impl Strategy<Value = UBig> {
    (prop_oneof![3 => Just(0usize), 1 => 300usize..330, 1 => 0usize..400], 1u64..20)
        .prop_map(|(exponent, factor)| UBig::from(10u8).pow(exponent) * UBig::from(factor))
}

fn case(cyclic: bool, rewards: bool) -> impl Strategy<Value = Case> {
    (1usize..5, 1usize..4).prop_flat_map(move |(count, ends)| {
        let states: Vec<_> = (0..count)
            .map(|state| {
                let first = if cyclic { 0 } else { state + 1 };
                let outcomes = proptest::collection::vec((weight(), first..count + ends), 0..3);
                let reward = proptest::option::of(far()).prop_map(move |reward| reward.filter(|_| rewards));
                let choice = (reward, outcomes, weight(), count..count + ends).prop_map(|(reward, mut outcomes, weight, end)| {
                    outcomes.push((weight, end));
                    Earning { reward, outcomes }
                });
                proptest::collection::vec(choice, 1..3)
            })
            .collect();
        let payoff = prop_oneof![1 => Just(Rational::ZERO), 1 => Just(Rational::ONE), 3 => far(), 1 => far().prop_map(|far| -far)];
        let payoff = payoff.prop_map(move |payoff| if rewards && payoff < Rational::ZERO { -payoff } else { payoff });
        (states, proptest::collection::vec(payoff, ends)).prop_map(|(states, payoffs)| Case { states, payoffs })
    })
}

fn check(case: &Case) -> Result<(), TestCaseError> {
    let built = case.build();
    for sense in [Sense::Max, Sense::Min] {
        let expected = case.best(sense);
        let solved = |exact| solve(&built.model, &SolveOptions::default().with_sense(sense).with_exact(exact));
        let methods = [Method::Sweeps, Method::Elimination, Method::Fractions]
            .map(|method| solve(&built.model, &SolveOptions::default().with_sense(sense).with_method(method)));
        let (exact, bounded) = match (solved(true), solved(false)) {
            (Ok(exact), Ok(bounded)) => (exact, bounded),
            // Totals of rewards can pass the range.
            (Err(SolveError::ValueTooLarge), Err(SolveError::ValueTooLarge))
                if expected.iter().any(|value| *value > power(306)) =>
            {
                continue;
            }
            (exact, bounded) => {
                prop_assert!(false, "{:?} {:?}", exact.err(), bounded.err());
                continue;
            }
        };
        for (state, expected) in (0..).zip(&expected) {
            let number = built.number_of(state);
            let found = exact.value(number).exact;
            prop_assert_eq!(found.as_ref(), Some(expected), "{:?} state {}", sense, state);
            let bounds = bounded.value(number);
            prop_assert!(
                contains(&bounds, expected),
                "{:?} state {}: {:?} {}",
                sense,
                state,
                bounds,
                mdp::nearest(expected)
            );
            for bounded in methods.iter().flatten() {
                let bounds = bounded.value(number);
                prop_assert!(contains(&bounds, expected), "{:?} state {}: {:?}", sense, state, bounds);
            }
            for best in exact.best().of(number) {
                prop_assert!(bounded.best().contains(number, best));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn acyclic(case in case(false, false)) {
        check(&case)?;
    }

    #[test]
    fn cyclic(case in case(true, false)) {
        check(&case)?;
    }

    #[test]
    fn acyclic_rewards(case in case(false, true)) {
        check(&case)?;
    }

    #[test]
    fn cyclic_rewards(case in case(true, true)) {
        check(&case)?;
    }
}

/// A reward of 10^306 with probability 10^-322.
#[test]
fn a_large_reward_with_tiny_probability() {
    let earning = |reward, outcomes| Earning { reward, outcomes };
    let case = Case {
        states: vec![
            vec![earning(None, vec![(UBig::ONE, 1), (UBig::from(10u8).pow(322) - UBig::ONE, 2)])],
            vec![earning(Some(power(306)), vec![(UBig::ONE, 2)])],
        ],
        payoffs: vec![Rational::ZERO],
    };
    check(&case).expect("right");
    let built = case.build();
    for sense in [Sense::Max, Sense::Min] {
        let bounds = solve(&built.model, &SolveOptions::default().with_sense(sense)).expect("solvable");
        let value = bounds.value(built.number_of(0));
        assert!(value.lower <= 1e-16 && 1e-16 <= value.upper && value.width() < 1e-30, "{value:?}");
    }
}

/// What is certain is exactly so, and no probability is above 1, in models with loops and without.
#[test]
fn certain_is_certain() {
    for cyclic in [false, true] {
        let third = |a, b, c| vec![(UBig::from(1u8), a), (UBig::from(1u8), b), (UBig::from(1u8), c)];
        let plain = |outcomes| Earning { reward: None, outcomes };
        // 0 and 1 win for certain, 2 may lose, 3 has lost.
        let states = vec![
            vec![plain(third(1, 1, 4))],
            vec![plain(third(if cyclic { 0 } else { 4 }, 4, 4))],
            vec![plain(third(1, 4, 3)), plain(third(if cyclic { 2 } else { 3 }, 3, 4))],
            vec![plain(third(if cyclic { 3 } else { 5 }, 5, 5))],
        ];
        let case = Case { states, payoffs: vec![Rational::ONE, Rational::ZERO] };
        check(&case).expect("right");
        let built = case.build();
        for sense in [Sense::Max, Sense::Min] {
            let solution = solve(&built.model, &SolveOptions::default().with_sense(sense)).expect("solvable");
            let bounds = |state| {
                let value = solution.value(built.number_of(state));
                (value.lower, value.upper)
            };
            assert_eq!((bounds(0), bounds(1), bounds(3)), ((1.0, 1.0), (1.0, 1.0), (0.0, 0.0)));
            assert!(bounds(2).0 > 0.3 && bounds(2).1 < 1.0);
            assert!(exactly(bounds(2).1).is_some());
        }
    }
}
