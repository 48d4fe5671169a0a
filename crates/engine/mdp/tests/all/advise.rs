//! Advice: order, ties, and choices that floating point cannot tell apart.

use budget::{Budget, Limits};
use dashu_int::UBig;
use mdp::{Advice, ModelBuilder, Rational, Sense, SolveOptions, advise, ratio, solve};

/// 2^100.
fn big() -> UBig {
    UBig::ONE << 100
}

/// State 0 chooses among: 1/2 for certain, a fair coin, 1/2 and a little more, 1/2 and a little less, 1/4, and 1/2 and
/// a little more once again. The ends are 1 (state 1), 0 (state 2) and 1/2 (state 3).
fn near_ties(looping: bool) -> mdp::Built {
    let mut builder = ModelBuilder::new();
    let certain = builder.weights(&[1]).expect("positive");
    let coin = builder.weights(&[1, 1]).expect("positive");
    let quarter = builder.weights(&[1, 3]).expect("positive");
    let more = builder.large_weights(&[big() + UBig::ONE, big() - UBig::ONE]).expect("positive");
    for (weights, targets) in
        [(certain, &[3][..]), (coin, &[1, 2]), (more, &[1, 2]), (more, &[2, 1]), (quarter, &[1, 2]), (more, &[1, 2])]
    {
        builder.choice(weights, targets).expect("targets");
    }
    builder.finish_state().expect("choices");
    for payoff in [Rational::ONE, Rational::ZERO, ratio(1, 2)] {
        builder.finished(&[payoff]).expect("a payoff");
    }
    // With a cycle the model is solved by the other method; no value changes.
    builder.choice(coin, &[4, if looping { 0 } else { 3 }]).expect("targets");
    builder.finish_state().expect("choices");
    if looping {
        builder.choice(certain, &[4]).expect("targets");
        builder.finish_state().expect("choices");
    }
    builder.build(None).expect("complete")
}

fn order(advice: &[Advice]) -> Vec<(u32, bool)> {
    advice.iter().map(|advice| (advice.choice, advice.best)).collect()
}

#[test]
fn near_ties_are_resolved() {
    let little = Rational::from_parts(1.into(), big() * UBig::from(2u8));
    for looping in [false, true] {
        let built = near_ties(looping);
        let state = built.number_of(0);
        for (sense, expected) in [
            (Sense::Max, [(2, true), (5, true), (0, false), (1, false), (3, false), (4, false)]),
            (Sense::Min, [(4, true), (3, false), (0, false), (1, false), (2, false), (5, false)]),
        ] {
            for exact in [true, false] {
                let options = SolveOptions::default().with_exact(exact).with_sense(sense);
                let solution = solve(&built.model, &options).expect("solvable");
                let advice = advise(&solution, state, None).expect("small");
                if exact || sense == Sense::Max {
                    assert_eq!(order(&advice), expected, "{sense:?} exact: {exact} looping: {looping}");
                } else {
                    // Nothing is near the best here, so the rest is in floating point.
                    assert_eq!(order(&advice)[0], (4, true));
                    assert_eq!(advice.iter().filter(|advice| advice.best).count(), 1);
                }
                if sense == Sense::Max {
                    assert_eq!(advice[0].value.exact, Some(ratio(1, 2) + &little));
                    assert_eq!(advice[4].value.exact, Some(ratio(1, 2) - &little));
                    assert!(exact || solution.best().count(state) == 5);
                }
            }
        }
    }
}

