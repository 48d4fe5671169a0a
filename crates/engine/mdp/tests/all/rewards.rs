//! Rewards on the way: expected totals.

use crate::common::{Numbers, check_bounds, check_equations};
use mdp::{
    Built, ModelBuilder, Policy, Rational, Sense, SolveError, SolveOptions, Standing, Value, Weight, evaluate, ratio,
    solve,
};

/// A choice with its reward.
type Earning<'a> = (Rational, &'a [u64], &'a [u32]);

fn add(builder: &mut ModelBuilder, choices: &[Earning<'_>]) {
    for (reward, weights, targets) in choices {
        builder.reward(reward).expect("few rewards");
        let weights = builder.weights(weights).expect("positive");
        builder.choice(weights, targets).expect("targets");
    }
    builder.finish_state().expect("choices");
}

fn values(built: &Built, sense: Sense) -> Vec<Rational> {
    let exact = solve(&built.model, &SolveOptions::exact().with_sense(sense)).expect("solvable");
    check_equations(&built.model, &exact, sense);
    let bounded = solve(&built.model, &SolveOptions::default().with_sense(sense)).expect("solvable");
    assert!(check_bounds(&built.model, &exact, &bounded, 1.0) < 1e-9);
    (0..built.model.states()).map(|state| exact.value(built.number_of(state)).exact.expect("exact")).collect()
}

/// Which states have an infinite value, exactly and by bounds; the policy earns without end there.
fn infinite(built: &Built, options: &SolveOptions<'_>) -> Vec<bool> {
    let found = [true, false].map(|exact| {
        let solution = solve(&built.model, &options.with_exact(exact)).expect("solvable");
        let attained = evaluate(solution.policy(), &options.with_exact(exact)).expect("solvable");
        let value = |state| (solution.value(built.number_of(state)), attained.value(built.number_of(state)));
        let is_infinite = |(value, attained): (Value, Value)| {
            assert_eq!(value.is_infinite(), attained.is_infinite());
            assert_eq!(value.exact.is_some(), exact && !value.is_infinite());
            value.is_infinite()
        };
        (0..built.model.states()).map(|state| is_infinite(value(state))).collect::<Vec<_>>()
    });
    assert_eq!(found[0], found[1]);
    let [exact, _] = found;
    exact
}

#[test]
fn tosses_until_heads() {
    let mut builder = ModelBuilder::new();
    add(&mut builder, &[(Rational::ONE, &[1, 1], &[0, 1])]);
    builder.finished(&[Rational::ZERO]).expect("a payoff");
    let built = builder.build(None).expect("complete");
    for sense in [Sense::Max, Sense::Min] {
        assert_eq!(values(&built, sense)[0], Rational::from(2));
    }
    let policy = Policy::new(&built.model, |_| 0).expect("every state has a choice");
    let solution = evaluate(&policy, &SolveOptions::exact()).expect("solvable");
    assert_eq!(solution.value(built.number_of(0)).exact, Some(Rational::from(2)));
}

/// The mean duration of gambler's ruin is i (n - i) in a fair game.
#[test]
fn how_long_until_ruin() {
    const GOAL: u32 = 30;
    let mut builder = ModelBuilder::new();
    builder.finished(&[Rational::ZERO]).expect("a payoff");
    for fortune in 1..GOAL {
        add(&mut builder, &[(Rational::ONE, &[1, 1], &[fortune - 1, fortune + 1])]);
    }
    builder.finished(&[Rational::ZERO]).expect("a payoff");
    let built = builder.build(None).expect("complete");
    for (fortune, value) in values(&built, Sense::Max).into_iter().enumerate() {
        assert_eq!(value, Rational::from(fortune * (GOAL as usize - fortune)));
    }
}

/// All coupons of n: n (1 + 1/2 + ... + 1/n) on average.
#[test]
fn collecting_coupons() {
    const COUPONS: u32 = 12;
    let mut builder = ModelBuilder::new();
    for have in 0..COUPONS {
        let (again, new) = (u64::from(have), u64::from(COUPONS - have));
        if have == 0 {
            add(&mut builder, &[(Rational::ONE, &[1], &[1])]);
        } else {
            add(&mut builder, &[(Rational::ONE, &[again, new], &[have, have + 1])]);
        }
    }
    builder.finished(&[Rational::ZERO]).expect("a payoff");
    let built = builder.build(None).expect("complete");
    let expected = (1..=COUPONS).fold(Rational::ZERO, |sum, n| sum + ratio(COUPONS.into(), n.into()));
    assert_eq!(values(&built, Sense::Min)[0], expected);
}

#[test]
fn choices_with_rewards() {
    // 0: pay 3 and be done, or 1 for a chance of one in four (4 on average).
    let mut builder = ModelBuilder::new();
    add(&mut builder, &[(Rational::from(3), &[1], &[1]), (Rational::ONE, &[3, 1], &[0, 1])]);
    builder.finished(&[ratio(1, 2)]).expect("a payoff");
    let built = builder.build(None).expect("complete");
    assert_eq!(values(&built, Sense::Min)[0], ratio(7, 2));
    assert_eq!(values(&built, Sense::Max)[0], ratio(9, 2));
}

/// Staying costs less each step than leaving does, but never ends: the least total leaves.
#[test]
fn the_cheapest_way_out_of_a_circle() {
    for (round, out) in [(1, 100), (1, 1), (100, 1)] {
        let mut builder = ModelBuilder::new();
        add(&mut builder, &[(Rational::from(round), &[1], &[0]), (Rational::from(out), &[1], &[1])]);
        builder.finished(&[Rational::ZERO]).expect("a payoff");
        let built = builder.build(None).expect("complete");
        assert_eq!(values(&built, Sense::Min)[0], Rational::from(out));
        // The largest total has no bound.
        assert!(infinite(&built, &SolveOptions::default()) == [true, false]);
    }
    // Two states, with chance: 0 -> 1 costs 1, 1 -> 0 costs 1, out of 0 costs 50, out of 1 costs 10.
    let mut builder = ModelBuilder::new();
    add(&mut builder, &[(Rational::ONE, &[1, 2], &[1, 0]), (Rational::from(50), &[1], &[2])]);
    add(&mut builder, &[(Rational::ONE, &[1], &[0]), (Rational::from(10), &[1], &[2])]);
    builder.finished(&[Rational::ZERO]).expect("a payoff");
    let built = builder.build(None).expect("complete");
    assert_eq!(values(&built, Sense::Min)[..2], [Rational::from(13), Rational::from(10)]);
}

/// A cycle without rewards is no obstacle; play can stay in it for ever and pay nothing, unless it must end.
#[test]
fn circles_without_rewards() {
    let mut builder = ModelBuilder::new();
    add(&mut builder, &[(Rational::ZERO, &[1], &[1]), (Rational::from(5), &[1], &[2])]);
    add(&mut builder, &[(Rational::ZERO, &[1], &[0]), (Rational::from(7), &[1], &[2])]);
    builder.finished(&[Rational::ZERO]).expect("a payoff");
    let built = builder.build(None).expect("complete");
    let exact = |options: SolveOptions<'_>| {
        let solution = solve(&built.model, &options.with_exact(true)).expect("solvable");
        (0..2).map(|state| solution.value(built.number_of(state)).exact.expect("exact")).collect::<Vec<_>>()
    };
    let (most, least) = (SolveOptions::default(), SolveOptions::default().with_sense(Sense::Min));
    assert_eq!(exact(least), [Rational::ZERO, Rational::ZERO]);
    assert_eq!(exact(least.with_must_end(true)), [Rational::from(5), Rational::from(5)]);
    assert_eq!(exact(most), [Rational::from(7), Rational::from(7)]);
    assert_eq!(infinite(&built, &most.with_must_end(true)), [true, true, false]);
}

