//! Bounds in floating point against exact values, on models that are larger or harder.

use crate::common::{Numbers, check_bounds, check_equations};
use dashu_int::UBig;
use mdp::{Built, ModelBuilder, Rational, Sense, Solution, SolveError, SolveOptions, exactly, ratio, solve};

/// Solves both ways and in both senses; returns the largest width, relative to the value or to `scale`.
fn check_to(built: &Built, scale: f64) -> f64 {
    let mut widest: f64 = 0.0;
    for sense in [Sense::Max, Sense::Min] {
        let exact = solve(&built.model, &SolveOptions::exact().with_sense(sense)).expect("solvable");
        check_equations(&built.model, &exact, sense);
        let bounded = solve(&built.model, &SolveOptions::default().with_sense(sense)).expect("solvable");
        widest = widest.max(check_bounds(&built.model, &exact, &bounded, scale));
    }
    widest
}

fn check(built: &Built) -> f64 {
    check_to(built, 1.0)
}

fn finish(builder: &mut ModelBuilder, choices: &[(&[u64], &[u32])]) {
    for (weights, targets) in choices {
        let weights = builder.weights(weights).expect("positive");
        builder.choice(weights, targets).expect("targets");
    }
    builder.finish_state().expect("choices");
}

fn ends(builder: &mut ModelBuilder, payoffs: &[Rational]) {
    for payoff in payoffs {
        builder.finished(std::slice::from_ref(payoff)).expect("a payoff");
    }
}

/// States lead to states after them, or within their block of `block` states.
fn random_model(seed: u64, states: u32, block: u32, largest_weight: u64) -> Built {
    let mut numbers = Numbers(seed);
    let mut builder = ModelBuilder::new();
    for state in 0..states {
        let count = 1 + numbers.below(3);
        for _ in 0..count {
            let outcomes = 1 + numbers.small::<usize>(3);
            let mut weights: Vec<u64> = (0..outcomes).map(|_| 1 + numbers.below(largest_weight)).collect();
            let mut targets: Vec<u32> = (0..outcomes)
                .map(|_| {
                    let first = if block > 1 { state / block * block } else { state + 1 };
                    (first + numbers.small::<u32>(u64::from(2 * block.max(8)))).min(states)
                })
                .collect();
            // A way forward from everywhere, so that every play ends.
            weights.push(1 + numbers.below(largest_weight));
            targets.push((state / block * block + block + numbers.small::<u32>(u64::from(block))).min(states + 1));
            let weights = builder.weights(&weights).expect("positive");
            builder.choice(weights, &targets).expect("targets");
        }
        builder.finish_state().expect("choices");
    }
    let mut numbers = || ratio(numbers.small::<i64>(2000) - 700, 1 + numbers.below(9));
    ends(&mut builder, &[numbers(), numbers()]);
    builder.build(None).expect("complete")
}

#[test]
fn without_circles() {
    for seed in 0..3 {
        let width = check(&random_model(seed, 3000, 1, 6));
        assert!(width < 1e-10, "{width}");
    }
}

#[test]
fn small_parts() {
    let built = random_model(10, 1000, 10, 6);
    assert!(built.model.counts().sccs >= 50);
    let width = check(&built);
    assert!(width < 1e-9, "{width}");
}

#[test]
fn large_sccs() {
    let built = random_model(11, 600, 200, 6);
    assert!(built.model.counts().largest_scc >= 100);
    let width = check(&built);
    assert!(width < 1e-9, "{width}");
}

#[test]
fn weights_of_many_sizes() {
    let width = check(&random_model(12, 200, 20, 1 << 40));
    assert!(width < 1e-9, "{width}");
}

