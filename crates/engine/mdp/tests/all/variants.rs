//! Variants of a model, against each of them built and solved exactly alone.

use chacha20::ChaCha8Rng;
use mdp::advanced::{VariantSolver, Variants};
use mdp::{Built, Distribution, ModelBuilder, Rational, SolveOptions, exactly, solve};
use rand::{RngExt, SeedableRng};
use rustc_hash::FxHashMap;

const STATES: u32 = 40;
const COUNT: u8 = 5;

/// A random model: for each state its choices, weights and targets each. The last two are finished.
type Table = Vec<Vec<(Vec<u64>, Vec<u32>)>>;

fn random_table(numbers: &mut ChaCha8Rng, back: bool) -> Table {
    let choice = |state: u32, numbers: &mut ChaCha8Rng| {
        let targets: Vec<u32> = (0..numbers.random_range(1..4))
            .map(|_| {
                let goes_back = back && numbers.random_range(0..3) == 0;
                let least = if goes_back { state.saturating_sub(3) } else { state + 1 };
                numbers.random_range(least..(least + 6).min(STATES))
            })
            .collect();
        (targets.iter().map(|_| numbers.random_range(1..6)).collect(), targets)
    };
    let state = |state| (0..numbers.random_range(1..4)).map(|_| choice(state, numbers)).collect();
    (0..STATES - 2).map(state).collect()
}

/// The model in which these states have value 0.
fn build(table: &Table, nothing: impl Fn(u32) -> bool) -> Built {
    let mut builder = ModelBuilder::new();
    for (state, choices) in (0..).zip(table) {
        if nothing(state) {
            builder.finished(&[Rational::ZERO]).unwrap();
            continue;
        }
        for (weights, targets) in choices {
            let weights = builder.weights(weights).unwrap();
            builder.choice(weights, targets).unwrap();
        }
        builder.finish_state().unwrap();
    }
    builder.finished(&[Rational::ONE]).unwrap();
    builder.finished(&[Rational::ZERO]).unwrap();
    builder.build(None).unwrap()
}

#[test]
fn each_variant_has_the_values_of_its_own_model() {
    let mut solver = VariantSolver::default();
    let (mut solved, mut differ) = (0, 0);
    for seed in 0..300 {
        let mut numbers = ChaCha8Rng::seed_from_u64(seed);
        let table = random_table(&mut numbers, seed % 3 > 0);
        let built = build(&table, |_| false);
        // Most states live in all variants.
        let mut lives = vec![COUNT; STATES as usize];
        for own in &mut lives[1..STATES as usize - 2] {
            if numbers.random_range(0..6) == 0 {
                *own = numbers.random_range(0..COUNT);
            }
        }
        let mut living = vec![0; STATES as usize];
        (0..STATES).for_each(|state| living[built.number_of(state) as usize] = lives[state as usize]);
        let variants = Variants {
            model: &built.model,
            count: COUNT.into(),
            living: &living,
            apart: &FxHashMap::default(),
            chances: None,
        };
        let start = Distribution::certain(built.number_of(0));
        let Some(values) = solver.values(&variants, &start, None).unwrap() else { continue };
        solved += 1;
        let mut exact = Vec::new();
        for (variant, value) in (0..).zip(values) {
            let alone = build(&table, |state| lives[state as usize] <= variant);
            let solution = solve(&alone.model, &SolveOptions::exact()).unwrap();
            let own = solution.value(alone.number_of(0)).exact.unwrap();
            let (lower, upper) = (exactly(value.lower).unwrap(), exactly(value.upper).unwrap());
            assert!(lower <= own && own <= upper, "seed {seed}, variant {variant}: {own} not in {value:?}");
            assert!(value.width() <= 1e-9, "seed {seed}, variant {variant}: {value:?}");
            // The same model with redirected states has the same values.
            let nothing = built.number_of(STATES - 1);
            let redirected = built.model.redirected(|state| (living[state as usize] <= variant).then_some(nothing));
            let solution = solve(&redirected.into(), &SolveOptions::exact()).unwrap();
            assert_eq!(solution.value(built.number_of(0)).exact, Some(own.clone()), "seed {seed}, variant {variant}");
            exact.push(own);
        }
        differ += u32::from(exact.windows(2).any(|two| two[0] != two[1]));
    }
    println!("{solved} solved, {differ} with variants that differ");
    assert!(solved > 250 && differ > 100, "{solved} solved, {differ} with variants that differ");
}

#[test]
fn states_can_lead_elsewhere_in_each_variant() {
    // The first state leads to one of three: the win, a coin, the loss.
    let mut builder = ModelBuilder::new();
    let (third, coin) = (builder.weights(&[1, 1, 1]).unwrap(), builder.weights(&[1, 1]).unwrap());
    builder.choice(third, &[1, 2, 3]).unwrap();
    builder.finish_state().unwrap();
    builder.choice(coin, &[2, 3]).unwrap();
    builder.finish_state().unwrap();
    builder.finished(&[Rational::ONE]).unwrap();
    builder.finished(&[Rational::ZERO]).unwrap();
    let built = builder.build(None).unwrap();
    let number = |state| built.number_of(state);
    let apart = [(number(0), vec![number(2), number(1), number(3)])].into_iter().collect();
    let variants = Variants { model: &built.model, count: 4, living: &[3; 4], apart: &apart, chances: None };
    let values = VariantSolver::default().values(&variants, &Distribution::certain(number(0)), None).unwrap().unwrap();
    let values: Vec<f64> = values.iter().map(mdp::Value::decimal).collect();
    // In the last variant no state lives.
    assert_eq!(values, [1.0, 0.5, 0.0, 0.0]);
}

#[test]
fn unusual_models_are_left_to_others() {
    let mut builder = ModelBuilder::new();
    builder.finished(&[Rational::from(2u8)]).unwrap();
    let built = builder.build(None).unwrap();
    let variants =
        Variants { model: &built.model, count: 1, living: &[1], apart: &FxHashMap::default(), chances: None };
    let values = VariantSolver::default().values(&variants, &Distribution::certain(0), None).unwrap();
    assert!(values.is_none());
}