/// A cycle without rewards, and in it a choice with one: the largest total has no bound.
#[test]
fn earning_inside_a_circle_without_rewards() {
    let mut builder = ModelBuilder::new();
    add(&mut builder, &[(Rational::ZERO, &[1], &[1]), (Rational::ONE, &[1], &[1]), (Rational::from(5), &[1], &[2])]);
    add(&mut builder, &[(Rational::ZERO, &[1], &[0])]);
    builder.finished(&[Rational::ZERO]).expect("a payoff");
    let built = builder.build(None).expect("complete");
    assert_eq!(infinite(&built, &SolveOptions::default()), [true, true, false]);
    // The policy earns: in both states it stays by the choice that does.
    let solution = solve(&built.model, &SolveOptions::exact()).expect("solvable");
    assert_eq!(solution.policy().choice(built.number_of(0)), Some(1));
    assert_eq!(solution.standing(built.number_of(0), 0), Standing::LeadsBack);
    assert_eq!(solution.standing(built.number_of(0), 2), Standing::Worse);
}

/// A mill that turns and earns for ever: its own states and those that reach it are infinite, and no others; a pit in
/// which play stays for ever and earns nothing has value 0, also beside it.
#[test]
fn only_states_that_reach_a_mill_are_infinite() {
    let mut builder = ModelBuilder::new();
    // 0: a coin between the mill (1, 2) and the end (4), or 10 for the end. 3: the pit. 5: a coin between pit and end.
    add(&mut builder, &[(Rational::ZERO, &[1, 1], &[1, 4]), (Rational::from(10), &[1], &[4])]);
    add(&mut builder, &[(Rational::ONE, &[1], &[2])]);
    add(&mut builder, &[(Rational::ZERO, &[1, 3], &[2, 1])]);
    add(&mut builder, &[(Rational::ZERO, &[1], &[3])]);
    builder.finished(&[ratio(1, 2)]).expect("a payoff");
    add(&mut builder, &[(Rational::ONE, &[1, 1], &[3, 4])]);
    let built = builder.build(None).expect("complete");
    let (most, least) = (SolveOptions::default(), SolveOptions::default().with_sense(Sense::Min));
    assert_eq!(infinite(&built, &most), [true, true, true, false, false, false]);
    assert_eq!(infinite(&built, &least), [false, true, true, false, false, false]);
    assert_eq!(infinite(&built, &least.with_must_end(true)), [false, true, true, true, false, true]);
    let solution = solve(&built.model, &least.with_exact(true)).expect("solvable");
    let value = |state| solution.value(built.number_of(state)).exact;
    assert_eq!([0, 3, 4, 5].map(value), [ratio(21, 2), ratio(0, 1), ratio(1, 2), ratio(5, 4)].map(Some));
    assert_eq!(solution.policy().choice(built.number_of(0)), Some(1));
    assert_eq!(solution.value(built.number_of(1)).to_string(), "infinite");
    let start = mdp::Distribution::uniform([built.number_of(1), built.number_of(5)]).expect("two states");
    assert!(solution.value_of(&start).is_infinite());
}