/// The same near-ties with signs changed: now the least is near.
#[test]
fn near_ties_of_the_least() {
    let mut builder = ModelBuilder::new();
    let certain = builder.weights(&[1]).expect("positive");
    let less = builder.large_weights(&[big() - UBig::ONE, big() + UBig::ONE]).expect("positive");
    builder.choice(certain, &[3]).expect("targets");
    builder.choice(less, &[1, 2]).expect("targets");
    builder.choice(certain, &[1]).expect("targets");
    builder.finish_state().expect("choices");
    for payoff in [Rational::ONE, Rational::ZERO, ratio(1, 2)] {
        builder.finished(&[payoff]).expect("a payoff");
    }
    let built = builder.build(None).expect("complete");
    let state = built.number_of(0);
    let options = SolveOptions::default().with_sense(Sense::Min);
    let solution = solve(&built.model, &options).expect("solvable");
    assert_eq!(solution.best().of(state).collect::<Vec<_>>(), [0, 1]);
    let advice = advise(&solution, state, None).expect("small");
    assert_eq!(order(&advice), [(1, true), (0, false), (2, false)]);
}

#[test]
fn true_ties_stay_in_the_order_of_the_rules() {
    // 1/3 three ways, and 1/4; negative payoffs move everything.
    let mut builder = ModelBuilder::new();
    let third = builder.weights(&[1, 2]).expect("positive");
    let quarter = builder.weights(&[1, 3]).expect("positive");
    let sixths = builder.weights(&[1, 1, 4]).expect("positive");
    builder.choice(quarter, &[1, 2]).expect("targets");
    builder.choice(third, &[1, 2]).expect("targets");
    builder.choice(sixths, &[1, 1, 2]).expect("targets");
    builder.choice(third, &[3, 3]).expect("targets");
    builder.finish_state().expect("choices");
    for payoff in [ratio(1, 1), ratio(-1, 1), ratio(-1, 3)] {
        builder.finished(&[payoff]).expect("a payoff");
    }
    let built = builder.build(None).expect("complete");
    let state = built.number_of(0);
    for exact in [true, false] {
        let options = SolveOptions::default().with_exact(exact);
        let solution = solve(&built.model, &options).expect("solvable");
        let advice = advise(&solution, state, None).expect("small");
        assert_eq!(order(&advice), [(1, true), (2, true), (3, true), (0, false)]);
        assert_eq!(advice[0].value.exact, Some(ratio(-1, 3)));
        assert!(advise(&solution, built.number_of(1), None).expect("small").is_empty());
    }
}

/// The near-tie lies deep below the requested state.
#[test]
fn a_near_tie_far_away() {
    const LENGTH: u32 = 40;
    let mut builder = ModelBuilder::new();
    let certain = builder.weights(&[1]).expect("positive");
    let coin = builder.weights(&[1, 1]).expect("positive");
    let more = builder.large_weights(&[big() + UBig::ONE, big() - UBig::ONE]).expect("positive");
    // 0 chooses between two chains of coins; the second one ends in something a little better.
    let (won, lost) = (1 + 2 * LENGTH, 2 + 2 * LENGTH);
    builder.choice(certain, &[1]).expect("targets");
    builder.choice(certain, &[1 + LENGTH]).expect("targets");
    builder.finish_state().expect("choices");
    for chain in 0..2 {
        for place in 0..LENGTH {
            let own = 1 + chain * LENGTH + place;
            if place + 1 < LENGTH {
                builder.choice(coin, &[own + 1, lost]).expect("targets");
            } else {
                builder.choice(if chain == 0 { coin } else { more }, &[won, lost]).expect("targets");
            }
            builder.finish_state().expect("choices");
        }
    }
    builder.finished(&[Rational::ONE]).expect("a payoff");
    builder.finished(&[Rational::ZERO]).expect("a payoff");
    let built = builder.build(None).expect("complete");
    let options = SolveOptions::default();
    let solution = solve(&built.model, &options).expect("solvable");
    let state = built.number_of(0);
    assert_eq!(solution.best().count(state), 2);
    let advice = advise(&solution, state, None).expect("small");
    assert_eq!(order(&advice), [(1, true), (0, false)]);
    // With a limit that is too small it returns an error.
    let budget = Budget::new(Limits { max_memory: 1000, ..Limits::default() });
    assert!(matches!(advise(&solution, state, Some(&budget)), Err(mdp::SolveError::Stopped(_))));
}