/// A chain in which a value of 1 fades below the smallest floating-point number.
fn fading(states: u32, weights: [u64; 2], circles: bool) -> Built {
    let mut builder = ModelBuilder::new();
    for state in 0..states {
        if circles && state % 3 == 0 {
            finish(&mut builder, &[(&[weights[0], weights[1], 1], &[state + 1, states + 1, state])]);
        } else {
            finish(&mut builder, &[(&weights, &[state + 1, states + 1]), (&weights, &[states + 1, states + 1])]);
        }
    }
    ends(&mut builder, &[Rational::ONE, Rational::ZERO]);
    builder.build(None).expect("complete")
}

#[test]
fn values_that_fade_away() {
    for circles in [false, true] {
        for (states, weights) in [(400, [1, 9]), (1120, [1, 1]), (60, [1, (1 << 60) - 1]), (20, [1, u64::MAX - 5])] {
            check(&fading(states, weights, circles));
        }
    }
}

/// The value enters a cycle when it is as small as a floating-point number can be, or smaller.
#[test]
fn circles_among_the_smallest_numbers() {
    for power in [1060, 1072, 1073, 1074, 1075, 1080, 1200] {
        for payoff in [ratio(1, 1), ratio(1, 3), ratio(2, 3)] {
            let mut builder = ModelBuilder::new();
            // From 0 a cycle of 0 and 1, which leaves to 2: 2 pays 2^-power with a probability of one in ten.
            finish(&mut builder, &[(&[1, 1], &[1, 2])]);
            finish(&mut builder, &[(&[3, 1, 6], &[0, 3, 4])]);
            finish(&mut builder, &[(&[1, 9], &[3, 4])]);
            let small = payoff / Rational::from(UBig::ONE << power);
            ends(&mut builder, &[small, Rational::ZERO]);
            check(&builder.build(None).expect("complete"));
        }
    }
}

#[test]
fn payoffs_below_and_among_the_smallest_numbers() {
    for power in [1000, 1022, 1074, 1075, 1076, 1400] {
        for sign in [1, -1] {
            let mut builder = ModelBuilder::new();
            finish(&mut builder, &[(&[1, 2], &[1, 2]), (&[1], &[2])]);
            ends(&mut builder, &[ratio(sign, 3) / Rational::from(UBig::ONE << power), Rational::ZERO]);
            check(&builder.build(None).expect("complete"));
        }
    }
}

#[test]
fn one_chance_in_a_quintillion() {
    let rare = 1u64 << 60;
    let mut builder = ModelBuilder::new();
    finish(&mut builder, &[(&[1, rare - 1], &[4, 1]), (&[rare - 1, 1], &[5, 2])]);
    finish(&mut builder, &[(&[rare - 1, 1, 1], &[2, 4, 5])]);
    finish(&mut builder, &[(&[2, rare - 1], &[4, 5]), (&[1, rare / 2 - 1], &[4, 5]), (&[3, rare], &[4, 3])]);
    finish(&mut builder, &[(&[1], &[5])]);
    ends(&mut builder, &[Rational::ONE, Rational::ZERO]);
    let width = check_to(&builder.build(None).expect("complete"), f64::MIN_POSITIVE);
    assert!(width < 1e-13, "{width}");
}

/// Play stays in a cycle with probability 1 - 10^-12 and more: bounds must hold, and be useful.
#[test]
fn circles_that_are_hardly_left() {
    for stay in [1_000_000_000_000, 1 << 50, 1 << 60] {
        let mut builder = ModelBuilder::new();
        finish(&mut builder, &[(&[stay, 1], &[1, 2]), (&[stay, 2, 1], &[1, 2, 3])]);
        finish(&mut builder, &[(&[stay, 1, 1], &[0, 2, 3])]);
        ends(&mut builder, &[Rational::ONE, Rational::ZERO]);
        let width = check(&builder.build(None).expect("complete"));
        assert!(width < 1e-6, "{stay}: {width}");
    }
}