/// After an infinite total the next payoff in the order cannot be compared.
#[test]
fn an_infinite_total_before_another_payoff() {
    let mut builder = ModelBuilder::new();
    add(&mut builder, &[(Rational::ONE, &[1], &[0]), (Rational::ZERO, &[1], &[1])]);
    builder.finished(&[Rational::ZERO, Rational::ONE]).expect("payoffs");
    let built = builder.build(None).expect("complete");
    assert_eq!(solve(&built.model, &SolveOptions::default()).err(), Some(SolveError::InfiniteTotal));
}

#[test]
fn negative_rewards_are_refused() {
    let mut builder = ModelBuilder::new();
    add(&mut builder, &[(ratio(-1, 2), &[1], &[1])]);
    builder.finished(&[Rational::ZERO]).expect("a payoff");
    let built = builder.build(None).expect("complete");
    let found = solve(&built.model, &SolveOptions::default());
    assert!(matches!(found, Err(SolveError::NegativeReward)));
}

/// Random models with payoffs, rewards and choices, with cycles and without.
#[test]
fn random_totals() {
    for seed in 0..40 {
        let mut numbers = Numbers(seed);
        let (states, circles) = (20u32, seed % 2 == 0);
        let mut builder = ModelBuilder::new();
        for state in 0..states {
            for _ in 0..=numbers.below(3) {
                let first = if circles { 0 } else { state + 1 };
                let target = |numbers: &mut Numbers| first + numbers.small::<u32>(u64::from(states + 2 - first));
                let targets = [target(&mut numbers), target(&mut numbers), states + numbers.small::<u32>(2)];
                let weights = [1 + numbers.below(4), 1 + numbers.below(4), 1 + numbers.below(2)];
                let reward = ratio(numbers.small(5), 1 + numbers.below(4));
                builder.reward(&reward).expect("few rewards");
                let weights = builder.weights(&weights).expect("positive");
                builder.choice(weights, &targets).expect("targets");
            }
            builder.finish_state().expect("choices");
        }
        for _ in 0..2 {
            builder.finished(&[ratio(numbers.small::<i64>(9) - 4, 1 + numbers.below(3))]).expect("a payoff");
        }
        let built = builder.build(None).expect("complete");
        for sense in [Sense::Max, Sense::Min] {
            values(&built, sense);
        }
    }
}

