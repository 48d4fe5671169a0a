//! Simulated plays against exact probabilities, with fixed seeds.

use crate::common::{Numbers, Table, space};
use mdp::{
    Dice, Distribution, Rational, SimulateOptions, Simulation, SolveOptions, Weight, exact_visit_probabilities, ratio,
    simulate, solve,
};

const PLAYS: u32 = 20_000;

fn with_threads(threads: usize, work: impl FnOnce() -> Simulation + Send) -> Simulation {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

/// Within 5 standard errors of a share of that probability.
fn agrees(share: f64, probability: f64) -> bool {
    let error = (probability * (1.0 - probability) / f64::from(PLAYS)).sqrt();
    (share - probability).abs() <= 5.0 * error + 1e-12
}

/// A table in which every state can end.
fn random_table(numbers: &mut Numbers) -> Table {
    let (count, last) = (8, 7);
    let states = (0..count).map(|state| {
        if state >= count - 2 || numbers.below(8) == 0 {
            return Ok(vec![ratio(numbers.small::<i64>(9) - 4, 1 + numbers.below(3))]);
        }
        let choices = (0..=numbers.below(3)).map(|_| {
            let mut choice: Vec<(u64, usize)> =
                (0..=numbers.below(3)).map(|_| (1 + numbers.below(5), numbers.small(count))).collect();
            choice.push((1, last - numbers.small::<usize>(2)));
            choice
        });
        Err(choices.collect())
    });
    Table { states: states.collect() }
}

#[test]
fn shares_and_means() {
    let mut numbers = Numbers(7);
    for seed in 0..25 {
        let table = random_table(&mut numbers);
        let space = space(&table, 1);
        let model = space.model();
        let solution = solve(model, &SolveOptions::exact()).expect("solvable");
        let begin =
            Distribution::weighted((0..8usize).map(|state| (state, Weight(1 + numbers.below(4))))).expect("positive");
        let start = begin.map(|state| space.number_of(state).expect("all states are starts"));
        let options = SimulateOptions { plays: PLAYS, seed, ..SimulateOptions::default() };
        let one = with_threads(1, || simulate(solution.policy(), &start, &options, None).expect("no limit"));
        let two = with_threads(2, || simulate(solution.policy(), &start, &options, None).expect("no limit"));
        assert_eq!(one, two);
        assert_eq!((one.plays(), one.unfinished), (u64::from(PLAYS), 0));
        let value = solution.value_of(&start).decimal();
        assert!((one.mean() - value).abs() <= 5.0 * one.standard_error() + 1e-12, "{} {value}", one.mean());
        let reached = exact_visit_probabilities(&solution, &start, None).expect("small");
        for state in 0..model.states() {
            let probability = reached.probability(state).decimal();
            assert!(agrees(one.share(state), probability), "state {state}: {} {probability}", one.share(state));
        }
    }
}

#[test]
fn another_seed_gives_other_plays() {
    let table =
        Table { states: vec![Err(vec![vec![(1, 1), (1, 2)]]), Ok(vec![Rational::ONE]), Ok(vec![Rational::ZERO])] };
    let space = space(&table, 1);
    let solution = solve(space.model(), &SolveOptions::exact()).expect("solvable");
    let start = Distribution::certain(space.number_of(&0).expect("a start"));
    let play = |seed| {
        simulate(solution.policy(), &start, &SimulateOptions { plays: PLAYS, seed, ..SimulateOptions::default() }, None)
            .expect("no limit")
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

#[test]
fn plays_that_never_end_are_given_up() {
    let table = Table { states: vec![Err(vec![vec![(1, 1)]]), Err(vec![vec![(1, 0)]]), Ok(vec![Rational::ONE])] };
    let space = space(&table, 1);
    let solution = solve(space.model(), &SolveOptions::exact()).expect("solvable");
    let start = Distribution::certain(space.number_of(&0).expect("a start"));
    let options = SimulateOptions { plays: 100, seed: 1, max_steps: 50 };
    let simulation = simulate(solution.policy(), &start, &options, None).expect("no limit");
    assert_eq!((simulation.finished, simulation.unfinished), (0, 100));
    assert!(simulation.mean().abs() < 1e-12);
    assert!((simulation.share(space.number_of(&1).expect("a start")) - 1.0).abs() < 1e-12);
}

/// Random numbers with weights of 200 bits, against the same probabilities with small weights.
#[test]
fn large_weights() {
    let huge = dashu_int::UBig::ONE << 200;
    let weights = [huge.clone(), &huge * dashu_int::UBig::from(2u8), &huge + dashu_int::UBig::ONE];
    let distribution = Distribution::weighted((0..3usize).zip(weights.map(Weight))).expect("positive");
    let mut dice = Dice::new(3, 0);
    let mut counts = [0u32; 3];
    for _ in 0..PLAYS {
        counts[*dice.draw(&distribution)] += 1;
    }
    for (count, expected) in counts.into_iter().zip([0.25, 0.5, 0.25]) {
        assert!(agrees(f64::from(count) / f64::from(PLAYS), expected), "{counts:?}");
    }
    let mut builder = mdp::ModelBuilder::new();
    let id = builder
        .large_weights(&distribution.iter().map(|(_, weight)| weight.clone()).collect::<Vec<_>>())
        .expect("positive");
    builder.choice(id, &[1, 2, 2]).expect("three targets");
    builder.finish_state().expect("a choice");
    builder.finished(&[Rational::ONE]).expect("a payoff");
    builder.finished(&[Rational::ZERO]).expect("a payoff");
    let built = builder.build(None).expect("complete");
    let solution = solve(&built.model, &SolveOptions::exact()).expect("solvable");
    let start = Distribution::certain(built.number_of(0));
    let options = SimulateOptions { plays: PLAYS, seed: 5, ..SimulateOptions::default() };
    let simulation = simulate(solution.policy(), &start, &options, None).expect("no limit");
    assert!((simulation.mean() - 0.25).abs() < 5.0 * simulation.standard_error());
}

#[test]
fn cloned_dice_go_on_alike() {
    let six = Distribution::weighted((0..6u32).map(|side| (side, Weight(1u64)))).expect("a die");
    let mut dice = Dice::new(3, 5);
    (0..7).for_each(|_| {
        dice.draw(&six);
    });
    let mut clone = dice.clone();
    let twenty = |dice: &mut Dice| -> Vec<u32> { (0..20).map(|_| *dice.draw(&six)).collect() };
    assert_eq!(twenty(&mut dice), twenty(&mut clone));
}