/// Gambling for gold, up to `most`: any stake up to 50; one time in ten it wins eight times as much, two times in ten
/// `small` times. Leaving pays `worth` of the gold.
fn table(most: u32, small: u32, worth: impl Fn(u32) -> Rational) -> Built {
    let mut builder = ModelBuilder::new();
    let (wheel, certain) = (builder.weights(&[7, 2, 1]).expect("positive"), builder.weights(&[1]).expect("positive"));
    for gold in 0..=most {
        builder.choice(certain, &[most + 1 + gold]).expect("targets");
        for stake in 1..=gold.min(50) {
            let won = |times: u32| (gold + times * stake).min(most);
            builder.choice(wheel, &[gold - stake, won(small), won(8)]).expect("targets");
        }
        builder.finish_state().expect("choices");
    }
    ends(&mut builder, &(0..=most).map(worth).collect::<Vec<_>>());
    builder.build(None).expect("complete")
}

/// Where small stakes favour the player, play can go on for longer than rounding allows; and where more gold has no
/// more value, going on costs nothing.
#[test]
fn gambling_tables() {
    let rising = |gold: u32| ratio(i64::from(gold * gold), 1 + u64::from(gold) * u64::from(gold));
    let stairs = |gold: u32| ratio(i64::from(gold / 12), 40);
    let enough = |gold: u32| ratio(i64::from(gold.min(45)), 90);
    for (most, small) in [(50, 5), (120, 2), (230, 5)] {
        let widths = [
            check(&table(most, small, rising)),
            check(&table(most, small, stairs)),
            check(&table(most, small, enough)),
        ];
        assert!(widths.iter().all(|width| *width < 1e-9), "{most}: {widths:?}");
    }
}

/// Payoffs of hundreds of digits give an error or a correct result, never a panic or a wrong bound.
#[test]
fn payoffs_beyond_floating_point() {
    for circles in [false, true] {
        for power in [900, 1023, 1024, 1100, 5000] {
            let mut builder = ModelBuilder::new();
            finish(&mut builder, &[(&[1, 2, if circles { 3 } else { 1 }], &[1, 2, u32::from(!circles)])]);
            ends(&mut builder, &[Rational::from(UBig::ONE << power), ratio(-1, 3)]);
            let built = builder.build(None).expect("complete");
            for sense in [Sense::Max, Sense::Min] {
                let solved = |exact| solve(&built.model, &SolveOptions::default().with_sense(sense).with_exact(exact));
                match (solved(true), solved(false)) {
                    (Ok(exact), Ok(bounded)) => {
                        check_equations(&built.model, &exact, sense);
                        check_bounds(&built.model, &exact, &bounded, 1.0);
                    }
                    (exact, bounded) => {
                        assert!(power > 1000 && exact.is_err() && bounded.is_err(), "{power}");
                    }
                }
            }
        }
    }
}

/// The widths that are printed are those of the bounds.
#[test]
fn widths() {
    let built = random_model(1, 500, 1, 6);
    let solution: Solution = solve(&built.model, &SolveOptions::default()).expect("solvable");
    for state in 0..built.model.states() {
        let value = solution.value(state);
        let (lower, upper) = (exactly(value.lower).expect("finite"), exactly(value.upper).expect("finite"));
        assert!(exactly(value.width()).expect("finite") >= upper - lower);
        assert!(value.lower <= value.decimal() && value.decimal() <= value.upper);
    }
}

#[test]
fn a_precision_that_is_none_is_an_error() {
    let mut builder = ModelBuilder::new();
    finish(&mut builder, &[(&[1, 1], &[0, 1])]);
    builder.finished(&[Rational::ONE]).expect("a payoff");
    let built = builder.build(None).expect("complete");
    for wrong in [f64::NAN, -1e-9, f64::NEG_INFINITY] {
        let found = solve(&built.model, &SolveOptions::default().with_precision(wrong));
        assert!(matches!(found, Err(SolveError::Precision { .. })), "{wrong}");
    }
    for right in [0.0, 1e-12, 1.0, f64::INFINITY] {
        assert!(solve(&built.model, &SolveOptions::default().with_precision(right)).is_ok(), "{right}");
    }
}