/// A game with rewards equals the model built from numbers, on one thread and on two.
#[test]
fn rewards_of_a_game() {
    struct Fees;
    impl mdp::Game for Fees {
        type State = u16;
        type Action = char;

        fn starts(&self) -> Vec<mdp::Distribution<u16>> {
            vec![mdp::Distribution::certain(0)]
        }

        fn rules(&self, place: &u16, turn: &mut mdp::Turn<u16, char>) {
            if *place >= 200 {
                return turn.end(0);
            }
            turn.choice('s').earn(ratio(1 + i64::from(place % 7), 3));
            turn.chance([(place + 1, Weight(3)), (place + 2, Weight(1)), (place.saturating_sub(1), Weight(1))]);
            turn.choice('f').earn(i64::from(place % 5)).to(place + 1);
            turn.choice('n').earn(0).chance([
                (place + 1, Weight(3)),
                (place + 2, Weight(1)),
                (place.saturating_sub(1), Weight(1)),
            ]);
        }
    }
    let mut builder = ModelBuilder::new();
    let (chance, certain) = (builder.weights(&[3, 1, 1]).expect("positive"), builder.weights(&[1]).expect("positive"));
    for place in 0..202u32 {
        if place >= 200 {
            builder.finished(&[Rational::ZERO]).expect("a payoff");
            continue;
        }
        let targets = [place + 1, place + 2, place.saturating_sub(1)];
        builder.reward(&ratio(1 + i64::from(place % 7), 3)).expect("few");
        builder.choice(chance, &targets).expect("three");
        builder.reward(&Rational::from(place % 5)).expect("few");
        builder.choice(certain, &[place + 1]).expect("one");
        builder.choice(chance, &targets).expect("three");
        builder.finish_state().expect("choices");
    }
    let built = builder.build(None).expect("complete");
    for threads in [1, 2] {
        let space = mdp::explore(&Fees, &mdp::ExploreOptions::default().with_threads(threads)).expect("small");
        assert_eq!(mdp::Game::actions(&Fees, &3), [Some('s'), Some('f'), Some('n')]);
        for sense in [Sense::Max, Sense::Min] {
            let found = solve(space.model(), &SolveOptions::exact().with_sense(sense));
            let expected = solve(&built.model, &SolveOptions::exact().with_sense(sense));
            let (Ok(found), Ok(expected)) = (found, expected) else { panic!("not solved") };
            for place in 0..202 {
                let state = space.number_of(&place).expect("reached");
                assert_eq!(found.value(state), expected.value(built.number_of(place.into())));
            }
        }
    }
}

/// Invalid rewards are refused, and so is one without a choice.
#[test]
fn bad_rewards_of_a_game() {
    struct Bad(u8);
    impl mdp::Game for Bad {
        type State = u8;
        type Action = ();

        fn starts(&self) -> Vec<mdp::Distribution<u8>> {
            vec![mdp::Distribution::certain(0)]
        }

        fn rules(&self, state: &u8, turn: &mut mdp::Turn<u8>) {
            match (*state, self.0) {
                (1, _) => turn.end(1),
                (_, 0) => turn.earn(-1).to(1),
                (_, 1) => turn.earn(1).earn(2).to(1),
                (_, 2) => {
                    turn.to(1);
                    turn.earn(1);
                }
                _ => turn.earn(1).end(1),
            }
        }
    }
    for kind in 0..4 {
        let found = mdp::explore(&Bad(kind), &mdp::ExploreOptions::default()).err();
        assert_eq!(found, Some(mdp::ExploreError::BadReward { state: "0".into() }), "{kind}");
    }
}
